"""What a transaction changes on a server, as the tables' triggers hear it."""

from collections.abc import Callable
from typing import NamedTuple, cast

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.store.changes import Columns, Key, RowHeard, Values, columns_of

FORGET = "DELETE FROM heard WHERE xact = pg_current_xact_id_if_assigned()"
"""Removes what the triggers, which listen always, wrote down of the open transaction."""
_HEARD = f"{FORGET} RETURNING number, of_table, old, new"
_READ = msgspec.json.Decoder(Values).decode


class _Trigger(NamedTuple):
    """What a trigger wrote down of one row."""

    number: int
    table: str
    old: str | None
    new: str | None


class _Course(NamedTuple):
    """A row as it was at first and as it is at last; None where it was, or is, not there."""

    first: Values | None
    last: Values | None


class TriggerHearing:
    """Hear of the changes of one transaction; the triggers listen always."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._is_heard: Callable[[str], bool] | None = None

    def begin(self, is_heard: Callable[[str], bool]) -> None:
        """Listen from here on to the tables that are to be heard.

        To what is only ever added the triggers listen where it is told that a life goes back.
        """
        self._is_heard = is_heard
        if is_heard("message"):
            self._rows.run("SET LOCAL mindpipe.rewound = on")

    def forget(self) -> None:
        """Stop listening."""
        self._is_heard = None

    def heard(self) -> list[RowHeard]:
        """Stop listening, and return what became of the rows."""
        is_heard, self._is_heard = self._is_heard, None
        if is_heard is None:
            return []
        written = [_Trigger(*row) for row in self._rows.each(tuple, _HEARD)]
        courses: dict[tuple[str, Key], _Course] = {}
        for one in sorted(written):
            if not is_heard(one.table):
                continue
            columns = columns_of(self._rows, one.table)
            old, new = self._cells(one.table, one.old), self._cells(one.table, one.new)
            for cells in _apart(columns, old, new):
                keyed = next(it for it in cells if it is not None)
                key = tuple(keyed[name] for name in columns.key)
                before = courses.get((one.table, key), _Course(cells.first, None))
                courses[one.table, key] = _Course(before.first, cells.last)
        found = [
            RowHeard(table, columns_of(self._rows, table), *of)
            for (table, key), course in courses.items()
            if (of := _net(columns_of(self._rows, table), key, course)) is not None
        ]
        return sorted(found, key=lambda one: one.table)

    def _cells(self, table: str, written: str | None) -> Values | None:
        """Return the stored cells of a row that a trigger wrote down; a fraction is a float."""
        if written is None:
            return None
        cells, columns = _READ(written), columns_of(self._rows, table)
        return {
            name: float(cast("float", cells[name]))
            if name in columns.fractions and cells[name] is not None
            else cells[name]
            for name in columns.all
        }


def _apart(columns: Columns, old: Values | None, new: Values | None) -> list[_Course]:
    """Return a change of a row, or of two where its key changed: one went, and another came."""
    if old is None or new is None or all(old[name] == new[name] for name in columns.key):
        return [_Course(old, new)]
    return [_Course(old, None), _Course(None, new)]


def _net(columns: Columns, key: Key, course: _Course) -> tuple[str, Key, Values, Values] | None:
    """Return what became of a row between begin and end, or None where it is as it was."""
    first, last = course
    if first is None:
        return None if last is None else ("INSERT", key, {}, last)
    if last is None:
        return "DELETE", key, first, {}
    changed = [name for name in columns.all if first[name] != last[name]]
    # Whose it is, too, so that nobody has to ask.
    told = (*columns.key, *changed, *(("agent",) if "agent" in columns.all else ()))
    old = {name: first[name] for name in told}
    return ("UPDATE", key, old, {name: last[name] for name in changed}) if changed else None
