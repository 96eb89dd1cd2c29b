"""Put together a worker that stays: its marked life, its stoppable ports, one cycle at a time."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import MindError
from mindpipe.loop import resting
from mindpipe.loop.records import Life, LifeState
from mindpipe.loop.verbs import commands, crashes, lives
from mindpipe.loop.worker import Worker
from mindpipe.store import recovery_log
from mindpipe.stream.processes import born_of
from mindpipe.stream.programs import LocalPrograms
from mindpipe.stream.watching import StoreWatch
from mindpipe.think.records import CycleReport, Limits
from mindpipe.think.verbs import cycle
from mindpipe.wiring.inboxes import announce_to
from mindpipe.wiring.interrupts import Alarm, RousableClock, obey, obey_in_a_cycle
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


class Ears(NamedTuple):
    """What ends or interrupts a worker's calls: signals, and emergencies in its inbox."""

    stop: Stop
    alarm: Alarm


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
    _rest_after_crashes(shop, store, agent.name, tell)
    with store.write():
        run = _life(shop, agent.name, program, before=lives.count(store))
        lives.begin(store, run)
        commands.forget(store, shop.clock, agent=agent.name, owner=run.id)
    alarm = Alarm(store.path, shop.clock, seconds=stop.tool_seconds)
    try:
        with StoreWatch(store.path) as watch, alarm:

            def wait(seconds: float) -> None:
                with stop.now():
                    watch(seconds)

            yield Worker(
                store=store,
                clock=shop.clock,
                chance=shop.chance,
                deliver=announce_to(store, shop.clock, shop.chance, shop.settings),
                run=run,
                think=lambda: _think(shop, store, Ears(stop, alarm), run, wish, tell=tell),
                wait=wait,
                check=lambda: _check(shop, store, stop, run),
                tell=tell,
            )
    finally:
        # A store that cannot be written to keeps the mark, and so the next worker recovers.
        with contextlib.suppress(MindError):
            lives.end(store, shop.clock, run=run)


def _rest_after_crashes(
    shop: Workshop, store: "SqliteStore", agent: str, tell: Callable[[str], None]
) -> None:
    """Wait, the longer the more lives crashed in a row at one place."""
    count = crashes.in_a_row(store, agent=agent)
    seconds = resting.rest_after(count)
    if seconds:
        tell(f"{agent} crashed {count} times at the same place; resting {seconds:.0f} s.")
        shop.clock.pause(seconds)


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


def _check(shop: Workshop, store: "SqliteStore", stop: Stop, run: Life) -> None:
    """Do what the operator commands meanwhile; raise if the life has to end."""
    _go_on(store, stop)
    obey(store, shop.clock, stop, agent=run.agent, owner=run.id)


def _go_on(store: "SqliteStore", stop: Stop) -> None:
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
    ears: Ears,
    run: Life,
    wish: Wish,
    *,
    tell: Callable[[str], None],
) -> CycleReport:
    """Live one cycle with the agent's settings of now."""
    stop, alarm = ears
    agent = agents.show(store, name=run.agent)
    models = shop.models(wish.model, agent=agent, record=wish.record)
    means = shop.means(store, models, agent, None, tell=tell)

    def check() -> None:
        _go_on(store, stop)
        if alarm.was_heard():
            obey_in_a_cycle(store, shop.clock, stop, agent=run.agent, owner=run.id)
        alarm.check()

    means = msgspec.structs.replace(
        means,
        clock=RousableClock(means.clock, alarm),
        model=StoppableModel(means.model, stop, alarm),
        fallback=means.fallback and StoppableModel(means.fallback, stop, alarm),
        programs=StoppablePrograms(LocalPrograms(sooner=alarm.ends_at), stop, alarm),
        owner=run.id,
        check=check,
    )
    limits = Limits(turns=agent.max_turns, calls=agent.max_calls, seconds=agent.max_seconds)
    with alarm.around(agent.name):
        return cycle.think(means, agent=agent.name, limits=limits)
