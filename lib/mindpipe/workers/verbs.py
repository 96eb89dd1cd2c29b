"""Mark that a worker session goes on, and that it ended as it should."""

import msgspec

from mindpipe.core.ports import Clock, Store
from mindpipe.workers import tables
from mindpipe.workers.records import WorkerSession, WorkerSessionState


def begin(store: Store, run: WorkerSession) -> None:
    """Write a life's row, before it does anything else."""
    with store.write(run.agent) as rows:
        tables.insert_session(rows, run)


def end(store: Store, clock: Clock, *, run: WorkerSession) -> None:
    """Mark that a life ended as it should; its last transaction."""
    ended = msgspec.structs.replace(
        run, state=run.state.to(WorkerSessionState.CLEAN), ended=clock.now()
    )
    with store.write(run.agent) as rows:
        tables.end_session(rows, ended)


def count(store: Store) -> int:
    """Return how many lives there were."""
    with store.read() as rows:
        return tables.count_sessions(rows)


def running(store: Store) -> list[WorkerSession]:
    """Return every life that has no end yet, whether its process is there or not."""
    with store.read() as rows:
        return tables.sessions_in(rows, WorkerSessionState.RUNNING)


def crashed(store: Store) -> list[WorkerSession]:
    """Return every life that crashed."""
    with store.read() as rows:
        return tables.sessions_in(rows, WorkerSessionState.CRASHED)


def crashes_after(store: Store, instant: str) -> int:
    """Return how many crashes were found after an instant, of the agent that had the most.

    What ends all workers at once, as a power cut does, counts once however many agents live.
    """
    with store.read() as rows:
        return tables.crashes_after(rows, instant)
