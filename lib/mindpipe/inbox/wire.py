"""Decode pushed lines fast where they are surely right; say so where they need a close look."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Annotated, cast

import msgspec

from mindpipe.core.errors import MindError
from mindpipe.core.events import EventType, NewEvent
from mindpipe.core.instants import normal_instant
from mindpipe.core.json import MAX_DEPTH, MAX_KEY_BYTES, MAX_KEYS, fault_of
from mindpipe.core.sources import Sources
from mindpipe.core.text import breaks_a_line, hides, safe_name

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


class PushedLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
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
    sources: Sources | None = None


FIELDS = PushedLine.__struct_fields__
_GETTERS = {name: attrgetter(name) for name in FIELDS}
_decoder = msgspec.json.Decoder(PushedLine)


class PushedColumns(msgspec.Struct):
    """What lines say: how many they are, and every field that any of them has, as a column.

    None stands where a line does not say it; `fields` counts all that is said.
    """

    count: int
    columns: dict[str, list[object]]
    fields: int

    def column(self, name: str) -> list[object]:
        """Return what the lines that say it say in one field."""
        return [cell for cell in self.columns.get(name, ()) if cell is not None]


def said_in(wires: Sequence[PushedLine], names: Iterable[str] = FIELDS) -> PushedColumns:
    """Return what lines say in some of the fields."""
    said = PushedColumns(count=len(wires), columns={}, fields=0)
    for name in names:
        column = list(map(_GETTERS[name], wires))
        fields = len(column) - column.count(None)
        if fields:
            said.columns[name] = column
            said.fields += fields
    return said


def said_in_all(parts: Sequence[PushedColumns]) -> PushedColumns:
    """Return what lines say that came in parts."""
    columns = {
        name: [cell for part in parts for cell in part.columns.get(name, [None] * part.count)]
        for name in FIELDS
        if any(name in part.columns for part in parts)
    }
    count, fields = sum(part.count for part in parts), sum(part.fields for part in parts)
    return PushedColumns(count=count, columns=columns, fields=fields)


def lines_of(octets: bytes) -> list[bytes]:
    """Return the lines of a piece without their ends."""
    lines = octets.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def sure_words(
    octets: bytes, *, agent_needed: bool, unknown: Unknown = nobody
) -> PushedColumns | None:
    """Return what lines say that are surely sound; None means look at each line closely.

    No key can be hidden: where every key stands right before its colon, the count of quote and
    colon together is at least the number of keys, and equals the keys that were decoded only if
    none came twice.
    """
    joined = octets.count(b'":')
    if _may_hide(octets, joined):
        return None
    try:
        said = _said_in_keys(_wires(octets), octets, joined)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if said is None or (agent_needed and None in said.columns.get("agent", [None])):
        return None
    return said if _words_are_right(said, unknown) else None


def _wires(octets: bytes) -> list[PushedLine]:
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


def _said_in_keys(wires: Sequence[PushedLine], octets: bytes, joined: int) -> PushedColumns | None:
    """Return what lines say in so many keys; None where a key came twice or a body is too odd.

    Lines mostly say the same fields as the first one: where these make up all the keys, no line
    says another, and none need be looked for.
    """
    first = [name for name in FIELDS if wires and getattr(wires[0], name) is not None]
    for names in (first, FIELDS):
        said = said_in(wires, names)
        keys, bodies = said.fields, said.column("body")
        if bodies:
            if any(len(line) > MAX_DEPTH and fault_of(line) for line in lines_of(octets)):
                return None
            keys += sum(map(_keys_in, bodies))
        if keys == joined:
            return said
    return None


def _may_hide(octets: bytes, joined: int) -> bool:
    """Tell whether keys may not stand right before a colon, or there is an escaped NUL."""
    if b"\\" in octets and b"\\u0000" in octets:
        return True
    return octets.count(b":") != joined and any(mark in octets for mark in _HIDING)


def _keys_in(value: object) -> int:
    """Return how many keys a value has, its inner objects included; too many count as too few."""
    if isinstance(value, dict):
        count = len(value) if len(value) <= MAX_KEYS else -1
        for inner in value.values():
            if type(inner) in (dict, list):
                count += _keys_in(inner)
        return count
    return sum(map(_keys_in, value)) if isinstance(value, list) else 0


def _words_are_right(said: PushedColumns, unknown: Unknown) -> bool:
    """Tell whether names, keys and times are fit; a time that none could read is not."""
    if not all(_is_short(cast("str", key)) for key in said.column("key")):
        return False
    try:
        for name in ("source", "space", "sender"):
            words = "".join(cast("set[str]", set(said.column(name))))
            if breaks_a_line(words) or hides(words):
                return False
        for agent in set(said.column("agent")):
            if unknown(safe_name(cast("str", agent))) is not None:
                return False
        for due in said.column("due"):
            normal_instant(cast("str", due))
    except MindError:
        return False
    return True


def _is_short(key: str) -> bool:
    """Tell whether a key is within its limit in bytes; its characters were counted before."""
    return key.isascii() or len(key.encode()) <= MAX_KEY_BYTES


def wire_of(event: NewEvent) -> PushedLine:
    """Return an event of the program's own as a line."""
    return PushedLine(
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
        sources=event.sources or None,
    )
