"""The Store port over one SQLite file."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import apsw
import msgspec

from mindpipe.core.errors import MindError
from mindpipe.core.ports import Cell, Rows
from mindpipe.store.connection import sqlite_errors

T = TypeVar("T")
_PLAIN = (int, str, float, bytes, bool)


class SqliteRows:
    """Run SQL inside the transaction that is open on one connection."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def run(self, sql: str, values: Mapping[str, Cell] | None = None) -> int:
        """Run one statement and return how many rows it changed."""
        self._connection.execute(sql, values)
        return self._connection.changes()

    def run_many(self, sql: str, values: Iterable[Sequence[Cell]]) -> None:
        """Run one statement once per sequence of positional parameters."""
        self._connection.executemany(sql, values)

    def all(self, into: type[T], sql: str, values: Mapping[str, Cell] | None = None) -> list[T]:
        """Return every row as `into`."""
        return list(self.each(into, sql, values))

    def one(self, into: type[T], sql: str, values: Mapping[str, Cell] | None = None) -> T | None:
        """Return the first row as `into`, or None."""
        return next(self.each(into, sql, values), None)

    def value(self, into: type[T], sql: str, values: Mapping[str, Cell] | None = None) -> T | None:
        """Return the first column of the first row, or None."""
        row = self._connection.execute(sql, values).fetchone()
        if row is None or row[0] is None:
            return None
        return msgspec.convert(row[0], into, strict=False)

    def each(
        self, into: type[T], sql: str, values: Mapping[str, Cell] | None = None
    ) -> Iterator[T]:
        """Yield rows as `into` while they are read."""
        cursor = self._connection.execute(sql, values)
        names: tuple[str, ...] | None = None
        for row in cursor:
            if into in _PLAIN:
                yield msgspec.convert(row[0], into, strict=False)
                continue
            if names is None:
                names = tuple(column[0] for column in cursor.get_description())
            yield msgspec.convert(dict(zip(names, row, strict=True)), into, strict=False)


class SqliteStore:
    """One open SQLite file; one instance belongs to one thread.

    `refusal` is raised for every transaction that may write.
    """

    def __init__(
        self, connection: apsw.Connection, path: Path, *, refusal: MindError | None = None
    ) -> None:
        self._connection = connection
        self._rows = SqliteRows(connection)
        self._refusal = refusal
        self.path = path

    @property
    def identity(self) -> str:
        """Return the id given at `mind init`."""
        with self.read() as rows:
            return rows.value(str, "SELECT id FROM store") or ""

    @contextlib.contextmanager
    def write(self) -> Iterator[Rows]:
        """Open, or join, a transaction that may write."""
        if self._refusal is not None:
            raise self._refusal
        with self._transaction("BEGIN IMMEDIATE") as rows:
            yield rows

    @contextlib.contextmanager
    def read(self) -> Iterator[Rows]:
        """Open, or join, a transaction that sees one consistent state."""
        with self._transaction("BEGIN") as rows:
            yield rows

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[Rows]:
        """Join the open transaction, or hold one from `begin` to commit or rollback."""
        if self._connection.in_transaction:
            with sqlite_errors(self.path):
                yield self._rows
            return
        with sqlite_errors(self.path):
            self._connection.execute(begin)
            try:
                yield self._rows
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def refuse(self, refusal: MindError) -> None:
        """Let nothing be written through this connection from now on, not even as it closes."""
        self._refusal = refusal
        self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    @property
    def connection(self) -> apsw.Connection:
        """Return the open connection, for the store's own commands."""
        return self._connection

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
