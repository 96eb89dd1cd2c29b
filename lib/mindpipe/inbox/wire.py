"""Decode lines of events fast where they are surely right, and lay them out as columns."""

from collections.abc import Sequence
from itertools import chain
from typing import Annotated, cast

import msgspec

from mindpipe.core.errors import MindError
from mindpipe.core.events import EventType, NewEvent
from mindpipe.core.instants import normal_instant
from mindpipe.core.names import safe_name
from mindpipe.core.ports import Cell
from mindpipe.core.strict_json import MAX_DEPTH, MAX_KEY_BYTES, MAX_KEYS, fault_of
from mindpipe.inbox.records import Given

MAX_WORD = 256
# White space before a colon would hide a key from the count; an escaped NUL must not be stored.
_ODD = (b" :", b"\t:", b"\r:", b"\\u0000")
_Word = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_WORD)]
_Key = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_KEY_BYTES)]
_Priority = Annotated[int, msgspec.Meta(ge=0, le=4)]


class Wire(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
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


class CheckedWire(Wire, omit_defaults=True, gc=False):
    """One checked line; `original` holds its bytes as base64 where it had to be cleaned."""

    original: str | None = None


FIELDS = CheckedWire.__struct_fields__
_WIDTH = len(Wire.__struct_fields__)
_AGENT, _KEY, _DUE, _BODY = (FIELDS.index(name) for name in ("agent", "key", "due", "body"))
_decode = msgspec.json.Decoder(Wire).decode
_decode_checked = msgspec.json.Decoder(CheckedWire).decode


def lines_of(octets: bytes) -> list[bytes]:
    """Return the lines of a piece without their ends."""
    lines = octets.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def surely_right(octets: bytes, *, agent_needed: bool) -> bool:
    """Tell whether every line of a piece is a sound event; False means look at each closely.

    No key can be hidden: where every key stands right before its colon, the count of quote and
    colon together is at least the number of keys, and equals the keys that were decoded only if
    none came twice.
    """
    lines = lines_of(octets)
    try:
        wires = [_decode(line) for line in lines]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    cells: list[object] = list(chain.from_iterable(map(msgspec.structs.astuple, wires)))
    keys = len(cells) - cells.count(None)
    bodies = [body for body in cells[_BODY::_WIDTH] if body is not None]
    if bodies:
        if any(len(line) > MAX_DEPTH and fault_of(line) for line in lines):
            return False
        keys += sum(map(_keys_in, bodies))
    if keys != octets.count(b'":') or any(mark in octets for mark in _ODD):
        return False
    return _words_are_right(cells, agent_needed=agent_needed)


def _keys_in(value: object) -> int:
    """Return how many keys a value has, its inner objects included."""
    if isinstance(value, dict):
        count = len(value) if len(value) <= MAX_KEYS else -1
        for inner in value.values():
            if type(inner) in (dict, list):
                count += _keys_in(inner)
        return count
    return sum(map(_keys_in, value)) if isinstance(value, list) else 0


def _words_are_right(cells: list[object], *, agent_needed: bool) -> bool:
    """Tell whether agents, keys and times are fit; a time that none could read is not."""
    agents = set(cells[_AGENT::_WIDTH])
    if agent_needed and None in agents:
        return False
    keys = [key for key in cast("list[str | None]", cells[_KEY::_WIDTH]) if key is not None]
    if not all(key.isascii() or len(key.encode()) <= MAX_KEY_BYTES for key in keys):
        return False
    try:
        for agent in agents - {None}:
            safe_name(cast("str", agent))
        for due in cells[_DUE::_WIDTH]:
            if due is not None:
                normal_instant(cast("str", due))
    except MindError:
        return False
    return True


def decode_checked(octets: bytes) -> list[CheckedWire]:
    """Decode lines that were checked before."""
    return [_decode_checked(line) for line in lines_of(octets)]


def encode_checked(wire: CheckedWire) -> bytes:
    """Return one checked line with its end."""
    return msgspec.json.encode(wire) + b"\n"


def wire_of(event: NewEvent) -> CheckedWire:
    """Return an event of the program's own as a checked line."""
    return CheckedWire(
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


Columns = dict[str, list[Cell]]


def columns_of(wires: Sequence[CheckedWire], given: Given) -> Columns:
    """Return lines as one list of cells per field that any of them has, ready to be stored."""
    cells: list[object] = list(chain.from_iterable(map(msgspec.structs.astuple, wires)))
    columns: Columns = {}
    for place, name in enumerate(FIELDS):
        column = cells[place :: len(FIELDS)]
        default: object = getattr(given, name, None)
        missing = column.count(None)
        if missing and default is not None:
            column = [default if cell is None else cell for cell in column]
        elif missing == len(column):
            continue
        columns[name] = cast("list[Cell]", column)
    for name in columns.keys() & _STORED.keys():
        stored = _STORED[name]
        columns[name] = [None if cell is None else stored(cell) for cell in columns[name]]
    return columns


def _stored_time(cell: object) -> Cell:
    """Return a time in the one form that is stored."""
    return normal_instant(cast("str", cell))


def _stored_body(cell: object) -> Cell:
    """Return a body as JSON text."""
    return msgspec.json.encode(cell).decode()


def _stored_flag(cell: object) -> Cell:
    """Return a flag as SQLite keeps it."""
    return int(cast("bool", cell))


_STORED = {"due": _stored_time, "body": _stored_body, "lossy": _stored_flag}
