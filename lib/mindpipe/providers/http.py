"""One request over HTTP by a vendor's SDK: its time, its faults, what was sent and received."""

import abc
import contextlib
import datetime
import email.utils
import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

import msgspec

from mindpipe.core.addresses import shown_address
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import parse_instant
from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Clock, Preview
from mindpipe.core.records import Record
from mindpipe.core.redaction import redact
from mindpipe.providers.faults import HttpAnswer, fault_of_answer, shown
from mindpipe.providers.replay import show_whole
from mindpipe.providers.stream import (
    Assembler,
    EventReader,
    ReplyPiece,
    ServerSentEvent,
    no_reply,
    torn_stream,
)
from mindpipe.providers.usage import with_plain_usage

if TYPE_CHECKING:
    import ssl

    import anthropic
    import httpx2
    import openai

    from mindpipe.io.open_calls import OpenCalls


def too_slow(what: str) -> ModelFault:
    """Return the fault of an answer that took too long."""
    return ModelFault(f"the provider was too slow: {what}", fault=FaultClass.TRANSIENT)


def fault_of_exception(error: BaseException) -> ModelFault | None:
    """Return the fault that an exception stands for; None for one that is nobody's but ours.

    The words of such exceptions are not repeated, as they may hold headers.
    """
    chain = list(_causes(error))
    for cause in chain:
        if isinstance(cause, ModelFault):
            return cause
    for cause in chain:
        for kinds, fault in _table():
            if isinstance(cause, kinds):
                return fault(cause)
    return None


def _unreachable(cause: BaseException) -> ModelFault:
    return ModelFault(
        f"the provider cannot be reached{_place_of(cause)}; check the network and the address",
        fault=FaultClass.TRANSIENT,
        sent=False,
    )


def _place_of(cause: BaseException) -> str:
    """Return where a request went, as far as the exception knows.

    Never more than scheme, host and port: what else is in a URL may be a key.
    """
    import httpx2

    if not isinstance(cause, httpx2.RequestError):
        return ""
    try:
        url = cause.request.url
    except RuntimeError:  # it was raised before there was a request
        return ""
    where = shown_address(str(url))
    return where and f" at {where}"


def _no_address(_cause: BaseException) -> ModelFault:
    return ModelFault(
        "the provider's address is no http or https URL; check base_url",
        fault=FaultClass.OUR_ACCOUNT,
        sent=False,
    )


def _no_header(_cause: BaseException) -> ModelFault:
    return ModelFault(
        "the request cannot be sent; check the key for characters that no header carries",
        fault=FaultClass.OUR_ACCOUNT,
        sent=False,
    )


def _broken(_cause: BaseException) -> ModelFault:
    return ModelFault("the connection to the provider broke", fault=FaultClass.TRANSIENT)


def _table() -> tuple[
    tuple[tuple[type[BaseException], ...], Callable[[BaseException], ModelFault]], ...
]:
    """Return the kinds of exceptions and their faults, most special first."""
    import httpx2

    return (
        ((httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ConnectError), _unreachable),
        ((httpx2.TimeoutException,), lambda _: too_slow("no answer in time")),
        ((httpx2.InvalidURL, httpx2.UnsupportedProtocol), _no_address),
        ((httpx2.LocalProtocolError, UnicodeEncodeError), _no_header),
        ((httpx2.DecodingError,), lambda _: no_reply("its compression is broken")),
        ((httpx2.TransportError, httpx2.StreamError), _broken),
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and those that it was raised from."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


def asked_wait(headers: Mapping[str, str], *, now: str) -> float | None:
    """Return the seconds that `retry-after-ms` or `retry-after` (seconds or a date) names."""
    thousandths = _number(headers.get("retry-after-ms"))
    if thousandths is not None:
        return thousandths / 1000
    told = headers.get("retry-after")
    seconds = _number(told)
    if seconds is not None or told is None:
        return seconds
    try:
        moment = email.utils.parsedate_to_datetime(told)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return max(0.0, (moment - parse_instant(now)).total_seconds())


def _number(text: str | None) -> float | None:
    """Return a finite number of at least 0, or None."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None


class CallLimits(Record):
    """Time-outs and sizes of one call.

    `first_byte` holds for streamed replies; one that comes whole begins only when it is finished
    and is bounded by the time of the whole call alone. Sizes count after decompression.
    """

    connect: float = 10.0
    first_byte: float = 120.0
    between_events: float = 60.0
    reply_bytes: int = 64 << 20
    error_bytes: int = 1 << 20


LIMITS = CallLimits()

_SHORTEST_WAIT = 0.001

T = TypeVar("T")
Send = Callable[["httpx2.Client", bytes, "httpx2.Timeout"], "httpx2.Response"]
"""Send a body through a provider's SDK over the given client; the answer's body stays unread."""


class WireCall:
    """Send one body and judge the answer, whose bytes are read as they arrive.

    One object is used for one request; its connection ends with it, or as soon as `calls` are
    closed, which is a fault like that of a connection that broke. Redirects are not followed,
    so that a conversation goes nowhere but to its address. No ModelFault holds a secret.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        limits: CallLimits,
        seconds: float,
        streamed: bool,
        secrets: tuple[str, ...] = (),
        calls: "OpenCalls | None" = None,
    ) -> None:
        self._calls = calls
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
            with contextlib.ExitStack() as ended, self._client(ended) as client:
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

    def _client(self, ended: contextlib.ExitStack) -> "httpx2.Client":
        """Return an HTTP client that asks about every answer."""
        import httpx2

        client = httpx2.Client(
            verify=_certificates(), follow_redirects=False, event_hooks={"response": [self._judge]}
        )
        if self._calls is not None:
            from mindpipe.providers.connections import KnownConnections, give_connections

            give_connections(client, KnownConnections(self._calls, ended))
        return client

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
            HttpAnswer(
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


class Form:
    """What an API's replies look like: how a whole one is read, and a streamed one assembled."""

    def __init__(
        self, *, read: Callable[[bytes], ModelReply], assembler: Callable[[], Assembler]
    ) -> None:
        self.read = read
        self.assembler = assembler


class Exchange:
    """Send requests, each over a wire of its own, and read the replies as their bytes arrive."""

    def __init__(
        self,
        form: Form,
        *,
        clock: Clock,
        limits: CallLimits,
        secrets: tuple[str, ...] = (),
        calls: "OpenCalls | None" = None,
    ) -> None:
        self._form = form
        self._calls = calls
        self._clock = clock
        self._limits = limits
        self._secrets = secrets

    def reply(self, send: Send, request: ModelRequest, preview: Preview | None) -> ModelReply:
        """Return the complete reply.

        Raises:
            ModelFault: anything else than a complete reply.
        """
        wire = WireCall(
            clock=self._clock,
            limits=self._limits,
            seconds=request.seconds,
            streamed=request.options.stream,
            secrets=self._secrets,
            calls=self._calls,
        )
        return wire.ask(send, request.body, lambda response: self._read(wire, response, preview))

    def _read(
        self, wire: WireCall, response: "httpx2.Response", preview: Preview | None
    ) -> ModelReply:
        """Read a reply by what the answer says it is."""
        if media_type(response) == "text/event-stream":
            pieces = wire.pieces(response, limit=self._limits.reply_bytes)
            return self._assemble(wire, pieces, preview)
        reply = self._form.read(with_plain_usage(wire.whole(response)))
        show_whole(reply, preview)
        return reply

    def _assemble(
        self, wire: WireCall, pieces: Iterator[bytes], preview: Preview | None
    ) -> ModelReply:
        """Assemble a stream up to its end mark; what comes after it is left unread."""
        reader, assembler = EventReader(), self._form.assembler()
        heard = wire.now()
        for octets in pieces:
            for event in reader.feed(octets):
                heard = wire.now()
                _tell(preview, assembler.feed(_readable(event)))
                reach("ask.mid_stream")
                if assembler.ended:
                    return assembler.reply()
            if wire.now() - heard > self._limits.between_events:
                raise too_slow(f"no event within {self._limits.between_events:g} s")
        raise torn_stream()


def _readable(event: ServerSentEvent) -> ServerSentEvent:
    """Return an event in which no figure of the usage makes the rest unreadable."""
    text = with_plain_usage(event.text.encode()).decode()
    return ServerSentEvent(name=event.name, text=text)


def _tell(preview: Preview | None, pieces: Sequence[ReplyPiece]) -> None:
    """Let a preview hear the pieces."""
    if preview is None:
        return
    for piece in pieces:
        getattr(preview, piece.kind)(piece.text)


NO_KEY = "no-key"
# The SDKs shall not read an answer: we do, within limits.
UNREAD: bool = True


_LIST_SECONDS = 15.0


class _Models(msgspec.Struct, rename={"models": "data"}):
    """What a list of models answers; everything else in it is passed over."""

    models: list[msgspec.Raw]


class SdkModel(abc.ABC):
    """Send request bodies as they are and read the replies; the SDK is imported at the first one.

    `api_key` may be None for a server of one's own that asks for none. The SDK's own retries are
    off: each call is one attempt. It is safe to use from several threads. A call under way ends
    when `calls` are closed.
    """

    form: ClassVar[Form]
    usual_address: ClassVar[str]
    path: ClassVar[str]
    models_path: ClassVar[str]

    def __init__(
        self,
        target: Target,
        *,
        api_key: str | None,
        clock: Clock,
        base_url: str | None = None,
        limits: CallLimits = LIMITS,
        calls: "OpenCalls | None" = None,
    ) -> None:
        self._target = target
        self._calls = calls
        self._api_key = api_key or NO_KEY
        self._secrets = (api_key,) if api_key else ()
        self._base_url = base_url or self.usual_address
        self._clock = clock
        self._limits = limits

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Send one request and return its complete reply; raises ModelFault."""
        exchange = Exchange(
            self.form,
            clock=self._clock,
            limits=self._limits,
            secrets=self._secrets,
            calls=self._calls,
        )
        return exchange.reply(self._send, request, preview)

    def count_models(self) -> int:
        """Ask which models there are, which costs nothing, and return how many the answer names.

        Raises:
            ModelFault: anything else than a list of models came.
        """
        wire = WireCall(
            clock=self._clock,
            limits=self._limits,
            seconds=_LIST_SECONDS,
            streamed=False,
            secrets=self._secrets,
            calls=self._calls,
        )
        try:
            answer = msgspec.json.decode(wire.ask(self._get_models, b"", wire.whole), type=_Models)
        except msgspec.DecodeError:
            raise no_reply("no list of models") from None
        return len(answer.models)

    def _get_models(
        self, client: "httpx2.Client", _body: bytes, timeout: "httpx2.Timeout"
    ) -> "httpx2.Response":
        """Get the list of models through the SDK."""
        import httpx2

        response: httpx2.Response = self._sdk(client).get(
            self.models_path, cast_to=httpx2.Response, stream=UNREAD, options={"timeout": timeout}
        )
        return response

    def _send(
        self, client: "httpx2.Client", body: bytes, timeout: "httpx2.Timeout"
    ) -> "httpx2.Response":
        """Post the exact bytes through the SDK, which neither encodes them again nor retries."""
        import httpx2

        response: httpx2.Response = self._sdk(client).post(
            self.path,
            content=body,
            cast_to=httpx2.Response,
            stream=UNREAD,
            options={"timeout": timeout},
        )
        return response

    @abc.abstractmethod
    def _sdk(self, client: "httpx2.Client") -> "anthropic.Anthropic | openai.OpenAI":
        """Return the SDK over an HTTP client; it does not try again by itself."""
