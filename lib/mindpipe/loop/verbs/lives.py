"""Mark that a worker lives, and that it ended as it should."""

import msgspec

from mindpipe.core.ports import Clock, Store
from mindpipe.loop.records import Life, LifeState
from mindpipe.loop.tables import lives as rows_of


def begin(store: Store, run: Life) -> None:
    """Write a life's row, before it does anything else."""
    with store.write() as rows:
        rows_of.insert_life(rows, run)


def end(store: Store, clock: Clock, *, run: Life) -> None:
    """Mark that a life ended as it should; its last transaction."""
    ended = msgspec.structs.replace(run, state=run.state.to(LifeState.CLEAN), ended=clock.now())
    with store.write() as rows:
        rows_of.end_life(rows, ended)


def count(store: Store) -> int:
    """Return how many lives there were."""
    with store.read() as rows:
        return rows_of.count_lives(rows)


def running(store: Store) -> list[Life]:
    """Return every life that has no end yet, whether its process is there or not."""
    with store.read() as rows:
        return rows_of.lives_in(rows, LifeState.RUNNING)


def crashed(store: Store) -> list[Life]:
    """Return every life that crashed."""
    with store.read() as rows:
        return rows_of.lives_in(rows, LifeState.CRASHED)


def crashes_after(store: Store, instant: str) -> int:
    """Return how many crashes were found after an instant."""
    with store.read() as rows:
        return rows_of.crashes_after(rows, instant)
