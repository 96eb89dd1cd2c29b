"""Look at what happens outside: once, or until told to stop; by kinds of observers."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from mindpipe.core.errors import MindError, NothingToDoError
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.ports import Clock, Deliver, Store
from mindpipe.engine.delivery import deliver_to
from mindpipe.observers.adapters import threads
from mindpipe.observers.adapters.check import Unknown, surveyed
from mindpipe.observers.adapters.keepers import OpenKeeper
from mindpipe.observers.adapters.lines import into_store
from mindpipe.observers.adapters.threads import ObserverContext, ObserverOutputs, Place
from mindpipe.observers.changes import Keeper
from mindpipe.observers.records import (
    Endpoint,
    ObserverCheck,
    ObserverConfig,
    Point,
    Repository,
    Speaking,
    Watched,
)
from mindpipe.observers.rules import boost_words, priority_of
from mindpipe.observers.verbs.steps import StoreKeeper
from mindpipe.plans import verbs as due_plans
from mindpipe.store.access import open_where
from mindpipe.store.address import Where

_Entry = Point | Repository | Watched | Speaking | Endpoint


def observe(
    store: Store,
    clock: Clock,
    *,
    agent: str,
    deliver: Deliver,
    around: ObserverContext | None,
    place: Place | None,
) -> None:
    """Look once at folders, repositories and plans; what is new goes into an agent's inbox."""
    if around is not None and place is not None:
        with place() as ends:
            threads.collect(around, ends)
    with contextlib.suppress(NothingToDoError):
        due_plans.due_push(store, clock, deliver=deliver, agent=agent)


def files(around: ObserverContext, place: Place, *, once: bool) -> None:
    """Tell the changes of folders until stopped, or what changed since the last look.

    Raises:
        NothingToDoError: the configuration has no observation points, or nothing is new.
    """
    _look(around, place, "files", once=once)


def git(around: ObserverContext, place: Place, *, once: bool) -> None:
    """Tell the new commits, branches and tags of repositories until stopped, or once.

    Raises:
        NothingToDoError: the configuration has no repositories, or nothing is new.
    """
    _look(around, place, "git", once=once)


def processes(around: ObserverContext, place: Place) -> None:
    """Tell how processes begin and end, until all have ended.

    Raises:
        NothingToDoError: the configuration has no processes.
    """
    _require(around, place, "processes")
    _stay(around, place, "processes")


def program(around: ObserverContext, place: Place, *, once: bool) -> None:
    """Run programs and tell each line of theirs; `once` none of them is started again.

    Raises:
        NothingToDoError: the configuration has no programs.
    """
    with place() as ends:
        if not around.observers(ends, ("programs",)):
            raise NothingToDoError("the configuration has no programs to observe.")
        if once:
            for one in around.programs(ends.take):
                around.tell(one.run_once(threading.Event()))
            return
    _stay(around, place, "programs")


def http(around: ObserverContext, place: Place) -> None:
    """Listen on the configured port and tell each line of signed requests, until stopped.

    Raises:
        NothingToDoError: the configuration has no port.
        RefusedError: others can read the secret.
        UnavailableError: there is no secret.
    """
    _require(around, place, "http")
    if around.config.http is not None:
        around.secret(around.config.http)
    _stay(around, place, "http")


def plans(
    store: Store,
    clock: Clock,
    *,
    agent: str | None,
    hand_over: Callable[[list[NewEvent]], None],
    deliver: Deliver | None = None,
) -> None:
    """Hand over the events of plans that are due; with `deliver` they are pushed before.

    Raises:
        NothingToDoError: none is.
    """
    if deliver is None:
        due_plans.due(store, clock, hand_over=hand_over, agent=agent)
    else:
        hand_over(due_plans.due_push(store, clock, deliver=deliver, agent=agent))


def check(
    file: Path, environment: Mapping[str, str], unknown: Unknown, tell: threads.Tell
) -> list[ObserverCheck]:
    """Return all that a configuration observes, of which everything is there.

    `tell` hears what a person should know of it: what is ignored, and what a boost comes to.

    Raises:
        BadInputError: every fault and everything that is missing, with its line.
        UnavailableError: there is no such file.
    """
    config = surveyed(file, environment, unknown)
    if config.state_persistence is not None:
        tell(threads.STATE_IGNORED)
    found = list(_entries(config))
    if any(entry.priority_boost for entry in found):
        tell(f"priority_boost {boost_words()}.")
    return found


@contextlib.contextmanager
def observing(store_path: Where, around: ObserverContext) -> Iterator[None]:
    """Let every observer of a configuration push into a store's inboxes until the block ends.

    What changed before is in the inboxes when the block begins. Each observer has a thread and a
    store connection of its own. One that fails, or finds an inbox full, is begun again after a
    pause and loses nothing. At the end they stop in the reverse of their order.
    """
    place = pushing(store_path, around)
    # What goes wrong here goes wrong again in the thread of the observer, which tells it.
    with contextlib.suppress(MindError), place() as ends:
        threads.collect(around, ends)
    with threads.ObserverThreads(around, place, patient=True):
        yield


def pushing(store_path: Where, around: ObserverContext) -> Place:
    """Return a place from which everything goes into the inboxes of a store, by itself."""

    @contextlib.contextmanager
    def place() -> Iterator[ObserverOutputs]:
        clock, chance = around.clock, around.chance
        store = open_where(store_path)
        try:
            deliver = deliver_to(store, clock, chance, around.settings)
            yield ObserverOutputs(StoreKeeper(store, deliver), into_store(store, clock, chance))
        finally:
            store.close()

    return place


def in_store(path: Where) -> OpenKeeper:
    """Return what opens a store to keep what was seen in, and to deliver nothing."""

    @contextlib.contextmanager
    def opened() -> Iterator[Keeper]:
        store = open_where(path)
        try:
            yield StoreKeeper(store, lambda _events: None)
        finally:
            store.close()

    return opened


def _look(around: ObserverContext, place: Place, kind: str, *, once: bool) -> None:
    """Let what looks tell what is new, once or until stopped."""
    if not once:
        _require(around, place, kind)
        _stay(around, place, kind)
        return
    with place() as ends:
        if not threads.collect(around, ends, (kind,)):
            raise NothingToDoError("nothing is new.")


def _require(around: ObserverContext, place: Place, kind: str) -> None:
    """Raise NothingToDoError where the configuration has no observers of a kind."""
    with place() as ends:
        if not around.observers(ends, (kind,)):
            raise NothingToDoError(f"the configuration has no {kind} to observe.")


def _stay(around: ObserverContext, place: Place, kind: str) -> None:
    """Let the observers of a kind work until all have ended by themselves."""
    kinds: Sequence[str] = (kind,)
    with threads.ObserverThreads(around, place, patient=False, kinds=kinds) as observers:
        observers.wait()


def _entries(found: ObserverConfig) -> Iterator[ObserverCheck]:
    """Yield all that is observed, one by one."""

    def entry_of(kind: str, what: str, entry: _Entry, boost: int | None = None) -> ObserverCheck:
        priority = Priority.NORMAL if boost is None else priority_of(boost)
        return ObserverCheck(
            observer=entry.observer,
            kind=kind,
            what=what,
            agent=entry.agent or found.agent,
            priority_boost=boost,
            priority=int(priority),
        )

    for point in found.points():
        yield entry_of("files", point.path, point, point.priority_boost)
    for entry in found.git:
        yield entry_of("git", entry.path, entry, entry.priority_boost)
    for watched in found.processes:
        words = " ".join(watched.command or (str(watched.pid),))
        yield entry_of("process", words, watched, watched.priority_boost)
    for speaking in found.programs:
        yield entry_of("program", " ".join(speaking.command), speaking)
    if found.http is not None:
        yield entry_of("http", f"127.0.0.1:{found.http.port}", found.http)
