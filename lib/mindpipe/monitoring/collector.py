"""What takes traces over HTTP: a collector of OpenTelemetry, or a service that speaks as one."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec

from mindpipe.core.addresses import is_http, shown_address
from mindpipe.core.errors import MindError, TemporaryError, UnavailableError, UsageError
from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.core.text import counted

if TYPE_CHECKING:
    from mindpipe.monitoring.verbs.trace import TracedCycle

HEADERS = "OTEL_EXPORTER_OTLP_HEADERS"
"""The variable of OpenTelemetry that holds headers, such as a key: `name=value,name=value`."""
_PATH = "/v1/traces"
_SECONDS = 30.0
_LONGEST = 300
_MOST_READ = 64 << 10
_GOOD, _REDIRECTED = 200, 300
_TRY_LATER = frozenset({429, 502, 503, 504})
"""With these a receiver asks to be sent the same again (OTLP/HTTP, "Retryable Response Codes")."""


class SentTraces(Record):
    """What a receiver took: how many cycles and spans, and the number of the last cycle."""

    endpoint: str
    cycles: int
    spans: int
    last: int


def address_of(endpoint: str) -> str:
    """Return where traces are sent: an address without a path gets that of the protocol.

    Raises:
        UsageError: it is no address of HTTP.
    """
    if not is_http(endpoint):
        raise UsageError(
            f'"{endpoint}" is no address of HTTP; write it like http://127.0.0.1:4318.'
        )
    return endpoint.rstrip("/") + _PATH if urlsplit(endpoint).path in {"", "/"} else endpoint


def headers_of(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that the environment asks for.

    Raises:
        UsageError: one has no value.
    """
    made = {"content-type": "application/json"}
    for pair in filter(None, map(str.strip, environment.get(HEADERS, "").split(","))):
        name, found, value = pair.partition("=")
        if not found:
            raise UsageError(f"{HEADERS}: a header has no value; write name=value,name=value.")
        made[name.strip().lower()] = unquote(value.strip())
    return made


def send(
    traced: "Iterable[TracedCycle]", *, endpoint: str, environment: Mapping[str, str]
) -> SentTraces:
    """Send cycle after cycle to a receiver, each when the one before it was taken.

    Raises:
        UnavailableError: it cannot be reached.
        TemporaryError: it asks for the same again later.
        MindError: it refuses a cycle, or spans of it.
    """
    import httpx2

    address = address_of(endpoint)
    cycles = spans = last = 0
    try:
        with httpx2.Client(headers=headers_of(environment), timeout=_SECONDS) as client:
            for number, request in traced:
                with client.stream("POST", address, content=to_json(request)) as answer:
                    said = b""
                    for piece in answer.iter_bytes():
                        if len(said := said + piece) > _MOST_READ:
                            break
                place = shown_address(address)
                _require_taken(answer.status_code, said, place, number=number, last=last)
                cycles, last = cycles + 1, number
                spans += sum(
                    len(scope.spans)
                    for resource in request.resource_spans
                    for scope in resource.scope_spans
                )
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeEncodeError) as error:
        why = _first_line(str(error)) or type(error).__name__
        place = shown_address(address)
        raise UnavailableError(f"{place} cannot be sent to: {why}.{_onward(last)}") from None
    return SentTraces(endpoint=address, cycles=cycles, spans=spans, last=last)


class _PartialSuccess(msgspec.Struct, rename="camel", frozen=True):
    """How many spans a receiver did not take, and why."""

    rejected_spans: int = 0
    error_message: str = ""


class _Answer(msgspec.Struct, rename="camel", frozen=True):
    """What a receiver says to a request that it took (an ExportTraceServiceResponse)."""

    partial_success: _PartialSuccess | None = None


def _require_taken(status: int, said: bytes, address: str, *, number: int, last: int) -> None:
    """Raise an error unless a receiver took all spans of a cycle."""
    if status in _TRY_LATER:
        raise TemporaryError(
            f"{address} asks to be sent cycle {number} later ({status}).{_onward(last)}"
        )
    if not _GOOD <= status < _REDIRECTED:
        words = _first_line(said.decode("utf-8", "replace"))
        why = f"{status}: {words}" if words else str(status)
        raise MindError(f"{address} refused cycle {number} ({why}).{_onward(last)}")
    try:
        taken = msgspec.json.decode(said, type=_Answer, strict=False).partial_success
    except NO_RECORD:
        return  # whoever answers in other words took all of them
    if taken is not None and taken.rejected_spans:
        why = _first_line(taken.error_message) or "it does not say why"
        raise MindError(
            f"{address} left out {counted(taken.rejected_spans, 'span')} of cycle {number}: {why}."
        )


def _onward(last: int) -> str:
    """Return how to go on after the last cycle that was taken."""
    return f" It took all before; go on with --after {last}." if last else ""


def _first_line(words: str) -> str:
    """Return the beginning of what somebody said."""
    return words.strip().split("\n")[0][:_LONGEST]
