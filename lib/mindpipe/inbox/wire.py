"""Decode pushed lines fast where they are surely right; say so where they need a close look."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Annotated, cast

import msgspec

from mindpipe.core.errors import MindError
from mindpipe.core.events import EventType, NewEvent
from mindpipe.core.instants import normal_instant
from mindpipe.core.names import safe_name
from mindpipe.core.strict_json import MAX_DEPTH, MAX_KEY_BYTES, MAX_KEYS, fault_of

MAX_WORD = 256
# White space before a colon would hide a key from the count.
_HIDING = (b" :", b"\t:", b"\r:")
_Word = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_WORD)]
_Key = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_KEY_BYTES)]
_Priority = Annotated[int, msgspec.Meta(ge=0, le=4)]

Unknown = Callable[[str], str | None]
"""Say in words that there is no such agent, or return None for one that is there."""


def nobody(_agent: str) -> str | None:
    """Take every agent as known."""
    return None


class Wire(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One pushed line as it came; None is what the line does not say."""

    agent: str | None = None
    type: EventType | None = None
    source: _Word | None = None
    key: _Key | None = None
    priority: _Priority | None = None
    due: str | None = None
    space: _Word | None = None
    sender: _Word | None = None
    text: str | None = None
    body: dict[str, object] | None = None
    lossy: bool | None = None


FIELDS = Wire.__struct_fields__
WIDTH = len(FIELDS)
_decoder = msgspec.json.Decoder(Wire)


def cells_of(wires: Sequence[Wire]) -> list[object]:
    """Return the fields of all lines, line after line, each in the order of FIELDS."""
    return list(chain.from_iterable(map(msgspec.structs.astuple, wires)))


def column(cells: list[object], name: str) -> list[object]:
    """Return one field of all lines."""
    return cells[FIELDS.index(name) :: WIDTH]


def lines_of(octets: bytes) -> list[bytes]:
    """Return the lines of a piece without their ends."""
    lines = octets.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def sure_cells(
    octets: bytes, *, agent_needed: bool, unknown: Unknown = nobody
) -> list[object] | None:
    """Return the fields of lines that are surely sound; None means look at each line closely.

    No key can be hidden: where every key stands right before its colon, the count of quote and
    colon together is at least the number of keys, and equals the keys that were decoded only if
    none came twice.
    """
    try:
        cells = cells_of(_wires(octets))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    keys = len(cells) - cells.count(None)
    bodies = [body for body in column(cells, "body") if body is not None]
    if bodies:
        if any(len(line) > MAX_DEPTH and fault_of(line) for line in lines_of(octets)):
            return None
        keys += sum(map(_keys_in, bodies))
    if not _counts_agree(octets, keys):
        return None
    return cells if _words_are_right(cells, agent_needed, unknown) else None


def _wires(octets: bytes) -> list[Wire]:
    """Decode lines, all at once where that is the same and a third faster.

    A line end between } and { cannot stand inside a value; so as many values as lines are one each.
    """
    ended = octets.endswith(b"\n")
    ends = octets.count(b"\n") - ended
    if octets.startswith(b"{") and octets.count(b"}\n{") == ends:
        wires = _decoder.decode_lines(octets)
        if len(wires) == ends + 1:
            return wires
    return [_decoder.decode(line) for line in lines_of(octets)]


def _counts_agree(octets: bytes, keys: int) -> bool:
    """Tell whether lines have this many keys, none twice, and no escaped NUL."""
    joined = octets.count(b'":')
    if keys != joined or (b"\\" in octets and b"\\u0000" in octets):
        return False
    return octets.count(b":") == joined or not any(mark in octets for mark in _HIDING)


def _keys_in(value: object) -> int:
    """Return how many keys a value has, its inner objects included; too many count as too few."""
    if isinstance(value, dict):
        count = len(value) if len(value) <= MAX_KEYS else -1
        for inner in value.values():
            if type(inner) in (dict, list):
                count += _keys_in(inner)
        return count
    return sum(map(_keys_in, value)) if isinstance(value, list) else 0


def _words_are_right(cells: list[object], agent_needed: bool, unknown: Unknown) -> bool:  # noqa: FBT001 - passed on as it came
    """Tell whether agents, keys and times are fit; a time that none could read is not."""
    agents = set(column(cells, "agent"))
    if agent_needed and None in agents:
        return False
    keys = [key for key in column(cells, "key") if key is not None]
    if not all(_is_short(cast("str", key)) for key in keys):
        return False
    try:
        for agent in agents - {None}:
            if unknown(safe_name(cast("str", agent))) is not None:
                return False
        for due in column(cells, "due"):
            if due is not None:
                normal_instant(cast("str", due))
    except MindError:
        return False
    return True


def _is_short(key: str) -> bool:
    """Tell whether a key is within its limit in bytes; its characters were counted before."""
    return key.isascii() or len(key.encode()) <= MAX_KEY_BYTES


def wire_of(event: NewEvent) -> Wire:
    """Return an event of the program's own as a line."""
    return Wire(
        agent=event.agent,
        type=event.type,
        source=event.source,
        key=event.key,
        priority=event.priority,
        due=event.due,
        space=event.space,
        sender=event.sender,
        text=event.text,
        body=event.body or None,
        lossy=event.lossy or None,
    )
