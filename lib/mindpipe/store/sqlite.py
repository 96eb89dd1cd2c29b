"""The Store port over one SQLite file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TypeVar, cast

import apsw
import msgspec

from mindpipe.core.errors import MindError
from mindpipe.core.ports import Cell, Row, Rows
from mindpipe.core.records import Record
from mindpipe.store.connection import raise_ours

T = TypeVar("T")
_PLAIN = (int, str, float, bytes, bool)
_TEXTS = (str, bytes)
_MOST_KNOWN, _MOST_ROWS, _LONGEST = 100, 10, 20_000
_VERSION = "PRAGMA data_version"


class SqliteRows:
    """Run SQL inside the transaction that is open on one connection.

    What was read is known until something is written, here or elsewhere: the steps of a cycle ask
    much of the same again. Only short answers are kept, and only such as nobody can change.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[object, ...], tuple[object, ...]] = {}
        self._state: tuple[object, int] | None = None

    def begin(self) -> None:
        """Forget what was read, if anything was written before the transaction that is open."""
        version = self._connection.execute(_VERSION).fetchone()
        state = (version, self._connection.total_changes())
        if state != self._state:
            self._known.clear()
            self._state = state

    def forget(self) -> None:
        """Forget what was read."""
        self._known.clear()
        self._state = None

    def run(self, sql: str, values: Mapping[str, Cell] | None = None) -> int:
        """Run one statement and return how many rows it changed."""
        self.forget()
        self._connection.execute(sql, values)
        return self._connection.changes()

    def run_many(self, sql: str, values: Iterable[Sequence[Cell]]) -> None:
        """Run one statement once per sequence of positional parameters."""
        self.forget()
        self._connection.executemany(sql, values)

    def all(self, into: type[T], sql: str, values: Mapping[str, Cell] | None = None) -> list[T]:
        """Return every row as `into`."""
        return list(self._answer(into, sql, values, whole=True))

    def one(self, into: type[T], sql: str, values: Mapping[str, Cell] | None = None) -> T | None:
        """Return the first row as `into`, or None."""
        found = self._answer(into, sql, values, whole=False)
        return found[0] if found else None

    def value(self, into: type[T], sql: str, values: Mapping[str, Cell] | None = None) -> T | None:
        """Return the first column of the first row, or None."""
        row = self._connection.execute(sql, values).fetchone()
        if row is None or row[0] is None:
            return None
        return _plain(row[0], into)

    def each(
        self, into: type[T], sql: str, values: Mapping[str, Cell] | None = None
    ) -> Iterator[T]:
        """Yield rows as `into` while they are read."""
        cursor = self._connection.execute(sql, values)
        names: tuple[str, ...] | None = None
        for row in cursor:
            if into in _PLAIN:
                yield _plain(row[0], into)
                continue
            if names is None:
                names = tuple(column[0] for column in cursor.get_description())
            yield msgspec.convert(dict(zip(names, row, strict=True)), into, strict=False)

    def _answer(
        self, into: type[T], sql: str, values: Mapping[str, Cell] | None, *, whole: bool
    ) -> tuple[T, ...]:
        """Return every row, or the first, as it is known or as it is read."""
        key = (into, sql, whole, *(values.items() if values else ()))
        known = self._known.get(key)
        if known is not None:
            return cast("tuple[T, ...]", known)
        cursor = self._connection.execute(sql, values)
        row = cursor.fetchone()
        if row is None:
            found: tuple[T, ...] = ()
            rows: Sequence[Row] = ()
        else:
            names = tuple([column[0] for column in cursor.get_description()])
            rows = [row, *cursor.fetchall()] if whole else [row]
            found = tuple(_records(into, names, rows))
        if _is_kept(into, rows):
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = found
        return found


def _records(into: type[T], names: tuple[str, ...], rows: Sequence[Row]) -> Iterator[T]:
    """Yield rows as records, or their first cells."""
    if into in _PLAIN:
        yield from (_plain(row[0], into) for row in rows)
        return
    convert = msgspec.convert
    for row in rows:
        yield convert(dict(zip(names, row, strict=True)), into, strict=False)


def _plain(value: Cell, into: type[T]) -> T:
    """Return what stands in a cell, which mostly is there as it is wanted."""
    return value if type(value) is into else msgspec.convert(value, into, strict=False)


def _is_record(into: type[object]) -> bool:
    """Tell whether a type is that of a record, which is frozen; dict[str, int] is no type."""
    return isinstance(into, type) and issubclass(into, Record)


def _is_kept(into: type[object], rows: Sequence[Row]) -> bool:
    """Tell whether an answer is short, and of values that nobody can change."""
    if len(rows) > _MOST_ROWS or not (into in _PLAIN or _is_record(into)):
        return False
    for row in rows:
        for cell in row:
            if isinstance(cell, _TEXTS) and len(cell) > _LONGEST:
                return False
    return True


class _Joined:
    """A block in a transaction that is open already."""

    def __init__(self, rows: SqliteRows, path: Path) -> None:
        self._rows = rows
        self._path = path

    def __enter__(self) -> Rows:
        """Give what runs SQL."""
        return self._rows

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave commit and rollback to the block that began."""
        if error is not None:
            raise_ours(self._path, error)


class _Transaction:
    """A block that is a transaction, from `begin` to commit or rollback."""

    def __init__(
        self, connection: apsw.Connection, rows: SqliteRows, path: Path, begin: str
    ) -> None:
        self._connection = connection
        self._rows = rows
        self._path = path
        self._begin = begin

    def __enter__(self) -> Rows:
        """Begin, and give what runs SQL."""
        try:
            self._connection.execute(self._begin)
            self._rows.begin()
        except BaseException as error:
            self._end(error)
            raise
        return self._rows

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Commit, or roll back what an error ended."""
        if error is not None:
            self._end(error)
            return
        try:
            self._connection.execute("COMMIT")
        except BaseException as fault:
            self._end(fault)
            raise

    def _end(self, error: BaseException) -> None:
        """Roll back, and raise an error of SQLite in our words."""
        self._rows.forget()
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except apsw.Error as fault:
            raise_ours(self._path, fault)
            raise
        raise_ours(self._path, error)


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

    def write(self) -> AbstractContextManager[Rows]:
        """Open, or join, a transaction that may write."""
        if self._refusal is not None:
            raise self._refusal
        return self._transaction("BEGIN IMMEDIATE")

    def read(self) -> AbstractContextManager[Rows]:
        """Open, or join, a transaction that sees one consistent state."""
        return self._transaction("BEGIN")

    def _transaction(self, begin: str) -> AbstractContextManager[Rows]:
        """Join the open transaction, or hold one from `begin` to commit or rollback."""
        if self._connection.in_transaction:
            return _Joined(self._rows, self.path)
        return _Transaction(self._connection, self._rows, self.path, begin)

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
