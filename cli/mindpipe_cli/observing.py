"""Observe as a command's options ask: print events or deliver them, once or without an end."""

import contextlib
import functools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.records import Record
from mindpipe.inbox.filing import Filing
from mindpipe.inbox.piece import Piece
from mindpipe.inbox.records import Receipt
from mindpipe.observers.memory import Keeper
from mindpipe.observers.records import (
    Checked,
    Endpoint,
    ObserverConfig,
    Point,
    Remembered,
    Repository,
    Speaking,
    Watched,
)
from mindpipe.observers.rules import priority_of
from mindpipe.wiring import observing
from mindpipe.wiring.inboxes import deliver_to
from mindpipe.wiring.observers.keepers import (
    AnnouncingKeeper,
    FileKeeper,
    ForgetfulKeeper,
    HandOver,
    LookingKeeper,
    StoreKeeper,
)
from mindpipe.wiring.observing import Surroundings
from mindpipe.wiring.stores import open_store
from mindpipe_cli import output
from mindpipe_cli.pushing import COLUMNS as RECEIPTS
from mindpipe_cli.session import Session

_EVENTS = ("agent", "source", "priority", "text")
_CHECKED = ("observer", "kind", "what", "agent", "priority")
_ATTENDED = ("agent", "mode", "concern", "events", "queue", "urgent", "oldest_seconds")
_Entry = Point | Repository | Watched | Speaking | Endpoint
_LOOKING = ("files", "git")
_SPEAKING = ("programs", "http")
_PRINTING = threading.Lock()
_OpenKeeper = Callable[[], AbstractContextManager[Keeper]]


class Wish(Record):
    """What the options of `mind observe` ask for."""

    config: str | None = None
    agent: str | None = None
    once: bool = False
    since_state: str | None = None
    deliver: bool = False
    dry_run: bool = False


def wish_of(wishes: dict[str, str | bool | None]) -> Wish:
    """Return options as a wish.

    Raises:
        UsageError: two options that exclude each other.
    """
    wish = msgspec.convert(wishes, Wish)
    if wish.deliver and wish.since_state is not None:
        raise UsageError("--deliver keeps what was seen in the store; leave --since-state out.")
    if wish.deliver and wish.dry_run:
        raise UsageError("--dry-run delivers nothing; leave --deliver out.")
    return wish


def observe(session: Session, kind: str, wish: Wish) -> None:
    """Let the observers of one kind print or deliver until they end, or look once.

    Raises:
        NothingToDoError: the configuration has none of this kind, or one look found nothing.
        UsageError: no configuration is named, or events are to be delivered to nobody.
    """
    around = _surroundings(session, wish.config, wish.agent)
    if wish.deliver:
        _whose(around.agent)
    place = _place(session, wish, around, kind)
    if wish.once and kind in _LOOKING:
        with place() as ends:
            if not observing.collect(around, ends, (kind,)):
                raise NothingToDoError("nothing is new.")
        return
    with place() as ends:
        if not around.observers(ends, (kind,)):
            raise NothingToDoError(f"the configuration has no {kind} to observe.")
        if wish.once:
            for program in around.programs(ends.take):
                output.say(f"mind observe: {program.run_once(threading.Event())}")
            return
    if around.config.http is not None and kind == "http":
        around.secret(around.config.http)
    with observing.Crew(around, place, patient=False, kinds=(kind,)) as crew:
        crew.wait()


def attend(session: Session, *, agent: str | None, config: str | None) -> None:
    """Bring what is new into an agent's inbox, then print what it would take up next.

    Raises:
        UsageError: neither an option nor the configuration names an agent, or there is no such one.
    """
    from mindpipe.agents import verbs as agents
    from mindpipe.loop import modes
    from mindpipe.loop.records import Session as LoopSession
    from mindpipe.loop.verbs import attending, moding, sessions
    from mindpipe.plans import verbs as plans
    from mindpipe.wiring.loop_rules import mode_rules

    observed = config is not None or session.settings.text("observe.config") is not None
    around = _surroundings(session, config, agent) if observed else None
    name = agents.show(session.store, name=_whose(around.agent if around else agent)).name
    deliver = deliver_to(session.store, session.clock, session.chance, session.settings)
    if around is not None:
        with observing.pushing(session.store_path, around)() as ends:
            observing.collect(around, ends)
    with contextlib.suppress(NothingToDoError):
        plans.due_push(session.store, session.clock, deliver=deliver, agent=name)
    now = session.clock.now()
    last = moding.last(session.store, agent=name)
    known = sessions.load(session.store, agent=name) or LoopSession(agent=name, at=now)
    known = msgspec.structs.replace(known, mode=moding.mode_of(last))
    rules = mode_rules(session.settings)
    limits = modes.attending(known.mode, rules, held=moding.is_held(last))
    found = attending.attend(session.store, session.clock, agent=name, session=known, limits=limits)
    session.write([found], columns=_ATTENDED)


def plans(session: Session, *, agent: str | None, deliver: bool) -> None:
    """Print the events of plans that are due, or put them into inboxes as well."""
    from mindpipe.plans import verbs

    if deliver:
        into = deliver_to(session.store, session.clock, session.chance, session.settings)
        events = verbs.due_push(session.store, session.clock, deliver=into, agent=agent)
        session.write(events, columns=_EVENTS)
        return
    verbs.due(session.store, session.clock, hand_over=_handing_over(session), agent=agent)


def check(session: Session, config: str | None) -> None:
    """Print what a configuration observes.

    Raises:
        BadInputError: it is none, or names what is not there; agents only where there is a store.
    """
    from mindpipe.agents import verbs as agents
    from mindpipe.wiring.observers.surveying import surveyed

    def unknown(agent: str) -> str | None:
        try:
            agents.show(session.store, name=agent)
        except UsageError as error:
            return str(error).removesuffix(".")
        return None

    def anybody(_agent: str) -> None:
        """Take every agent as known."""

    known = unknown if session.store_path.exists() else anybody
    found = surveyed(_file(session, config), os.environ, known)
    session.write(_rows(found), columns=_CHECKED)


def _rows(found: ObserverConfig) -> Iterator[Checked]:
    """Yield all that is observed, as rows."""

    def row(kind: str, what: str, entry: _Entry, boost: int | None = None) -> Checked:
        priority = Priority.NORMAL if boost is None else priority_of(boost)
        agent = entry.agent or found.agent
        name = entry.observer
        return Checked(observer=name, kind=kind, what=what, agent=agent, priority=int(priority))

    for point in found.points():
        yield row("files", point.path, point, point.priority_boost)
    for entry in found.git:
        yield row("git", entry.path, entry, entry.priority_boost)
    for watched in found.processes:
        words = " ".join(watched.command or (str(watched.pid),))
        yield row("process", words, watched, watched.priority_boost)
    for program in found.programs:
        yield row("program", " ".join(program.command), program)
    if found.http is not None:
        yield row("http", f"127.0.0.1:{found.http.port}", found.http)


def _whose(agent: str | None) -> str:
    """Return whose inbox is meant; raises UsageError where nobody's is."""
    if agent is None:
        raise UsageError("name whose inbox: --agent NAME, or agent: in the configuration.")
    return agent


def _surroundings(session: Session, config: str | None, agent: str | None) -> Surroundings:
    """Return what observers need."""
    return Surroundings(
        _file(session, config),
        agent=agent,
        settings=session.settings,
        clock=session.clock,
        chance=session.chance,
        tell=lambda words: output.say(f"mind observe: {words}"),
    )


def _file(session: Session, config: str | None) -> Path:
    """Return which configuration is meant; raises UsageError where none is."""
    name = config or session.settings.text("observe.config")
    if name is None:
        raise UsageError("name what to observe: --config FILE, or observe.config in mind.toml.")
    return Path(name)


def _place(session: Session, wish: Wish, around: Surroundings, kind: str) -> observing.Place:
    """Return where observers keep what they see, and where what they tell goes."""
    hand_over = _handing_over(session)
    if wish.deliver:
        return _announcing(session, observing.pushing(session.store_path, around), hand_over)
    if kind in _SPEAKING:
        return observing.printing(lambda: contextlib.nullcontext(ForgetfulKeeper()), hand_over)
    if wish.since_state is not None:
        keeper = functools.partial(_given, FileKeeper(Path(wish.since_state)))
    else:
        keeper = functools.partial(_store_keeper, session.store_path)
    if _only_looks(wish):
        keeper = functools.partial(_looking, keeper, {})
    return observing.printing(keeper, hand_over)


def _only_looks(wish: Wish) -> bool:
    """Tell whether what is seen is not to be remembered: as asked, or where a person only looks."""
    if wish.dry_run:
        return True
    if wish.since_state is not None or not output.on_terminal("stdout"):
        return False
    output.say("mind observe: a terminal reads this, so it is not remembered as seen; see --help.")
    return True


@contextlib.contextmanager
def _given(keeper: Keeper) -> Iterator[Keeper]:
    """Keep what was seen in one keeper, whoever asks."""
    yield keeper


@contextlib.contextmanager
def _looking(open_keeper: _OpenKeeper, looked_at: dict[str, Remembered]) -> Iterator[Keeper]:
    """Know what a keeper has kept, and leave it as it is."""
    with open_keeper() as inner:
        yield LookingKeeper(inner, looked_at)


@contextlib.contextmanager
def _store_keeper(path: Path) -> Iterator[Keeper]:
    """Keep what was seen in a store, and deliver nothing."""
    store = open_store(path)
    try:
        yield StoreKeeper(store, lambda _events: None)
    finally:
        store.close()


def _announcing(session: Session, place: observing.Place, hand_over: HandOver) -> observing.Place:
    """Return a place from which what was committed is printed as well."""

    @contextlib.contextmanager
    def announced() -> Iterator[observing.Ends]:
        with place() as ends:

            def take(pieces: Sequence[Piece], filing: Filing) -> list[Receipt]:
                receipts = ends.take(pieces, filing)
                with _PRINTING:
                    session.write(receipts, columns=RECEIPTS)
                    output.flush()
                return receipts

            yield observing.Ends(AnnouncingKeeper(ends.keeper, hand_over), take)

    return announced


def _handing_over(session: Session) -> Callable[[list[NewEvent]], None]:
    """Return what prints events, whole, from whatever thread."""

    def hand_over(events: list[NewEvent]) -> None:
        with _PRINTING:
            session.write(events, columns=_EVENTS)
            output.flush()

    return hand_over
