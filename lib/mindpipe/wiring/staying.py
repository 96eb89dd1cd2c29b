"""Put together a worker that stays: its marked life, its stoppable ports, one cycle at a time."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import MindError
from mindpipe.loop.records import Life, LifeState
from mindpipe.loop.verbs import lives
from mindpipe.loop.worker import Worker
from mindpipe.store import recovery_log
from mindpipe.stream.processes import born_of
from mindpipe.stream.watching import StoreWatch
from mindpipe.think.records import CycleReport, Limits
from mindpipe.think.verbs import cycle
from mindpipe.wiring.inboxes import announce_to
from mindpipe.wiring.schema import SCHEMA
from mindpipe.wiring.stopping import Stop, StoppableModel, StoppablePrograms
from mindpipe.wiring.worker import Workshop

if TYPE_CHECKING:
    from pathlib import Path

    from mindpipe.store.sqlite import SqliteStore


class Wish(NamedTuple):
    """Whose worker stays, which model it asks, and where turns are recorded."""

    agent: str
    model: str | None
    record: "Path | None"


@contextlib.contextmanager
def staying(
    shop: Workshop,
    store: "SqliteStore",
    stop: Stop,
    wish: Wish,
    *,
    program: str,
    tell: Callable[[str], None],
) -> Iterator[Worker]:
    """Give a worker whose life is marked: as running before anything else, as clean at the end.

    Raises:
        UsageError: there is no such agent, or its model has no meaning.
        RecoveryError: the store is in RECOVERY.
    """
    agent = agents.show(store, name=wish.agent)
    shop.models(wish.model, agent=agent, record=wish.record)
    with store.write():
        run = _life(shop, agent.name, program, before=lives.count(store))
        lives.begin(store, run)
    try:
        with StoreWatch(store.path) as watch:

            def wait(seconds: float) -> None:
                with stop.now():
                    watch(seconds)

            yield Worker(
                store=store,
                clock=shop.clock,
                chance=shop.chance,
                deliver=announce_to(store, shop.clock, shop.chance, shop.settings),
                run=run,
                think=lambda: _think(shop, store, stop, run, wish, tell=tell),
                wait=wait,
                check=lambda: _check(store, stop),
                tell=tell,
            )
    finally:
        # A store that cannot be written to keeps the mark, and so the next worker recovers.
        with contextlib.suppress(MindError):
            lives.end(store, shop.clock, run=run)


def _life(shop: Workshop, agent: str, program: str, *, before: int) -> Life:
    """Return the life of this process, with so many before it."""
    now = shop.clock.now()
    return Life(
        id=shop.chance.new_id("r", agent, before),
        agent=agent,
        state=LifeState.RUNNING,
        pid=os.getpid(),
        born=born_of(os.getpid()) or "unknown",
        boot=shop.clock.boot().boot,
        program=program,
        schema=len(SCHEMA),
        started=now,
    )


def _check(store: "SqliteStore", stop: Stop) -> None:
    """Raise if the worker was asked to stop, or its store went into RECOVERY."""
    stop.check()
    entered = recovery_log.read(store.path).entered
    if entered is not None:
        refusal = recovery_log.refusal(store.path, entered)
        store.refuse(refusal)
        raise refusal


def _think(
    shop: Workshop,
    store: "SqliteStore",
    stop: Stop,
    run: Life,
    wish: Wish,
    *,
    tell: Callable[[str], None],
) -> CycleReport:
    """Live one cycle with the agent's settings of now."""
    agent = agents.show(store, name=run.agent)
    models = shop.models(wish.model, agent=agent, record=wish.record)
    means = shop.means(store, models, agent, None, tell=tell)
    means = msgspec.structs.replace(
        means,
        model=StoppableModel(means.model, stop),
        fallback=means.fallback and StoppableModel(means.fallback, stop),
        programs=StoppablePrograms(means.programs, stop),
        owner=run.id,
        check=lambda: _check(store, stop),
    )
    limits = Limits(turns=agent.max_turns, calls=agent.max_calls, seconds=agent.max_seconds)
    return cycle.think(means, agent=agent.name, limits=limits)
