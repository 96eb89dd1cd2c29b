"""What a transaction changes in a file, as SQLite's sessions hear it."""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import cast

import apsw

from mindpipe.core.ports import Rows
from mindpipe.store.changes import Columns, Plain, RowHeard, Values, columns_of

_KEPT = "SELECT name FROM sqlite_schema WHERE name = 'change'"


def rows_heard(rows: Rows, changeset: bytes) -> Iterator[RowHeard]:
    """Yield what became of each row in a changeset."""
    for change in apsw.Changeset.iter(changeset):
        columns = columns_of(rows, change.name)
        old, new = _cells(columns, change.old), _cells(columns, change.new)
        key = tuple({**new, **old}[name] for name in columns.key)
        yield RowHeard(change.name, columns, change.op, key, old, new)


def _cells(columns: Columns, cells: Sequence[object] | None) -> Values:
    """Return the cells that are given, by column."""
    given = zip(columns.all, cells or (), strict=False)
    return {name: cast("Plain", cell) for name, cell in given if cell is not apsw.no_change}


class SessionHearing:
    """Hear of the changes of one connection to a file."""

    def __init__(self, connection: apsw.Connection, rows: Rows) -> None:
        self._connection = connection
        self._rows = rows
        self._session: apsw.Session | None = None

    def begin(self, is_heard: Callable[[str], bool]) -> None:
        """Listen from here on to the tables that are to be heard, where there is a log."""
        if not self._is_kept:
            return
        self._session = apsw.Session(self._connection, "main")
        self._session.table_filter(is_heard)
        self._session.attach()

    @functools.cached_property
    def _is_kept(self) -> bool:
        """Tell whether the store has a log, as one of an older schema has not."""
        return self._rows.value(str, _KEPT) is not None

    def forget(self) -> None:
        """Stop listening."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def heard(self) -> list[RowHeard]:
        """Stop listening, and return what became of the rows."""
        if self._session is None:
            return []
        changeset = self._session.changeset()
        self.forget()
        return list(rows_heard(self._rows, changeset)) if changeset else []
