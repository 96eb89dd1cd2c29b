"""A piece of a push as columns: cells that all lines share once, the others line by line."""

from collections.abc import Iterable, Sequence
from typing import cast

import msgspec

from mindpipe.core.instants import normal_instant
from mindpipe.core.sources import OPERATOR, RESERVED, joined, source_name
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
    stranger = None if given.source in OPERATOR else given.source
    if stranger is not None:
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
    _hold_down(piece, ceilings, pusher=stranger)
    return piece


def _name_pusher(said: PushedColumns, given: EventDefaults) -> None:
    """Let lines that name another source or sender than they are pushed from be of both.

    Those that claim to be the operator's or the program's are the pusher's alone: what a stranger
    sends would else be trusted as soon as it says so, and could take the key of an event that is
    yet to come.
    """
    pusher, sender = given.source, given.sender
    sources, senders = said.columns.get("source"), said.columns.get("sender")
    if sources is not None:
        sources = [pusher if source in RESERVED else source for source in sources]
        said.columns["source"] = sources
    if sources is None and (senders is None or sender is None):
        return
    whole = source_name(pusher, sender)
    inherited = said.columns.get("sources") or [None] * said.count
    named = [
        more
        if source in (None, pusher) and (sender is None or said_by in (None, sender))
        else joined(cast("Iterable[str]", more or ()), (str(whole),))
        for source, said_by, more in zip(
            sources or [None] * said.count, senders or [None] * said.count, inherited, strict=True
        )
    ]
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


def _hold_down(piece: Batch, ceilings: Sequence[Ceiling], *, pusher: str | None) -> None:
    """Lower what asks for more than its source and its pusher may, and note what was asked."""
    least = 0 if pusher is None else ceiling_of(pusher, ceilings)
    limits = {
        source: max(least, ceiling_of(str(source), ceilings))
        for source in set(piece.values("source"))
    }
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
