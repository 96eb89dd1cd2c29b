"""Which worker sessions are alive, and which were lost: their rows held against processes."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from mindpipe.core.ports import Clock
from mindpipe.io.processes import born_of
from mindpipe.store.access import open_where
from mindpipe.store.address import Where
from mindpipe.store.engine import EngineStore
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.postgres.clock import sees
from mindpipe.store.schema import require_store
from mindpipe.store.sqlite import SqliteStore, connect, sqlite_errors
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import WorkerSession


def lost_sessions(store: Where, clock: Clock) -> list[WorkerSession]:
    """Return the sessions whose row says running but whose process is gone; only reads."""
    return [run for run, lives in _running(store, clock) if not lives]


def lost_in(store: EngineStore, clock: Clock) -> list[WorkerSession]:
    """Return the lives of an open store that say they run but whose process is gone."""
    return [run for run in workers.running(store) if not _lives(store, run, clock)]


def is_any_lost(store: EngineStore, running: Iterable[WorkerSession], clock: Clock) -> bool:
    """Tell whether any of these sessions of an open store, which say running, is lost."""
    return not all(_lives(store, run, clock) for run in running)


def is_own(run: WorkerSession, clock: Clock) -> bool:
    """Tell whether a session is of this very process."""
    return run.pid == os.getpid() and run.born == born_of(run.pid) and sees(clock, run.boot)


def running_sessions(store: Where, clock: Clock) -> list[WorkerSession]:
    """Return the sessions whose process is there; only reads."""
    return [run for run, lives in _running(store, clock) if lives]


def is_ours(store: Path) -> bool:
    """Tell whether the schema is this program's, so that it may go by the rows."""
    with reading_file(store) as opened:
        return require_store(opened.connection, store) == len(SCHEMA)


def reading(store: Where) -> AbstractContextManager[EngineStore]:
    """Hold a store open that is only looked at; in a file, by a connection that cannot write."""
    if isinstance(store, Path):
        return reading_file(store)
    return contextlib.closing(open_where(store))


def _any_version(store: Where) -> AbstractContextManager[EngineStore]:
    """Hold a store open that is only looked at, of whichever schema."""
    if isinstance(store, Path):
        return reading_file(store)
    from mindpipe.store.postgres.store import PostgresStore

    return contextlib.closing(PostgresStore(store))


@contextlib.contextmanager
def reading_file(store: Path) -> Iterator[SqliteStore]:
    """Hold a connection to a file open that cannot write."""
    connection = connect(store, read_only=True)
    try:
        with sqlite_errors(store):
            yield SqliteStore(connection, store)
    finally:
        connection.close()


def _running(store: Where, clock: Clock) -> list[tuple[WorkerSession, bool]]:
    """Return the sessions without an end, and whether each is alive; none without their table."""
    first = [name for name, _ in SCHEMA].index("0015_loop")
    with _any_version(store) as opened:
        if isinstance(opened, SqliteStore) and (
            require_store(opened.connection, opened.path) <= first
        ):
            return []
        return [(run, _lives(opened, run, clock)) for run in workers.running(opened)]


def _lives(store: EngineStore, run: WorkerSession, clock: Clock) -> bool:
    """Tell whether a session is alive: by its process here, by its heartbeats on other machines.

    Only a server has other machines: a session of a file that began under another boot is over.
    While the server was away, heartbeats could not come.
    """
    if sees(clock, run.boot):
        return born_of(run.pid) == run.born
    if isinstance(store, SqliteStore) or run.until is None:
        return False
    now = clock.boot().seconds
    return run.until > now or store.there_since() + workers.HELD_SECONDS > now
