"""Rows of a server: its values as the tables mean them, and SQL in the open transaction."""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

import psycopg
from psycopg import RawCursor, postgres
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper, Loader

from mindpipe.core.ports import Cell, Given, HeldKind, Row, Sql
from mindpipe.store.rows import Cursor, EngineRows
from mindpipe.store.statements import postgres_text

Connection = psycopg.Connection[Row]
_WHOLE = postgres.types["int8"].oid
_AT_ONCE = 500
_BY_STATEMENTS = frozenset({"blob", "row"})
"""What the statements hold themselves that insert or change it."""


class _Whole(Dumper):
    """Gives whole numbers and truths as columns keep them: of one type, whatever their size."""

    oid = _WHOLE

    def dump(self, obj: int) -> bytes:
        """Return the digits."""
        return b"%d" % obj

    def quote(self, obj: int) -> bytes:
        """Return the digits as a statement takes them that takes no parameters."""
        return b" %d" % obj


class _Truth(Loader):
    """Takes a condition as SQLite gives it: 1 or 0."""

    def load(self, data: Buffer) -> int:
        """Return 1 or 0."""
        return int(bytes(data) == b"t")


class _Number(Loader):
    """Takes a sum of whole numbers as a whole one, and any other as a float."""

    def load(self, data: Buffer) -> int | float:
        """Return the number."""
        digits = bytes(data).decode()
        return int(digits) if digits.lstrip("-").isdigit() else float(digits)


def adapters() -> AdaptersMap:
    """Return how values go to a server and come from it: as they do with SQLite."""
    found = AdaptersMap(psycopg.adapters)
    for kind in (int, bool):
        found.register_dumper(kind, _Whole)
    found.register_loader("bool", _Truth)
    found.register_loader("numeric", _Number)
    return found


class PostgresRows(EngineRows):
    """Rows of one schema of a server.

    `connected` gives the connection of the transaction, `lock_of` the number of a lock.
    """

    def __init__(
        self, connected: Callable[[], Connection], lock_of: Callable[[HeldKind, str], int]
    ) -> None:
        super().__init__()
        self._connected = connected
        self._lock_of = lock_of

    def _query(self, sql: Sql, values: Mapping[str, Given] | None) -> RawCursor[Row]:
        """Run one statement that gives rows."""
        text, names = postgres_text(sql)
        cursor = RawCursor(self._connected())
        # A statement that is given nothing is not to be taken for several.
        given = [values[name] for name in names] if values else []
        return cursor.execute(text, given)

    def _names(self, cursor: Cursor) -> tuple[str, ...]:
        """Return the names of the columns."""
        described = cast("RawCursor[Row]", cursor).description or ()
        return tuple([column.name for column in described])

    def _change(self, sql: Sql, values: Mapping[str, Given] | None) -> int:
        """Run one statement and return how many rows it changed."""
        return max(self._query(sql, values).rowcount, 0)

    def _change_many(self, sql: Sql, values: Iterable[Sequence[Cell]]) -> None:
        """Run one statement once per sequence of positional parameters."""
        text, _ = postgres_text(sql)
        rest = iter(values)
        # What yields them may itself ask the server, which hears one thing at a time.
        while given := list(itertools.islice(rest, _AT_ONCE)):
            RawCursor(self._connected()).executemany(text, given)

    def _lock(self, kind: HeldKind, names: Sequence[str]) -> bool:
        """Keep other writers from these, in this order; another may have been there until now."""
        if kind in _BY_STATEMENTS:
            return False
        asked = (f"SELECT pg_advisory_xact_lock({self._lock_of(kind, name)})" for name in names)
        self._connected().execute("; ".join(asked).encode())
        return True
