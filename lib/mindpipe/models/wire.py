"""One request over HTTP through a provider's SDK, within limits of time and size."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from mindpipe.core.models import ModelFault
from mindpipe.core.ports import Clock
from mindpipe.core.redaction import redact
from mindpipe.formats.replies.faults import Answer, fault_of_answer, shown
from mindpipe.formats.replies.pieces import no_reply
from mindpipe.models.limits import Limits
from mindpipe.models.transport_faults import fault_of_exception, too_slow
from mindpipe.models.waits import asked_wait

if TYPE_CHECKING:
    import ssl

    import httpx2

_SHORTEST_WAIT = 0.001

T = TypeVar("T")
Send = Callable[["httpx2.Client", bytes, "httpx2.Timeout"], "httpx2.Response"]
"""Send a body through a provider's SDK over the given client; the answer's body stays unread."""


class Wire:
    """Send one body and judge the answer, whose bytes are read as they arrive.

    One object is used for one request; its connection ends with it. Redirects are not followed,
    so that a conversation goes nowhere but to its address. No ModelFault holds a secret.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        limits: Limits,
        seconds: float,
        streamed: bool,
        secrets: tuple[str, ...] = (),
    ) -> None:
        self._clock = clock
        self._limits = limits
        self._seconds = seconds
        self._streamed = streamed
        self._secrets = secrets
        self._deadline = self.now() + seconds

    def ask(self, send: Send, body: bytes, read: Callable[["httpx2.Response"], T]) -> T:
        """Return what `read` makes of a good answer.

        Raises:
            ModelFault: the answer is none, or `read` raised it.
        """
        try:
            with self._client() as client:
                response = send(client, body, self._timeout())
                with contextlib.closing(response):
                    return read(response)
        except ModelFault as fault:
            raise self._clean(fault) from None
        except Exception as error:
            found = fault_of_exception(error)
            if found is None:
                raise
            raise self._clean(found) from None

    def pieces(self, response: "httpx2.Response", *, limit: int) -> Iterator[bytes]:
        """Yield the body piece by piece, up to a size and until the deadline."""
        size = 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > limit:
                raise no_reply(f"HTTP {response.status_code}, longer than {limit} bytes")
            yield piece
            if self.now() > self._deadline:
                raise too_slow("not finished within the time of the whole call")

    def whole(self, response: "httpx2.Response") -> bytes:
        """Return the body of an answer that comes whole and says that it is JSON, or looks so."""
        body = b"".join(self.pieces(response, limit=self._limits.reply_bytes))
        told = media_type(response)
        if told and not told.endswith("json") and not body.lstrip().startswith(b"{"):
            raise no_reply(f"HTTP {response.status_code}, {told}")
        return body

    def now(self) -> float:
        """Return the seconds of the boot clock."""
        return self._clock.boot().seconds

    def _client(self) -> "httpx2.Client":
        """Return an HTTP client that asks about every answer."""
        import httpx2

        return httpx2.Client(
            verify=_certificates(), follow_redirects=False, event_hooks={"response": [self._judge]}
        )

    def _timeout(self) -> "httpx2.Timeout":
        """Return the time-outs until the answer begins."""
        import httpx2

        limits = self._limits
        first = limits.first_byte if self._streamed else self._seconds
        return httpx2.Timeout(
            connect=min(limits.connect, self._seconds),
            read=min(first, self._seconds),
            write=min(limits.between_events, self._seconds),
            pool=min(limits.connect, self._seconds),
        )

    def _judge(self, response: "httpx2.Response") -> None:
        """Raise the fault of an answer that is no reply, before the SDK reads all of its body."""
        # The transport looks at this when it begins to read the body.
        timeouts = response.request.extensions.get("timeout")
        if isinstance(timeouts, dict):
            left = max(self._deadline - self.now(), _SHORTEST_WAIT)
            timeouts["read"] = min(self._limits.between_events, left) if self._streamed else left
        if response.is_success:
            return
        raise fault_of_answer(
            Answer(
                status=response.status_code,
                media_type=media_type(response),
                body=self._error_body(response),
                wait=asked_wait(response.headers, now=self._clock.now()),
            )
        )

    def _error_body(self, response: "httpx2.Response") -> bytes:
        """Return as much of an error's body as can be had: its status says enough without it."""
        import httpx2

        body = bytearray()
        with contextlib.suppress(ModelFault, httpx2.HTTPError):
            for piece in self.pieces(response, limit=self._limits.error_bytes):
                body += piece
        return bytes(body)

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


def media_type(response: "httpx2.Response") -> str:
    """Return the media type without its parameters, in lower case."""
    told: str = response.headers.get("content-type", "")
    return shown(told.partition(";")[0].strip().lower())
