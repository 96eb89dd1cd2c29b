"""Replies that come in pieces: server-sent events, pieces heard, arguments as they end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.messages import CallPart, ReplyPart
from mindpipe.core.models import FaultClass, Finish, ModelFault, ModelReply
from mindpipe.core.records import to_json
from mindpipe.core.text import without_surrogates

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class ServerSentEvent:
    """One event: its name ("" where it has none) and its text, the lines joined by newlines.

    A comment line, with which servers show that they are alive, is an event without text.
    """

    name: str = ""
    text: str = ""


class EventReader:
    """Read events as their bytes arrive; an event counts only with the blank line that ends it.

    Lines end with LF or CR LF. Time and memory are linear in the bytes fed.
    """

    def __init__(self) -> None:
        self._unended: list[bytes] = []
        self._name = ""
        self._lines: list[str] = []
        self._begun = False

    def feed(self, octets: bytes) -> Iterator[ServerSentEvent]:
        """Take the next bytes and yield the events that they complete."""
        if b"\n" not in octets:
            self._unended.append(octets)
            return
        *lines, rest = b"".join([*self._unended, octets]).split(b"\n")
        self._unended = [rest]
        if not self._begun:
            lines[0] = lines[0].removeprefix(_BOM)
            self._begun = True
        for line in lines:
            event = self._take(line.removesuffix(b"\r").decode("utf-8", "replace"))
            if event is not None:
                yield event

    def _take(self, line: str) -> ServerSentEvent | None:
        """Take one line and return the event that it ends, if any."""
        if not line:
            event = ServerSentEvent(name=self._name, text="\n".join(self._lines))
            whole = bool(self._lines)
            self._name, self._lines = "", []
            return event if whole else None
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._lines.append(value)
        elif not field:
            return ServerSentEvent()
        return None


@dataclass(frozen=True, kw_only=True)
class ReplyPiece:
    """A piece of a reply that is still being written.

    `text` of a call is its tool's name, that of an argument a piece of the call's JSON.
    """

    kind: Literal["text", "thinking", "call", "argument"]
    text: str


class Assembler(Protocol):
    """Put a reply together from its events; nothing of it counts before the end mark."""

    @property
    def ended(self) -> bool:
        """Tell whether the end mark has come."""
        ...

    def feed(self, event: ServerSentEvent) -> Sequence[ReplyPiece]:
        """Take one event; raises ModelFault for an error event and for one that is no JSON."""
        ...

    def result(self) -> bytes:
        """Return the provider's message, encoded once; raises ModelFault before the end mark."""
        ...

    def reply(self) -> ModelReply:
        """Return the reply, read from the result; raises ModelFault before the end mark."""
        ...


def torn_stream() -> ModelFault:
    """Return the fault of a stream that stopped before its end mark."""
    return ModelFault(
        "the provider's stream stopped before its end mark", fault=FaultClass.TRANSIENT
    )


def no_reply(what: str) -> ModelFault:
    """Return the fault of an answer that is no reply of this API."""
    return ModelFault(f"the provider gave no valid reply ({what})", fault=FaultClass.TRANSIENT)


Fields = dict[str, object]


def fields_of(value: object) -> Fields:
    """Return an object, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items_of(value: object) -> list[object]:
    """Return a list, and an empty one for anything else."""
    return value if isinstance(value, list) else []


def words_of(value: object) -> str:
    """Return text that may be stored, and "" for anything else."""
    return without_surrogates(value)[0] if isinstance(value, str) else ""


def count_of(value: object) -> int | None:
    """Return a count of at least 0, also one written as 12.0, and None for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def joined(pieces: list[str]) -> str:
    """Join streamed text; a character whose two halves came in two pieces becomes whole again."""
    text = "".join(pieces)
    if without_surrogates(text)[1]:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def parsed(document: bytes | str) -> Fields | None:
    """Return a strictly parsed JSON object, or None where it is none."""
    try:
        value = load_json(document, source="reply")
    except BadInputError:
        return None
    return value if isinstance(value, dict) else None


CUT_OFF = "cut off"
DECLINED = "declined"

_STOPPED = {Finish.CUT: CUT_OFF, Finish.UNKNOWN: CUT_OFF, Finish.REFUSAL: DECLINED}


def read_call(*, identifier: object, tool: object, written: object) -> CallPart:
    """Return a call with the provider's own id; `written` is the text of its arguments.

    Arguments that are no JSON object are kept whole and never completed, quoted or guessed.
    """
    text = written if isinstance(written, str) else _text_of(written)
    args: dict[str, object] | None = None
    reason: str | None
    try:
        value = load_json(text, source="arguments")
        octets = to_json(value)
        if b"\\u0000" in octets and _holds_nul(value):
            raise ValueError("NUL")
    except BadInputError as error:
        reason = error.problems[0].message
    except (UnicodeEncodeError, OverflowError, ValueError):
        reason = "they hold a value that cannot be kept"
    else:
        args = value if isinstance(value, dict) else None
        reason = None if args is not None else "they are not an object"
    return CallPart(
        id=words_of(identifier),
        tool=words_of(tool),
        args=args,
        args_text=words_of(text),
        invalid=None if reason is None else f"json: {reason}",
    )


def _holds_nul(value: object) -> bool:
    """Tell whether any string of a JSON value holds NUL, which no text in a store may."""
    if isinstance(value, dict):
        return any(_holds_nul(one) for pair in value.items() for one in pair)
    if isinstance(value, list):
        return any(map(_holds_nul, value))
    return isinstance(value, str) and "\x00" in value


def _text_of(value: object) -> str:
    """Return arguments that came as a JSON value, as some servers send them, as text."""
    try:
        return "" if value is None else to_json(value).decode()
    except (UnicodeEncodeError, OverflowError, ValueError):
        return ""


def settle(parts: list[ReplyPart], finish: Finish) -> tuple[tuple[ReplyPart, ...], Finish]:
    """Make parts and finish agree.

    A complete reply with calls ends in CALLS, one without in END. Where a reply was cut, declined
    or ended in an unknown way, no call may run: each is made invalid with its text kept.
    """
    if finish in {Finish.END, Finish.CALLS}:
        called = any(isinstance(part, CallPart) for part in parts)
        return tuple(parts), Finish.CALLS if called else Finish.END
    reason = _STOPPED.get(finish)
    if reason is None:
        return tuple(parts), finish
    return tuple(_stopped(part, reason) for part in parts), finish


def _stopped(part: ReplyPart, reason: str) -> ReplyPart:
    """Return a call as one that may not run, and any other part as it is."""
    if not isinstance(part, CallPart):
        return part
    return CallPart(id=part.id, tool=part.tool, args=None, args_text=part.args_text, invalid=reason)
