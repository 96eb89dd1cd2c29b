"""Mark that a worker lives, and that it ended as it should."""

import msgspec

from mindpipe.core.ports import Clock, Store
from mindpipe.loop import tables
from mindpipe.loop.records import Run, RunState


def begin(store: Store, run: Run) -> None:
    """Write a life's row, before it does anything else."""
    with store.write() as rows:
        tables.insert_run(rows, run)


def end(store: Store, clock: Clock, *, run: Run) -> None:
    """Mark that a life ended as it should; its last transaction."""
    ended = msgspec.structs.replace(run, state=run.state.to(RunState.CLEAN), ended=clock.now())
    with store.write() as rows:
        tables.end_run(rows, ended)


def count(store: Store) -> int:
    """Return how many lives there were."""
    with store.read() as rows:
        return tables.count_runs(rows)


def running(store: Store) -> list[Run]:
    """Return every life that has no end yet, whether its process is there or not."""
    with store.read() as rows:
        return tables.runs_in(rows, RunState.RUNNING)


def crashed(store: Store) -> list[Run]:
    """Return every life that crashed."""
    with store.read() as rows:
        return tables.runs_in(rows, RunState.CRASHED)


def crashes_after(store: Store, instant: str) -> int:
    """Return how many crashes were found after an instant."""
    with store.read() as rows:
        return tables.crashes_after(rows, instant)
