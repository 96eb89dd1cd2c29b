"""Copy a live store into a new file that is there whole, checked and durable, or not at all."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw

from mindpipe.core.errors import InputOutputError, RefusedError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.store.connection import connect, sqlite_errors
from mindpipe.stream.files import sync_folder

_PAGES = 2048
_REPORTED = 10


def copy_store(
    source: apsw.Connection,
    target: Path,
    *,
    failpoint: str,
    change: Callable[[apsw.Connection], None] | None = None,
) -> int:
    """Copy every page of `source` as of now into `target` and return the copy's size in bytes.

    `change` may alter the copy before anybody sees it.

    Raises:
        RefusedError: something is at `target` already.
        InputOutputError: the copy fails its check, or there is no space.
    """
    with new_file(target) as temporary, sqlite_errors(temporary):
        with contextlib.closing(apsw.Connection(str(temporary))) as copy:
            _copy_pages(source, copy, failpoint)
            # One file without a -wal beside it can be carried and read anywhere.
            copy.pragma("journal_mode", "delete")
            if change is not None:
                change(copy)
        # A fresh connection reads what is on the disk, not what is still in memory.
        with contextlib.closing(connect(temporary, read_only=True)) as copy:
            problems = faults_of(copy)
        if problems:
            raise InputOutputError(
                f"the copy fails its check ({problems[0]}). Run mind store check on the store."
            )
        return temporary.stat().st_size


@contextlib.contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """Give a private temporary file that becomes `target`, durably, when the block ends well.

    Raises:
        RefusedError: something is at `target` already.
        UnavailableError: its folder is missing.
    """
    if target.exists() or target.is_symlink():
        raise already_there(target)
    folder = target.absolute().parent
    if not folder.is_dir():
        raise UnavailableError(f"no folder {folder}; make it first.")
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=folder)
    temporary = Path(name)
    try:
        os.close(descriptor)
        yield temporary
        _publish(temporary, target)
    finally:
        for left in (name, f"{name}-journal", f"{name}-wal", f"{name}-shm"):
            Path(left).unlink(missing_ok=True)


def already_there(target: Path) -> RefusedError:
    """Return the error for a file that would be overwritten."""
    return RefusedError(f"{target} is already there; name a new file.")


def faults_of(connection: apsw.Connection) -> list[str]:
    """Return what SQLite finds wrong with a whole file: its structure, then its foreign keys."""
    problems = structure_faults(connection, f"PRAGMA integrity_check({_REPORTED})")
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        problems.append(f"row {row} of {table} names a missing row of {parent}")
    return problems


def structure_faults(connection: apsw.Connection, check: str) -> list[str]:
    """Return what one of SQLite's two checks finds, a line each."""
    lines = [line for (text,) in connection.execute(check) for line in str(text).splitlines()]
    return [line for line in lines if line != "ok" and not line.startswith("***")]


def _copy_pages(source: apsw.Connection, copy: apsw.Connection, failpoint: str) -> None:
    """Copy the pages of one moment; the open read keeps writers from starting it over."""
    source.execute("BEGIN; SELECT 1 FROM sqlite_schema")
    try:
        with copy.backup("main", source, "main") as passage:
            done = False
            while not done:
                done = passage.step(_PAGES)
                reach(failpoint)
    finally:
        source.execute("COMMIT")


def _publish(temporary: Path, target: Path) -> None:
    """Give the finished file its name, never taking one that is in use."""
    descriptor = os.open(temporary, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise already_there(target) from None
    except OSError:
        # Some file systems (memory sticks) know no second name for a file.
        temporary.replace(target)
    sync_folder(target.absolute().parent)
