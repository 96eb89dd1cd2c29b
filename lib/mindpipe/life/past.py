"""The rows of a life as they were: those of now, with all later changes taken back."""

import heapq
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, cast

import msgspec

from mindpipe.core.ports import Row
from mindpipe.store.changes import UNDO, Columns, Key, RowsUndone, Undo, Values, left_by_rewind

FOREKNOWN = "recorded_answer"
"""What a fork has of another life: it has that also where it is as before it was a fork."""


class _Earlier(NamedTuple):
    """What a row was: the values that it had in some columns, or in all of a row now gone."""

    values: Values
    gone: bool = False


class Past:
    """What rows were before some changes, of which the oldest are given first.

    That a message is added is no change: of those that rewinds took away, the ones that came after
    the first of these were not there. `last_said` is the number of the last one that may have been.
    """

    def __init__(self, undone: Iterable[str]) -> None:
        # None for a row that was not there.
        self._rows: dict[str, dict[Key, _Earlier | None]] = {}
        self.last_said: int | None = None
        for undo in undone:
            for table, of in UNDO.decode(undo).items():
                if table == "message" and self.last_said is None:
                    self.last_said = max(_taken_away(of), default=None)
                if table == FOREKNOWN:
                    of = foreknown(of)
                self._take(self._rows.setdefault(table, {}), of)

    def _take(self, known: dict[Key, _Earlier | None], later: RowsUndone) -> None:
        """Add what a later transaction knows; what an earlier one said of a row counts."""
        for key in later.made:
            known.setdefault(key, None)
        for key, values in later.changed:
            earlier = known.setdefault(key, _Earlier({}))
            if earlier is not None and not earlier.gone:
                known[key] = _Earlier({**values, **earlier.values})
        for key, values in later.gone:
            earlier = known.setdefault(key, _Earlier({}))
            if earlier is not None and not earlier.gone:
                known[key] = _Earlier({**values, **earlier.values}, gone=True)

    def first_made(self) -> dict[str, int]:
        """Return the lowest number that a row got that was made since, by table.

        Only tables that count their rows, each with a higher number than all before, are in it.
        """
        made = {
            table: [key[0] for key, one in known.items() if one is None and len(key) == 1]
            for table, known in self._rows.items()
        }
        numbers = {
            table: [one for one in found if isinstance(one, int)] for table, found in made.items()
        }
        return {table: min(found) for table, found in numbers.items() if found}

    def undo(self, *, stays: Collection[str]) -> Undo:
        """Return what takes the changes back; in some tables what is gone stays so."""
        return {
            table: RowsUndone(
                # What is gone may have been made again.
                made=[key for key, one in known.items() if one is None or one.gone],
                changed=[
                    (key, one.values)
                    for key, one in known.items()
                    if one is not None and not one.gone
                ],
                gone=[
                    (key, one.values)
                    for key, one in known.items()
                    if one is not None and one.gone and table not in stays
                ],
            )
            for table, known in self._rows.items()
        }

    def rows(
        self, table: str, columns: Columns, now: Iterable[Row], *, revive: bool = True
    ) -> Iterator[Row]:
        """Yield the rows of a table as they were, in the order of its key, as those of now are.

        Without `revive` those that are gone stay so.
        """
        known = self._rows.get(table)
        if not known:
            yield from now
            return
        places = [columns.all.index(name) for name in columns.key]

        def key_of(row: Row) -> Key:
            return cast("Key", tuple(row[place] for place in places))

        def is_gone(one: _Earlier) -> bool:
            # What a rewind left under another name is there, but not among the rows of now.
            return one.gone or (revive and len(one.values) == len(columns.all))

        def kept() -> Iterator[Row]:
            for row in now:
                key = key_of(row)
                earlier = known.get(key, _NOTHING)
                if earlier is not None and not is_gone(earlier):
                    yield _with(columns, row, earlier.values)

        gone = [
            tuple(one.values[name] for name in columns.all)
            for one in known.values()
            if revive and one is not None and is_gone(one)
        ]
        yield from heapq.merge(kept(), sorted(gone, key=key_of), key=key_of)


def foreknown(of: RowsUndone) -> RowsUndone:
    """Return what takes back which answers of another life were given, but not that they came."""
    return msgspec.structs.replace(of, made=[])


def _taken_away(messages: RowsUndone) -> Iterator[int]:
    """Yield the numbers of what a rewind took away, also where a row keeps the number for it."""
    for key, _ in messages.gone:
        yield int(str(key[0]))
    for key, values in messages.changed:
        # What it puts back was until then under a name with the number of an earlier one.
        if not left_by_rewind(str(values["agent"])):
            yield int(str(key[0]))


_NOTHING = _Earlier({})


def _with(columns: Columns, row: Row, values: Values) -> Row:
    """Return a row with other values in some columns."""
    if not values:
        return row
    return tuple(values.get(name, cell) for name, cell in zip(columns.all, row, strict=True))
