"""Lay out a piece of a push as rows: numbers, ids, times, and priorities under their ceilings."""

from collections.abc import Sequence
from itertools import islice
from typing import cast

import msgspec

from mindpipe.core.ports import Cell
from mindpipe.inbox import ids
from mindpipe.inbox.ceilings import ceiling_of
from mindpipe.inbox.receipts import plain_receipts, receipt_lines
from mindpipe.inbox.records import Ceiling, Receipt
from mindpipe.inbox.wire import Columns

LEAST_BOUNDED = 2


class Layout(msgspec.Struct, kw_only=True):
    """A piece of a push as columns of new rows; `first` is the number of the first one."""

    first: int
    columns: Columns

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.columns["seq"])

    def cell(self, name: str, place: int) -> Cell:
        """Return one cell; a column that no row has is None."""
        column = self.columns.get(name)
        return None if column is None else column[place]

    def word(self, name: str, place: int) -> str:
        """Return a cell that is always text."""
        return cast("str", self.cell(name, place))


def lay_out(columns: Columns, *, first: int, stem: str, pushed: str) -> Layout:
    """Add numbers, ids and the time to the columns of a piece."""
    count = len(columns["agent"])
    columns["seq"] = list(range(first, first + count))
    columns["id"] = list(islice(ids.ids(stem, first), count))
    columns["pushed"] = [pushed] * count
    return Layout(first=first, columns=columns)


def hold_down(layout: Layout, ceilings: Sequence[Ceiling]) -> None:
    """Lower what asks for more than its source may, and note what was asked."""
    columns = layout.columns
    sources, priorities = columns["source"], cast("list[int]", columns["priority"])
    limits = {source: ceiling_of(cast("str", source), ceilings) for source in set(sources)}
    most = max(limits.values(), default=0)
    if min(priorities, default=most) >= most:
        return
    asked: list[Cell] = [None] * len(layout)
    for place, (source, priority) in enumerate(zip(sources, priorities, strict=True)):
        if priority < limits[source]:
            asked[place] = priority
            columns["priority"][place] = limits[source]
    columns["asked"] = asked


def bounded(layout: Layout, gone: set[int]) -> set[tuple[str, str]]:
    """Return agent and source of the new rows that the bounds on open events hold for."""
    columns = layout.columns
    sides = zip(columns["agent"], columns["source"], strict=True)
    if not gone and min(cast("list[int]", columns["priority"])) >= LEAST_BOUNDED:
        return cast("set[tuple[str, str]]", set(sides))
    return {
        (cast("str", agent), cast("str", source))
        for place, (agent, source) in enumerate(sides)
        if place not in gone and cast("int", columns["priority"][place]) >= LEAST_BOUNDED
    }


def receipts_of(layout: Layout, known: dict[int, str | None]) -> bytes:
    """Return the receipts of a piece; `known` has the ids of duplicates, None for refused ones."""
    if "key" not in layout.columns and "asked" not in layout.columns:
        return plain_receipts(cast("list[str]", layout.columns["id"]))
    made = [
        _receipt(layout, place, known)
        for place in range(len(layout))
        if known.get(place, "") is not None
    ]
    return receipt_lines(made)


def _receipt(layout: Layout, place: int, known: dict[int, str | None]) -> Receipt:
    """Return one receipt."""
    event_id = known.get(place) or layout.word("id", place)
    lowered = place not in known and layout.cell("asked", place) is not None
    return Receipt(
        id=event_id,
        key=cast("str | None", layout.cell("key", place)) or event_id,
        duplicate=place in known,
        lowered=cast("int", layout.cell("priority", place)) if lowered else None,
    )
