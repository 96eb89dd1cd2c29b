"""Which worker sessions go on, and which ended without a word: their rows and their processes."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from mindpipe.core.ports import Clock
from mindpipe.io.processes import born_of
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.schema import require_store
from mindpipe.store.sqlite import SqliteStore, connect, sqlite_errors
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import WorkerSession


def lost_sessions(store: Path, clock: Clock) -> list[WorkerSession]:
    """Return the lives that say they run but whose process is gone; only reads."""
    return [run for run in _running(store) if not _lives(run, clock)]


def running_sessions(store: Path, clock: Clock) -> list[WorkerSession]:
    """Return the lives whose process is there; only reads."""
    return [run for run in _running(store) if _lives(run, clock)]


def is_ours(store: Path) -> bool:
    """Tell whether the schema is this program's, so that it may go by the rows."""
    with reading(store) as opened:
        return require_store(opened.connection, store) == len(SCHEMA)


@contextlib.contextmanager
def reading(store: Path) -> Iterator[SqliteStore]:
    """Hold a connection open that cannot write."""
    connection = connect(store, read_only=True)
    try:
        with sqlite_errors(store):
            yield SqliteStore(connection, store)
    finally:
        connection.close()


def _running(store: Path) -> list[WorkerSession]:
    """Return the lives without an end, none where the schema has no place for them yet."""
    first = [name for name, _ in SCHEMA].index("0015_loop")
    with reading(store) as opened:
        if require_store(opened.connection, store) <= first:
            return []
        return workers.running(opened)


def _lives(run: WorkerSession, clock: Clock) -> bool:
    """Tell whether the very process of a life is there."""
    return run.boot == clock.boot().boot and born_of(run.pid) == run.born
