"""One SQLite file as a Store: its connection, transactions and rows."""

import contextlib
import errno
import functools
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import apsw

from mindpipe.core.errors import (
    DamagedError,
    InputOutputError,
    MindError,
    StoreBusyError,
    UnavailableError,
    UnfitRowError,
)
from mindpipe.core.ports import Cell, Given, Row, Sql
from mindpipe.store import media, place
from mindpipe.store.changes import columns_of, listed
from mindpipe.store.changesets import SessionHearing
from mindpipe.store.checksums import begin_checksums, checksum_vfs, have_checksums
from mindpipe.store.engine import EngineStore
from mindpipe.store.holding import Holding
from mindpipe.store.move_mark import AWAY, TABLE, require_here
from mindpipe.store.rows import Cursor, EngineRows
from mindpipe.store.statements import sqlite_text, sqlite_values

BUSY_MILLISECONDS = 30_000
# A cycle runs more different statements than are kept by default; each would be compiled anew.
_STATEMENTS = 1000
_PRAGMAS = (
    "PRAGMA journal_mode=WAL;"
    "PRAGMA synchronous=FULL;"
    "PRAGMA fullfsync=ON;"
    "PRAGMA checkpoint_fullfsync=ON;"
    "PRAGMA foreign_keys=ON;"
    # Else REPLACE would delete rows past the triggers that keep them.
    "PRAGMA recursive_triggers=ON;"
    "PRAGMA trusted_schema=OFF;"
    "PRAGMA cell_size_check=ON;"
    "PRAGMA journal_size_limit=67108864;"
    "PRAGMA mmap_size=0;"
)
# Lines of SQLite that carry the fix of the WAL-reset bug, as (first, below).
_SOUND_VERSIONS = (
    ((3, 44, 6), (3, 45, 0)),
    ((3, 50, 7), (3, 51, 0)),
    ((3, 51, 3), (3, 52, 0)),
    ((3, 52, 1), (99, 0, 0)),
)


def version_is_sound(version: str) -> bool:
    """Tell whether this SQLite version is free of the WAL-reset bug."""
    numbers = tuple(int(number) for number in version.split("."))
    return any(first <= numbers < below for first, below in _SOUND_VERSIONS)


def connect(
    path: Path, *, create: bool = False, read_only: bool = False, page_checksums: bool = False
) -> apsw.Connection:
    """Open the file with the settings every store has; a new one may get page checksums.

    On media that cannot be written it is read as it is.

    Raises:
        UnavailableError: this SQLite version would lose data.
        DamagedError: the file is damaged or no database.
        RefusedError: it has several names, and would be written under one of them.
        StoreBusyError: it stayed locked for 30 s.
    """
    version = apsw.sqlite_lib_version()
    if not version_is_sound(version):
        raise UnavailableError(
            f"SQLite {version} can lose committed pages; install apsw 3.51.3 or newer."
        )
    if not (create or read_only) and (several := place.several_names(path)) is not None:
        raise several
    frozen = not create and media.is_read_only(path)
    read_only = read_only or frozen
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    if create:
        flags |= apsw.SQLITE_OPEN_CREATE
    if frozen:
        flags |= apsw.SQLITE_OPEN_URI
    with sqlite_errors(path):
        summed = page_checksums or have_checksums(path)
        vfs = checksum_vfs() if summed else None
        connection = apsw.Connection(
            media.frozen_uri(path) if frozen else str(path),
            flags=flags,
            vfs=vfs,
            statementcachesize=_STATEMENTS,
        )
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
        if page_checksums:
            begin_checksums(connection)
        if not read_only:
            # One that gives a row stops here until it is read, and the next ones would never run.
            connection.execute(_PRAGMAS).fetchall()
    return connection


@contextlib.contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours, each with what to try."""
    try:
        yield
    except (apsw.Error, OSError) as error:
        raise_ours(path, error)
        raise


def close_whole(connection: apsw.Connection, path: Path) -> None:
    """Close a file that is to be moved: all of its log must be in it, which closing may not tell.

    Raises:
        InputOutputError: there is no space for it.
    """
    with sqlite_errors(path):
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()


def raise_ours(path: Path, error: BaseException) -> None:
    """Raise our error for one of SQLite's or of a full disk; return where it is neither."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            raise StoreBusyError("the store is busy. Try again.") from None
        case apsw.FullError():
            raise _no_space(path) from None
        case OSError() if error.errno == errno.ENOSPC:
            raise _no_space(path) from None
        case apsw.CorruptError() | apsw.NotADBError():
            raise DamagedError(
                f"{path.name} fails its check ({error}). Run mind store recover.", store=path
            ) from None
        case apsw.IOError() | apsw.ReadOnlyError():
            raise _unreadable(path, error) from None
        case apsw.CantOpenError():
            raise place.no_store(path) from None
        case apsw.ConnectionClosedError():
            raise UnavailableError(f"{path} is closed; open it again.") from error
        case apsw.ConstraintError() | apsw.MismatchError():
            raise UnfitRowError(f"the store refused a row: {error}") from error
        case _:
            return


def _unreadable(path: Path, error: apsw.Error) -> InputOutputError:
    """Return our error for a file that could not be read or written."""
    code = getattr(error, "extendedresult", 0)
    if code == apsw.SQLITE_IOERR_SHMSIZE:
        return _no_space(path)
    if code == apsw.SQLITE_IOERR_DATA:
        words = f"{path.name} fails its check (the checksum of a page)"
        return DamagedError(f"{words}. Run mind store recover.", store=path)
    folder = path.absolute().parent
    if isinstance(error, apsw.ReadOnlyError) and not os.access(folder, os.W_OK):
        return InputOutputError(
            f"{path.name} cannot be opened: SQLite keeps files beside it, and {folder} cannot be "
            "written. Copy it into a folder of your own, and work there."
        )
    return InputOutputError(f"{path.name} cannot be read or written: {error}")


def _no_space(path: Path) -> InputOutputError:
    """Give the reserve back to the full disk and return the error that says so."""
    place.release(path)
    return InputOutputError("no space left. Nothing of the last transaction was kept.")


class SqliteRows(EngineRows):
    """Rows of one file."""

    def __init__(self, connection: apsw.Connection) -> None:
        super().__init__()
        self._connection = connection

    def _query(self, sql: Sql, values: Mapping[str, Given] | None) -> apsw.Cursor:
        """Run one statement that gives rows."""
        return self._connection.execute(sqlite_text(sql), values and sqlite_values(values))

    def _names(self, cursor: Cursor) -> tuple[str, ...]:
        """Return the names of the columns; SQLite knows them only while a row is there."""
        return tuple([column[0] for column in cast("apsw.Cursor", cursor).get_description()])

    def _change(self, sql: Sql, values: Mapping[str, Given] | None) -> int:
        """Run one statement and return how many rows it changed."""
        self._connection.execute(sqlite_text(sql), values and sqlite_values(values))
        return self._connection.changes()

    def _change_many(self, sql: Sql, values: Iterable[Sequence[Cell]]) -> None:
        """Run one statement once per sequence of positional parameters."""
        self._connection.executemany(sqlite_text(sql), values)


_Require = Callable[[], None]
_HAS_TABLE = "SELECT 1 FROM sqlite_schema WHERE name = ?"


def _nothing() -> None:
    """Require nothing."""


class _FileSteps:
    """How a transaction of a file begins and ends."""

    def __init__(self, connection: apsw.Connection, begin: str, require: _Require) -> None:
        self._connection = connection
        self._begin = begin
        self._require = require
        self._changed = 0

    def begin(self, asked: Sequence[str], began: Callable[[], None]) -> None:
        """Begin it, where the store is here; a file needs not be asked together."""
        self._connection.execute(self._begin)
        self._require()
        self._changed = self._connection.total_changes()
        began()

    def ends(self, *, is_logged: bool) -> None:
        """Do nothing: a commit whose answer was cut off ends with its process."""

    def commit(self) -> bool:
        """Commit it, and tell whether it changed something."""
        self._connection.execute("COMMIT")
        return self._connection.total_changes() != self._changed

    def tell(self, agents: Sequence[str]) -> None:
        """Say nothing: whoever waits watches the file."""

    def roll_back(self) -> None:
        """Take back what it did, if it is open still."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class SqliteStore(EngineStore):
    """One open SQLite file."""

    def __init__(
        self, connection: apsw.Connection, path: Path, *, refusal: MindError | None = None
    ) -> None:
        rows = SqliteRows(connection)
        # What is in memory ends with the process, and nobody asks what it was before.
        is_file = str(path) != ":memory:"
        super().__init__(
            rows, SessionHearing(connection, rows) if is_file else None, refusal=refusal
        )
        self._connection = connection
        self.path = path

    @property
    def where(self) -> Path:
        """Return its path."""
        return self.path

    def stamp(self) -> str:
        """Return words that differ once another connection has committed something."""
        return str(self._connection.pragma("data_version"))

    @contextlib.contextmanager
    def unguarded(self) -> Iterator[None]:
        """Let no trigger refuse what becomes of rows that only ever stay."""
        self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        try:
            yield
        finally:
            self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)

    def rows_behind(self, table: str, key: Row | None) -> Generator[Row]:
        """Yield the rows of a table in the order of its key, from behind one on, as they come."""
        columns = columns_of(self._rows, table)
        keys = listed(columns.key)
        behind = f" WHERE ({keys}) > ({', '.join('?' * len(key))})" if key else ""
        asked = f'SELECT {listed(columns.all)} FROM "{table}"{behind} ORDER BY {keys}'
        yield from self._connection.execute(asked, key)

    def take_rows(self, table: str, rows: Iterable[Row]) -> None:
        """Put rows into a table as they are; no trigger refuses them."""
        names = columns_of(self._rows, table).all
        marks = ", ".join("?" * len(names))
        with self.unguarded():
            # One row may name another of its table that comes later.
            self._connection.execute("PRAGMA defer_foreign_keys = ON")
            self._connection.executemany(
                f'INSERT INTO "{table}"({listed(names)}) VALUES({marks})', rows
            )

    def write_anew(self) -> None:
        """Write the file anew, so that nothing is left in it of what was changed or taken away."""
        with sqlite_errors(self.path):
            self._connection.execute("VACUUM")
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def raise_ours(self, error: BaseException) -> None:
        """Raise our error for one of SQLite's; return where it is none."""
        raise_ours(self.path, error)

    def _is_under_way(self) -> bool:
        """Tell whether a transaction is open."""
        with sqlite_errors(self.path):
            return self._connection.in_transaction

    def steps(self, held: Holding | None) -> _FileSteps:
        """Return how a transaction begins and ends."""
        begin = "BEGIN" if held is None else "BEGIN IMMEDIATE"
        require = _nothing if held is None or held.moves else self._require_here
        return _FileSteps(self._connection, begin, require)

    def _require_here(self) -> None:
        """Require that the store has not moved since it was opened."""
        if self._may_move:
            require_here(self._connection.execute(AWAY).fetchone(), self.path)

    @functools.cached_property
    def _may_move(self) -> bool:
        """Tell whether its schema knows moves, which an older one does not."""
        return self._connection.execute(_HAS_TABLE, (TABLE,)).fetchone() is not None

    def refuse(self, refusal: MindError) -> None:
        """Let nothing be written through this connection from now on, not even as it closes."""
        super().refuse(refusal)
        self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    @property
    def connection(self) -> apsw.Connection:
        """Return the open connection, for the store's own commands."""
        return self._connection

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
