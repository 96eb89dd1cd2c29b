"""A piece of a push as columns: cells that all lines share once, the others line by line."""

import base64
from collections.abc import Callable, Iterable, Sequence
from typing import cast

import msgspec

from mindpipe.core.instants import normal_instant
from mindpipe.core.redaction import Redactor
from mindpipe.core.sources import OPERATOR, RESERVED, claimed, joined, source_name
from mindpipe.inbox.records import Ceiling, EventDefaults
from mindpipe.inbox.rules import ceiling_of
from mindpipe.inbox.wire import FIELDS, PushedColumns

LEAST_BOUNDED = 2
Cell = int | str | None


class Batch(msgspec.Struct, kw_only=True):
    """Checked lines, ready to be stored.

    `same` has the cells that all lines share, `each` the columns in which they differ; what is in
    neither is NULL. The lines are `first` and those after it, unless `numbers` says each.
    """

    first: int
    count: int
    numbers: list[int] | None = None
    same: dict[str, Cell]
    each: dict[str, list[Cell]]

    def number(self, place: int) -> int:
        """Return the number of a line in its source."""
        return self.first + place if self.numbers is None else self.numbers[place]

    def cell(self, name: str, place: int) -> Cell:
        """Return one cell."""
        return self.each[name][place] if name in self.each else self.same.get(name)

    def word(self, name: str, place: int) -> str:
        """Return a cell that is always text."""
        return cast("str", self.cell(name, place))

    def whole(self, name: str) -> Sequence[Cell]:
        """Return a column of all lines."""
        return self.each[name] if name in self.each else [self.same.get(name)] * self.count

    def values(self, name: str) -> Iterable[Cell]:
        """Return the values that a column has, each at least once."""
        return self.each[name] if name in self.each else (self.same.get(name),)

    def has(self, name: str) -> bool:
        """Tell whether any line says this."""
        return name in self.each or name in self.same

    def agents(self) -> set[str]:
        """Return whose inboxes it is for."""
        return {str(name) for name in self.values("agent")}


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Batch).decode


def packed(piece: Batch) -> bytes:
    """Return a piece as bytes for a spool."""
    return _encode(piece)


def unpacked(octets: bytes) -> Batch:
    """Return a piece from a spool."""
    return _decode(octets)


def piece_of(
    said: PushedColumns, *, first: int, given: EventDefaults, ceilings: Sequence[Ceiling]
) -> Batch:
    """Lay out what checked lines say, with what was given for all, under the ceilings."""
    if given.source not in OPERATOR:
        _name_pusher(said, given)
    piece = Batch(first=first, count=said.count, same={}, each={})
    has_gaps = said.fields < said.count * len(said.columns)
    for name in FIELDS:
        column = said.columns.get(name)
        default: object = getattr(given, name, None)
        if column is None:
            if default is not None:
                piece.same[name] = cast("Cell", default)
            continue
        if has_gaps and default is not None:
            column = [default if cell is None else cell for cell in column]
        _keep(piece, name, column)
    _hold_down(piece, ceilings)
    return piece


def redact(piece: Batch, redactor: Redactor) -> None:
    """Take secrets out of the words of a piece, and out of the octets that are kept beside them."""

    def encoded(cell: str) -> str:
        octets = base64.b64decode(cell)
        clean = redactor.octets(octets)
        return cell if clean is octets else base64.b64encode(clean).decode()

    cleaned: dict[str, Callable[[str], str]] = {
        "text": redactor.text,
        "body": redactor.text,
        "original": encoded,
    }
    for name, clean in cleaned.items():
        if name in piece.same:
            piece.same[name] = clean(str(piece.same[name]))
        elif name in piece.each:
            piece.each[name] = [
                cell if cell is None else clean(str(cell)) for cell in piece.each[name]
            ]


def _name_pusher(said: PushedColumns, given: EventDefaults) -> None:
    """Let lines be of whom they are pushed from, whatever they say of their own origin.

    The sources that a line names are only claimed: they count for its trust beside the pusher, and
    for nothing else. A claim to be the operator's or the program's is none: it would be trusted
    as soon as it is made. Nor could a stranger else take the key of an event that is yet to come.
    """
    pusher, sender = given.source, given.sender
    gap: list[object] = [None] * said.count
    sources, senders = said.columns.get("source"), said.columns.get("sender", gap)
    inherited = said.columns.get("sources", gap)
    named: list[object] = []
    for source, said_by, more in zip(sources or gap, senders, inherited, strict=True):
        own = set(map(claimed, cast("Iterable[str]", more or ())))
        if source not in (None, pusher, *RESERVED):
            own.add(claimed(str(source_name(str(source), cast("str | None", said_by or sender)))))
        if sender is not None and said_by not in (None, sender):
            own.add(str(source_name(pusher, sender)))
        named.append(joined(own) or None)
    if sources is not None:
        said.columns["source"] = [pusher] * said.count
    if any(more is not None for more in named):
        said.columns["sources"] = named


def _keep(piece: Batch, name: str, column: list[object]) -> None:
    """Store a column once for all lines where they share it, else line by line."""
    stored = _STORED.get(name)
    if name not in _OWN and column.count(column[0]) == len(column):
        whole = column[0]
        piece.same[name] = cast("Cell", stored(whole) if stored and whole is not None else whole)
    elif stored:
        piece.each[name] = [None if cell is None else stored(cell) for cell in column]
    else:
        piece.each[name] = cast("list[Cell]", column)


def _hold_down(piece: Batch, ceilings: Sequence[Ceiling]) -> None:
    """Lower what asks for more than its source may, and note what was asked."""
    limits = {source: ceiling_of(str(source), ceilings) for source in set(piece.values("source"))}
    most = max(limits.values(), default=0)
    if min(cast("list[int]", piece.values("priority"))) >= most:
        return
    wanted = cast("list[int]", piece.whole("priority"))
    allowed = [limits[source] for source in piece.whole("source")]
    sides = list(zip(wanted, allowed, strict=True))
    piece.same.pop("priority", None)
    piece.each["priority"] = [max(one, limit) for one, limit in sides]
    piece.each["asked"] = [one if one < limit else None for one, limit in sides]


def bounded(piece: Batch, gone: set[int]) -> set[tuple[str, str]]:
    """Return agent and source of the new lines that the bounds on open events hold for."""
    if gone or min(cast("list[int]", piece.values("priority"))) < LEAST_BOUNDED:
        priorities = cast("list[int]", piece.whole("priority"))
        places = [
            place
            for place, priority in enumerate(priorities)
            if place not in gone and priority >= LEAST_BOUNDED
        ]
        return {(piece.word("agent", place), piece.word("source", place)) for place in places}
    if "agent" in piece.same and "source" in piece.same:
        return {(str(piece.same["agent"]), str(piece.same["source"]))}
    sides = zip(piece.whole("agent"), piece.whole("source"), strict=True)
    return cast("set[tuple[str, str]]", set(sides))


def _stored_time(cell: object) -> Cell:
    """Return a time in the one form that is stored."""
    return normal_instant(cast("str", cell))


def _stored_body(cell: object) -> Cell:
    """Return a body, or a list of sources, as JSON text."""
    return msgspec.json.encode(cell).decode()


def _stored_flag(cell: object) -> Cell:
    """Return a flag as SQLite keeps it."""
    return int(cast("bool", cell))


_STORED = {
    "due": _stored_time,
    "body": _stored_body,
    "lossy": _stored_flag,
    "sources": _stored_body,
}
_OWN = frozenset({"text", "body", "key"})
