"""`mind store restore`: a new store from a backup, with all that a second life must not share."""

from collections.abc import Sequence
from pathlib import Path

import apsw

from mindpipe.core.errors import RefusedError, UnavailableError
from mindpipe.core.instants import normal_instant
from mindpipe.core.migrations import Migration
from mindpipe.store import place, recovery_log, reserve
from mindpipe.store.connection import connect
from mindpipe.store.copying import already_there, copy_store
from mindpipe.store.records import Change, Restored
from mindpipe.store.recovery_log import Passage
from mindpipe.store.schema import newer_schema, require_store
from mindpipe.store.sqlite import SqliteRows

_GENERATION = """
UPDATE store SET generation = generation + 1;
INSERT INTO restoration(generation, restored, loss_since)
SELECT generation, :now, :loss_since FROM store;
"""


def left_its_log(store: Path, connection: apsw.Connection) -> Passage | None:
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
    return Passage(at=at, state="entered", cause="restore", why=why)


def restore(
    store: Path,
    *,
    file: Path,
    now: str,
    loss_since: str | None,
    migrations: Sequence[Migration],
    changes: Sequence[Change],
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
    if not file.is_file():
        raise UnavailableError(f"no backup at {file}; check the name.")
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
    reserve.keep(store)
    return _said_of(store, version, values["loss_since"])


def _begin_again(copy: apsw.Connection, changes: Sequence[Change], values: dict[str, str]) -> None:
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
