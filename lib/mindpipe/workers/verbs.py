"""Worker sessions: begin, heartbeat, clean end."""

from collections.abc import Sequence

import msgspec

from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.workers import tables
from mindpipe.workers.records import WorkerSession, WorkerSessionState

HELD_SECONDS = 60.0
"""So long after its last heartbeat a session on a server counts as alive."""


def begin(store: Store, run: WorkerSession) -> None:
    """Write a session's row, before it does anything else."""
    with store.write(run.agent) as rows:
        tables.insert_session(rows, run)


def end(store: Store, clock: Clock, *, run: WorkerSession) -> None:
    """Mark a session as ended clean; its last transaction."""
    ended = msgspec.structs.replace(
        run, state=run.state.to(WorkerSessionState.CLEAN), ended=clock.now()
    )
    with store.write(run.agent) as rows:
        tables.end_session(rows, ended)


def count(store: Store) -> int:
    """Return how many sessions there were."""
    with store.read() as rows:
        return tables.count_sessions(rows)


def running(store: Store) -> list[WorkerSession]:
    """Return every session that has no end yet, whether its process is there or not."""
    with store.read() as rows:
        return tables.sessions_in(rows, WorkerSessionState.RUNNING)


def crashed(store: Store) -> list[WorkerSession]:
    """Return every session that crashed."""
    with store.read() as rows:
        return tables.sessions_in(rows, WorkerSessionState.CRASHED)


def crashes_after(store: Store, instant: str) -> int:
    """Return how many crashes were found after an instant, of the agent that had the most.

    What ends all workers at once, as a power cut does, counts once however many agents live.
    """
    with store.read() as rows:
        return tables.crashes_after(rows, instant)


def take(store: Store, run: WorkerSession) -> bool:
    """Begin a session with an agent, unless it has one; tell whether it was free."""
    with store.write(run.agent) as rows:
        if tables.running_of(rows, agent=run.agent):
            return False
        tables.insert_session(rows, run)
    return True


def is_lived(store: Store, *, agent: str) -> bool:
    """Tell whether an agent has a session that runs, as far as is written."""
    with store.read() as rows:
        return bool(tables.running_of(rows, agent=agent))


def is_running(store: Store, *, run: WorkerSession) -> bool:
    """Tell whether a session still runs, and nobody has found it lost."""
    with store.read() as rows:
        return run.id in tables.running_of(rows, agent=run.agent)


def hold_on(rows: Rows, clock: Clock, *, runs: Sequence[str]) -> None:
    """Send the heartbeat of some sessions, by their ids, to who cannot see their process."""
    tables.hold_on(rows, runs, until=held_until(clock))


def held_until(clock: Clock) -> float:
    """Return until when a session counts as alive whose heartbeat comes now."""
    return clock.boot().seconds + HELD_SECONDS
