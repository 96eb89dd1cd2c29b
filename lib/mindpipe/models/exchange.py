"""One request to a provider over HTTP and its reply, within limits of time and size."""

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mindpipe.core.failpoints import reach
from mindpipe.core.models import ModelFault, ModelReply, ModelRequest
from mindpipe.core.ports import Clock, Preview
from mindpipe.core.redaction import redact
from mindpipe.formats.replies.faults import Answer, fault_of_answer, shown
from mindpipe.formats.replies.pieces import Assembler, Piece, no_reply, torn_stream
from mindpipe.formats.replies.sse import EventReader
from mindpipe.models.limits import Limits
from mindpipe.models.transport_faults import fault_of_exception, too_slow
from mindpipe.models.waits import asked_wait
from mindpipe.models.whole_preview import show_whole

if TYPE_CHECKING:
    import ssl

    import httpx2

_SHORTEST_WAIT = 0.001


Send = Callable[["httpx2.Client", bytes, "httpx2.Timeout"], "httpx2.Response"]
"""Send a body through a provider's SDK over the given client; the answer's body stays unread."""


class Form:
    """What an API's replies look like: how a whole one is read, and a streamed one assembled."""

    def __init__(
        self, *, read: Callable[[bytes], ModelReply], assembler: Callable[[], Assembler]
    ) -> None:
        self.read = read
        self.assembler = assembler


class Exchange:
    """Send one request, judge the answer, and read the reply as its bytes arrive.

    One object is used for one request; its connection ends with it. Redirects are not followed,
    so that a conversation goes nowhere but to its address. No ModelFault holds a secret.
    """

    def __init__(
        self, form: Form, *, clock: Clock, limits: Limits, secrets: tuple[str, ...] = ()
    ) -> None:
        self._form = form
        self._clock = clock
        self._limits = limits
        self._secrets = secrets
        self._deadline = 0.0
        self._streamed = True

    def reply(self, send: Send, request: ModelRequest, preview: Preview | None) -> ModelReply:
        """Return the complete reply.

        Raises:
            ModelFault: anything else than a complete reply.
        """
        self._deadline = self._now() + request.seconds
        self._streamed = request.options.stream
        try:
            with self._client() as client:
                response = send(client, request.body, self._timeout(request))
                with contextlib.closing(response):
                    return self._read(response, preview)
        except ModelFault as fault:
            raise self._clean(fault) from None
        except Exception as error:
            found = fault_of_exception(error)
            if found is None:
                raise
            raise self._clean(found) from None

    def _client(self) -> "httpx2.Client":
        """Return an HTTP client that asks this exchange about every answer."""
        import httpx2

        return httpx2.Client(
            verify=_certificates(), follow_redirects=False, event_hooks={"response": [self._judge]}
        )

    def _timeout(self, request: ModelRequest) -> "httpx2.Timeout":
        """Return the time-outs until the answer begins."""
        import httpx2

        limits = self._limits
        first = limits.first_byte if self._streamed else request.seconds
        return httpx2.Timeout(
            connect=min(limits.connect, request.seconds),
            read=min(first, request.seconds),
            write=min(limits.between_events, request.seconds),
            pool=min(limits.connect, request.seconds),
        )

    def _judge(self, response: "httpx2.Response") -> None:
        """Raise the fault of an answer that is no reply, before the SDK reads all of its body."""
        # The transport looks at this when it begins to read the body.
        timeouts = response.request.extensions.get("timeout")
        if isinstance(timeouts, dict):
            left = max(self._deadline - self._now(), _SHORTEST_WAIT)
            timeouts["read"] = min(self._limits.between_events, left) if self._streamed else left
        if response.is_success:
            return
        raise fault_of_answer(
            Answer(
                status=response.status_code,
                media_type=_media_type(response),
                body=self._error_body(response),
                wait=asked_wait(response.headers, now=self._clock.now()),
            )
        )

    def _error_body(self, response: "httpx2.Response") -> bytes:
        """Return as much of an error's body as can be had: its status says enough without it."""
        import httpx2

        body = bytearray()
        with contextlib.suppress(ModelFault, httpx2.HTTPError):
            for piece in self._pieces(response, limit=self._limits.error_bytes):
                body += piece
        return bytes(body)

    def _read(self, response: "httpx2.Response", preview: Preview | None) -> ModelReply:
        """Read a reply by what the answer says it is."""
        media_type = _media_type(response)
        pieces = self._pieces(response, limit=self._limits.reply_bytes)
        if media_type == "text/event-stream":
            return self._assemble(pieces, preview)
        body = b"".join(pieces)
        if media_type and not media_type.endswith("json") and not body.lstrip().startswith(b"{"):
            raise no_reply(f"HTTP {response.status_code}, {media_type}")
        reply = self._form.read(body)
        show_whole(reply, preview)
        return reply

    def _assemble(self, pieces: Iterator[bytes], preview: Preview | None) -> ModelReply:
        """Assemble a stream up to its end mark; what comes after it is left unread."""
        reader, assembler = EventReader(), self._form.assembler()
        heard = self._now()
        for octets in pieces:
            for event in reader.feed(octets):
                heard = self._now()
                _tell(preview, assembler.feed(event))
                reach("ask.mid_stream")
                if assembler.ended:
                    return assembler.reply()
            if self._now() - heard > self._limits.between_events:
                raise too_slow(f"no event within {self._limits.between_events:g} s")
        raise torn_stream()

    def _pieces(self, response: "httpx2.Response", *, limit: int) -> Iterator[bytes]:
        """Yield the body piece by piece, up to a size and until the deadline."""
        size = 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > limit:
                raise no_reply(f"HTTP {response.status_code}, longer than {limit} bytes")
            yield piece
            if self._now() > self._deadline:
                raise too_slow("not finished within the time of the whole call")

    def _now(self) -> float:
        """Return the seconds of the boot clock."""
        return self._clock.boot().seconds

    def _clean(self, fault: ModelFault) -> ModelFault:
        """Return the fault without secrets and without the exceptions that led to it."""
        return ModelFault(
            redact(str(fault), self._secrets),
            fault=fault.fault,
            http_status=fault.http_status,
            wait=fault.wait,
            sent=fault.sent,
        )


@functools.cache
def _certificates() -> "ssl.SSLContext":
    """Return the trusted certificates; reading them takes longer than all else in a client."""
    import httpx2

    return httpx2.create_ssl_context()


def _tell(preview: Preview | None, pieces: Sequence[Piece]) -> None:
    """Let a preview hear the pieces."""
    if preview is None:
        return
    for piece in pieces:
        getattr(preview, piece.kind)(piece.text)


def _media_type(response: "httpx2.Response") -> str:
    """Return the media type without its parameters, in lower case."""
    told: str = response.headers.get("content-type", "")
    return shown(told.partition(";")[0].strip().lower())
