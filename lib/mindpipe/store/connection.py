"""Open one SQLite file for mindpipe: version, settings, and errors in our words."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

import apsw

from mindpipe.core.errors import (
    DamagedError,
    InputOutputError,
    MindError,
    StoreBusyError,
    UnavailableError,
)
from mindpipe.store import reserve
from mindpipe.store.checksums import begin_checksums, checksum_vfs, have_checksums

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

    Raises:
        UnavailableError: this SQLite version would lose data.
        DamagedError: the file is damaged or no database.
        StoreBusyError: it stayed locked for 30 s.
    """
    version = apsw.sqlite_lib_version()
    if not version_is_sound(version):
        raise UnavailableError(
            f"SQLite {version} can lose committed pages; install apsw 3.51.3 or newer."
        )
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    if create:
        flags |= apsw.SQLITE_OPEN_CREATE
    with sqlite_errors(path):
        summed = page_checksums or have_checksums(path)
        vfs = checksum_vfs() if summed else None
        connection = apsw.Connection(
            str(path), flags=flags, vfs=vfs, statementcachesize=_STATEMENTS
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
            raise UnavailableError(f"no store at {path}. Run mind init.") from None
        case apsw.ConstraintError():
            raise MindError(f"the store refused a row: {error}") from error
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
    return InputOutputError(f"{path.name} cannot be read or written: {error}")


def _no_space(path: Path) -> InputOutputError:
    """Give the reserve back to the full disk and return the error that says so."""
    reserve.release(path)
    return InputOutputError("no space left. Nothing of the last transaction was kept.")
