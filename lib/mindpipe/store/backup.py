"""Copies of a store: made, put back, and left in place of what was there."""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw

from mindpipe.core.errors import InputOutputError, RefusedError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import normal_instant
from mindpipe.core.records import Migration
from mindpipe.io.files import refuse_database, remove_unfinished, sync_folder, unfinished_file
from mindpipe.store import place, recovery_log
from mindpipe.store.records import Copied, MigrationStep, Restored
from mindpipe.store.recovery_log import RecoveryPassage
from mindpipe.store.schema import newer_schema, require_store, version_of
from mindpipe.store.sqlite import SqliteRows, connect, sqlite_errors

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
            copy_pages(source, copy, failpoint)
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
def new_file(target: Path, *, part: bool = False) -> Iterator[Path]:
    """Give a private temporary file that becomes `target`, durably, when the block ends well.

    Those in the same folder whose makers were killed are removed.

    Raises:
        RefusedError: something is at `target` already; or it is the name of a log of a store, and
            no `part` of a copy of both.
        UnavailableError: its folder is missing.
    """
    place.require_place(target.absolute())
    if target.exists() or target.is_symlink():
        # Whoever made it may have died before it took the other name away.
        remove_unfinished(target)
        raise already_there(target)
    if not part:
        refuse_database(str(target))
    with unfinished_file(target) as (temporary, _):
        yield temporary
        _publish(temporary, target)


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


def copy_pages(source: apsw.Connection, copy: apsw.Connection, failpoint: str) -> None:
    """Copy the pages of one moment; the open read keeps writers from starting it over.

    Where a read is open already, its moment is copied.
    """
    joins = source.in_transaction
    if not joins:
        source.execute("BEGIN; SELECT 1 FROM sqlite_schema")
    try:
        with copy.backup("main", source, "main") as passage:
            done = False
            while not done:
                done = passage.step(_PAGES)
                reach(failpoint)
    finally:
        if not joins:
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


def backup(
    store: Path, *, file: Path, change: Callable[[apsw.Connection], None] | None = None
) -> Copied:
    """Copy the store, while others use it, into a new private file; never overwrites one.

    `change` may alter the copy before anybody sees it.

    Raises:
        RefusedError: `file` is there already.
        InputOutputError: store or copy fail their check, or there is no space.
    """
    place.check_file(store)
    only_read = recovery_log.read(store).entered is not None or place.several_names(store)
    connection = connect(store, read_only=bool(only_read))
    try:
        require_store(connection, store)
        size = copy_store(connection, file, failpoint="backup.mid", change=change)
        return Copied(file=str(file), bytes=size, schema=version_of(connection))
    finally:
        connection.close()


_GENERATION = """
UPDATE store SET generation = generation + 1;
INSERT INTO restoration(generation, restored, loss_since)
SELECT generation, :now, :loss_since FROM store;
"""


def left_its_log(store: Path, connection: apsw.Connection) -> RecoveryPassage | None:
    """Return why a restored store without a recovery log beside it is in RECOVERY, or None.

    Whoever moves a file may leave behind what says that nobody has looked at it.
    """
    log = recovery_log.read(store)
    if log.last is not None or log.torn:
        return None
    at = SqliteRows(connection).value(str, "SELECT max(restored) FROM restoration")
    if at is None:
        return None
    why = f"restored, and no {recovery_log.log_of(store).name} says that somebody looked"
    return RecoveryPassage(at=at, state="entered", cause="restore", why=why)


def require_backup(file: Path) -> None:
    """Raise UnavailableError where there is no such file."""
    if not file.is_file():
        raise UnavailableError(f"no backup at {file}; check the name.")


def restore(
    store: Path,
    *,
    file: Path,
    now: str,
    loss_since: str | None,
    migrations: Sequence[Migration],
    changes: Sequence[MigrationStep],
) -> Restored:
    """Make the new store `store` from the backup `file`.

    What happened after the backup is not in it, so the caller says since when (`loss_since`) that
    loss is accepted. The store gets the next generation number; `changes` free its leases and
    mark what may have been done in the meantime. It starts in RECOVERY, so that nothing is done
    before somebody has looked.

    Raises:
        RefusedError: a store is there already, or `loss_since` was not given.
        UnavailableError: the backup is missing, no store, or made by a newer program.
    """
    place.check_folder(store.absolute())
    if store.exists() or store.is_symlink():
        raise already_there(store)
    require_backup(file)
    if loss_since is None:
        raise RefusedError(
            f"what happened after {file.name} was made is not in it: events must be pushed again, "
            "and what was sent may be sent twice. Accept that with --accept-loss-since INSTANT."
        )
    values = {"now": now, "loss_since": normal_instant(loss_since)}
    connection = connect(file, read_only=True)
    try:
        version = require_store(connection, file)
        if version > len(migrations):
            raise newer_schema(path_version=version, ours=len(migrations))
        # Before the store is there, for nobody may write to it in between.
        why = f"restored from {file.name}"
        recovery_log.enter(store, at=now, cause="restore", why=why)
        copy_store(
            connection,
            store,
            failpoint="restore.mid",
            change=lambda copy: _begin_again(copy, changes, values),
        )
    finally:
        connection.close()
    place.keep(store)
    return _said_of(store, version, values["loss_since"])


def _begin_again(
    copy: apsw.Connection, changes: Sequence[MigrationStep], values: dict[str, str]
) -> None:
    """Make the copy a life of its own, in one transaction."""
    tables = {name for (name,) in copy.execute("SELECT name FROM sqlite_schema WHERE type='table'")}
    with copy:
        copy.execute(_GENERATION, values)
        for change in changes:
            if change.table in tables:
                copy.execute(change.sql)


def _said_of(store: Path, version: int, loss_since: str) -> Restored:
    """Return what the new store says of itself."""
    connection = connect(store, read_only=True)
    try:
        generation = SqliteRows(connection).value(int, "SELECT generation FROM store") or 0
        return Restored(
            file=str(store), generation=generation, schema=version, loss_since=loss_since
        )
    finally:
        connection.close()
