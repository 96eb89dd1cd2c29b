"""Put together workers that stay: their marked lives, their stoppable ports, their phases."""

import contextlib
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import MindError, UnavailableError, UsageError
from mindpipe.loop import resting
from mindpipe.loop.records import Life, LifeState
from mindpipe.loop.verbs import commands, crashes, lives
from mindpipe.loop.verbs.iterating import ASK_SECONDS
from mindpipe.loop.worker import Worker
from mindpipe.stream.logbook import Logbook
from mindpipe.stream.processes import born_of
from mindpipe.stream.watching import StoreWatch
from mindpipe.wiring.inboxes import announce_to
from mindpipe.wiring.interrupts import Alarm
from mindpipe.wiring.loop_rules import loop_rules
from mindpipe.wiring.phases import Ears, Stage, Wish
from mindpipe.wiring.schema import SCHEMA
from mindpipe.wiring.stopping import Stop
from mindpipe.wiring.watchman import Watchman, logbook_of
from mindpipe.wiring.worker import Workshop

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore


Tell = Callable[[str], None]
"""Says in words what a worker waits for."""


class Household(NamedTuple):
    """Who stays in one process, whose life before crashed, what observes, and which program."""

    wishes: Sequence[Wish]
    program: str
    mending: Collection[str] = ()
    observe: Path | None = None


@contextlib.contextmanager
def staying(
    shop: Workshop,
    store: "SqliteStore",
    stop: Stop,
    house: Household,
    *,
    tell: Tell,
) -> Iterator[list[Worker]]:
    """Give workers whose lives are marked: as running before anything else, as clean at the end.

    Raises:
        UsageError: there is no such agent, or its model has no meaning.
        UnavailableError: the key of its model is missing, or its file.
        BadInputError: the configuration of observers is none.
        RecoveryError: the store is in RECOVERY.
    """
    for wish in house.wishes:
        _check_models(shop, store, wish)
    for wish in house.wishes:
        _rest_after_crashes(shop, store, wish.agent, tell)
    alarm = Alarm(store.path, shop.clock, seconds=stop.tool_seconds)
    with contextlib.ExitStack() as stack:
        begun = [stack.enter_context(_living(shop, store, wish, house)) for wish in house.wishes]
        watch = stack.enter_context(StoreWatch(store.path, longest=ASK_SECONDS))
        stack.enter_context(alarm)
        if house.observe is not None:
            stack.enter_context(_observing(shop, store, house.observe, house.wishes, tell))

        def wait(seconds: float) -> None:
            with stop.now():
                watch(seconds)

        book = logbook_of(shop.settings)
        if book is not None:
            stack.callback(book.close)
            for life in begun:
                _log_life(stack, book, shop, life, mending=life.agent in house.mending)
        room = _Room(shop, store, Ears(stop, alarm), book, wait, tell)
        yield [
            _worker(room, life, wish, mending=wish.agent in house.mending)
            for life, wish in zip(begun, house.wishes, strict=True)
        ]


def _check_models(shop: Workshop, store: "SqliteStore", wish: Wish) -> None:
    """Raise UsageError or UnavailableError, with the agent's name, where it has no model."""
    agent = agents.show(store, name=wish.agent)
    try:
        shop.models(wish.model, agent=agent, record=wish.record)
    except (UsageError, UnavailableError) as error:
        raise type(error)(f"{wish.agent}: {error}") from None


def _log_life(
    stack: contextlib.ExitStack, book: Logbook, shop: Workshop, life: Life, *, mending: bool
) -> None:
    """Log that a life begins, at once, and that it ends, with a stack."""

    def log(state: str, level: str) -> None:
        fields = {"agent": life.agent, "life": life.id, "pid": life.pid, "state": state}
        with contextlib.suppress(MindError):
            book.write("life", fields, at=shop.clock.now(), level=level)

    if mending:
        log("crashed before", "WARNING")
    log("begins", "INFO")
    stack.callback(log, "ends", "INFO")


class _Room(NamedTuple):
    """What all workers of one process share."""

    shop: Workshop
    store: "SqliteStore"
    ears: Ears
    book: Logbook | None
    wait: Callable[[float], None]
    tell: Tell


def _worker(room: _Room, life: Life, wish: Wish, *, mending: bool) -> Worker:
    """Return the worker of one agent, put together for one life."""
    shop, store = room.shop, room.store
    watchman = Watchman(
        store,
        shop.clock,
        shop.chance,
        shop.settings,
        agent=wish.agent,
        book=room.book,
    )
    told = watchman.telling(room.tell)
    stage = Stage(shop, store, room.ears, life, wish, tell=told)
    return Worker(
        store=store,
        clock=shop.clock,
        chance=shop.chance,
        deliver=announce_to(store, shop.clock, shop.chance, shop.settings),
        life=life,
        phases=msgspec.structs.replace(stage.phases(), watch=watchman.heard, rest=watchman.rested),
        rules=loop_rules(shop.settings),
        mending=mending,
        wait=room.wait,
        check=stage.check,
        tell=told,
        note=watchman.telling(room.tell, level="INFO"),
    )


@contextlib.contextmanager
def _living(shop: Workshop, store: "SqliteStore", wish: Wish, house: Household) -> Iterator[Life]:
    """Mark a life as running, and as clean at the end."""
    with store.write():
        life = _life(shop, wish.agent, house.program, before=lives.count(store))
        lives.begin(store, life)
        commands.forget(store, shop.clock, agent=wish.agent, owner=life.id)
    try:
        yield life
    finally:
        # A store that cannot be written to keeps the mark, and so the next worker recovers.
        with contextlib.suppress(MindError):
            lives.end(store, shop.clock, run=life)


def _observing(
    shop: Workshop,
    store: "SqliteStore",
    file: Path,
    wishes: Sequence[Wish],
    tell: Tell,
) -> contextlib.AbstractContextManager[None]:
    """Return the observers of a configuration, at work; what names no agent is for the first."""
    from mindpipe.wiring.observing import Surroundings, observing

    around = Surroundings(
        file,
        agent=wishes[0].agent,
        settings=shop.settings,
        clock=shop.clock,
        chance=shop.chance,
        tell=tell,
    )
    return observing(store.path, around)


def _rest_after_crashes(shop: Workshop, store: "SqliteStore", agent: str, tell: Tell) -> None:
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
