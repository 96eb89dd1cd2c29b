"""`mind observe`: what happens outside becomes events: files, commits, processes."""

import threading
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    WRITTEN,
    agent_of_all_option,
    any_agent_option,
    dry_run_option,
    only_agent,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mindpipe.core.events import NewEvent
    from mindpipe.inbox.records import Receipt
    from mindpipe.observers.adapters.threads import ObserverContext, Place
    from mindpipe.observers.records import ObserverConfig

_EVENTS = ("agent", "source", "priority", "text")
_CHECKED = ("observer", "kind", "what", "agent", "priority_boost", "priority")
_PRINTING = threading.Lock()
_ATTENDED = ("agent", "mode", "concern", "events", "queue", "urgent", "oldest_seconds")

config_option = click.option(
    "--config", metavar="FILE", help="What to observe, as YAML [observe.config]."
)
once_option = click.option("--once", is_flag=True, help="Look or run once, and end.")
state_option = click.option(
    "--since-state",
    type=WRITTEN,
    metavar="FILE",
    help="Keep what was seen in this file, not in the store.",
)
deliver_option = click.option(
    "--deliver",
    is_flag=True,
    help="Put events into the inbox, in one transaction with what was seen.",
)


class ObserveOptions(Record):
    """The options of what observes; not every one is an option of every observer."""

    config: str | None = None
    agent: str | None = None
    once: bool = False
    since_state: str | None = None
    deliver: bool = False
    dry_run: bool = False
    folder: str | None = None


@command("observe", example="mind observe --agent ava --config observe.yaml")
@any_agent_option
@config_option
def alone(session: Session, agent: str | None, config: str | None) -> None:
    """Look once at all that is observed, and print what the next iteration would take up.

    What is new in folders and repositories, and plans that are due, go into the agent's inbox. What
    is taken up is what the mode of its loop (mind run mode) lets it.
    In it, concern is whose turn it is (mind concern; others are events of no concern, consolidation
    is the program's own work in idle time). Without --agent it is agent: of the configuration.
    Without a configuration only plans are looked at. mind run does this by itself, all the time:
    plans always, the rest where observe.config or --observe names a file.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.engine.delivery import deliver_to
    from mindpipe.engine.phase_lines import fields_of
    from mindpipe.engine.verbs import concern
    from mindpipe.engine.worker_rules import mode_rules
    from mindpipe.observers.verbs.observe import observe, pushing

    store, clock = session.store, session.clock
    observed = config is not None or session.settings.observe.config is not None
    around = _around(session, config, agent) if observed else None
    whose = around.agent if around else agent
    name = agents.show(store, name=whose or only_agent(session)).name
    observe(
        store,
        clock,
        agent=name,
        deliver=deliver_to(store, clock, session.chance, session.settings),
        around=around,
        place=pushing(session.where, around) if around else None,
    )
    found = concern.attend_now(store, clock, agent=name, rules=mode_rules(session.settings))
    session.write([fields_of(found)], columns=_ATTENDED)


@command(
    "files",
    example="mind observe files --config observe.yaml | mind inbox push --stream --agent ava",
)
@click.argument("folder", metavar="[FOLDER]", required=False)
@config_option
@any_agent_option
@once_option
@state_option
@deliver_option
@dry_run_option
def files(session: Session, *, folder: str | None, **values: object) -> None:
    """Print an event for each change of the files that observation points mean, or of a FOLDER.

    It stays until it is ended; with --once it looks once, as mind observe alone does.
    A change is told once nothing moved for half a second, one for each file; what happened while
    nobody looked is told at the next look. The first look at a folder only remembers what is there,
    unless the configuration says "initial: report". Where the reader of stdout dies, what it had
    not taken may come again, under the same keys; with --deliver nothing is lost or doubled.
    On a terminal nothing is remembered as seen, unless --deliver or --since-state is given.

    All that is in FOLDER is told, and then what changes; it needs no configuration and no store,
    and remembers only with --since-state or --deliver what it has told.
    """
    from mindpipe.observers.verbs import observe

    options = _options_of(values)
    if folder is None:
        around = _around(session, options.config, options.agent)
    else:
        options = msgspec.structs.replace(options, folder=folder)
        around = _around_folder(session, folder, options)
    place = _place(session, options, around)
    observe.files(around, place, once=options.once)


@command("git", example="mind observe git --config observe.yaml --once")
@config_option
@any_agent_option
@once_option
@state_option
@deliver_option
@dry_run_option
def git(session: Session, **values: object) -> None:
    """Print an event for each new commit, and for branches and tags that were made or moved.

    It stays until it is ended; with --once it looks once, as mind observe alone does.
    Each commit is told once, the oldest first, however many branches have it. A branch that was
    forced elsewhere is told as ref_reset. On a terminal nothing is remembered as seen, unless
    --deliver or --since-state is given.
    """
    from mindpipe.observers.verbs import observe

    options = _options_of(values)
    around = _around(session, options.config, options.agent)
    place = _place(session, options, around)
    observe.git(around, place, once=options.once)


@command("processes", example="mind observe processes --config observe.yaml")
@config_option
@any_agent_option
@state_option
@deliver_option
@dry_run_option
def processes(session: Session, **values: object) -> None:
    """Print when processes start and how they end: those that run, by pid, and commands to run.

    Ends when all have ended. Of a process that somebody else began the status is not known.
    """
    from mindpipe.observers.verbs import observe

    options = _options_of(values)
    around = _around(session, options.config, options.agent)
    place = _place(session, options, around)
    observe.processes(around, place)


@command("program", example="mind observe program --config observe.yaml --deliver")
@config_option
@any_agent_option
@deliver_option
@once_option
def program(session: Session, **values: object) -> None:
    """Run programs that stay and print an event for each line of theirs.

    A line is an event as mind inbox push reads it; one that is none is named on stderr and left
    out. A program that ends is started again, after 1 s at first and 60 s at most; with --once it
    is not.
    """
    from mindpipe.observers.verbs import observe

    options = _options_of(values)
    around = _around(session, options.config, options.agent)
    place = _place(session, options, around, speaks=True)
    observe.program(around, place, once=options.once)


@command("http", example="mind observe http --config observe.yaml --deliver")
@config_option
@any_agent_option
@deliver_option
def http(session: Session, **values: object) -> None:
    """Listen on 127.0.0.1 and print an event for each line of signed requests to POST /events.

    X-Mind-Signature is "sha256=" and the HMAC-SHA256 of X-Mind-Time, a dot, X-Mind-Key, a dot and
    the body. The time is Unix seconds, at most 5 minutes off. A key stands for its request: sent
    again it changes nothing. Status 200 comes when all is stored, or printed.
    """
    from mindpipe.observers.verbs import observe

    options = _options_of(values)
    around = _around(session, options.config, options.agent)
    place = _place(session, options, around, speaks=True)
    observe.http(around, place)


@command("plans", example="mind observe plans --agent ava | mind inbox push")
@agent_of_all_option
@deliver_option
def plans(session: Session, agent: str | None, *, deliver: bool) -> None:
    """Print an event for each plan that is due, as mind plan due does.

    Nothing due is exit status 3.
    """
    from mindpipe.engine.delivery import deliver_to
    from mindpipe.observers.verbs import observe

    store, clock = session.store, session.clock
    into = deliver_to(store, clock, session.chance, session.settings) if deliver else None
    observe.plans(store, clock, agent=agent, hand_over=_printing(session), deliver=into)


@command("check", example="mind observe check --config observe.yaml")
@config_option
def check(session: Session, config: str | None) -> None:
    """Check a configuration and print what it observes; faults are named with their lines.

    Folders, repositories, programs and the secret must be there, and where there is a store the
    agents. Anything wrong is exit status 65. Which priority a boost is, and what is ignored, is
    said on stderr.
    """
    import os

    from mindpipe.agents.verbs import agent as agents
    from mindpipe.observers.verbs import observe

    has_store = session.is_there

    def unknown(agent: str) -> str | None:
        try:
            if has_store:
                agents.show(session.store, name=agent)
        except UsageError as error:
            return str(error).removesuffix(".")
        return None

    found = observe.check(_file(session, config), os.environ, unknown, _tell)
    session.write(found, columns=_CHECKED)


def _tell(words: str) -> None:
    """Say something of observers to a person."""
    output.say(f"mind observe: {words}")


def _options_of(values: dict[str, object]) -> ObserveOptions:
    """Return the options; raises UsageError for two that exclude each other."""
    options = msgspec.convert(values, ObserveOptions)
    if options.deliver and options.since_state is not None:
        raise UsageError("--deliver keeps what was seen in the store; leave --since-state out.")
    if options.deliver and options.dry_run:
        raise UsageError("--dry-run delivers nothing; leave --deliver out.")
    return options


def _around(session: Session, config: str | None, agent: str | None) -> "ObserverContext":
    """Return what observers need."""
    from mindpipe.observers.adapters.threads import config_of

    file = _file(session, config)
    return _context(session, config_of(file), file.resolve().parent, agent)


def _around_folder(session: Session, folder: str, options: ObserveOptions) -> "ObserverContext":
    """Return what is needed to observe one folder; all that is in it is told.

    Raises:
        UsageError: a configuration is named as well.
    """
    from pathlib import Path

    from mindpipe.observers.records import ObserverConfig, Point

    if options.config is not None:
        raise UsageError("give a FOLDER or --config FILE, not both.")
    points: dict[str, tuple[Point, ...]] = {"folder": (Point(path="**", observer="files"),)}
    config = ObserverConfig(initial="report", observation_points=points)
    return _context(session, config, Path(folder), options.agent)


def _context(
    session: Session, config: "ObserverConfig", folder: "Path", agent: str | None
) -> "ObserverContext":
    """Return a configuration with what observers need."""
    from mindpipe.observers.adapters.threads import ObserverContext

    return ObserverContext(
        config,
        folder,
        agent=agent,
        settings=session.settings,
        clock=session.clock,
        chance=session.chance,
        tell=_tell,
    )


def _file(session: Session, config: str | None) -> "Path":
    """Return which configuration is meant; raises UsageError where none is."""
    from pathlib import Path

    name = config or session.settings.observe.config
    if name is None:
        raise UsageError("name what to observe: --config FILE, or observe.config in mind.toml.")
    return Path(name)


def _place(
    session: Session, options: ObserveOptions, around: "ObserverContext", *, speaks: bool = False
) -> "Place":
    """Return where observers keep what they see, and where what they tell goes.

    What `speaks` by itself has seen nothing that could be kept.

    Raises:
        UsageError: events are to be delivered, to an agent that is not there, or nobody is named
            and there is not just one.
    """
    from pathlib import Path

    from mindpipe.agents.verbs import agent as agents
    from mindpipe.observers.adapters import keepers
    from mindpipe.observers.adapters.check import named_agents
    from mindpipe.observers.adapters.threads import announcing, printing
    from mindpipe.observers.verbs.observe import in_store, pushing

    hand_over = _printing(session)
    if options.deliver:
        around.agent = around.agent or only_agent(session)
        for name in {around.agent, *named_agents(around.config).values()}:
            agents.show(session.store, name=name)
        place = pushing(session.where, around)
        return announcing(place, hand_over, _reporting(session))
    if speaks:
        return printing(keepers.forgetful, hand_over)
    if options.since_state is not None:
        keeper = keepers.in_file(Path(options.since_state))
    elif options.folder is not None:
        return printing(keepers.looking(keepers.forgetful), hand_over)
    else:
        keeper = in_store(session.where)
    if _only_looks(options):
        keeper = keepers.looking(keeper)
    return printing(keeper, hand_over)


def _only_looks(options: ObserveOptions) -> bool:
    """Tell whether what is seen is not to be remembered: as asked, or where a person only looks."""
    if options.dry_run:
        return True
    if options.since_state is not None or not output.on_terminal("stdout"):
        return False
    output.say("mind observe: a terminal reads this, so it is not remembered as seen; see --help.")
    return True


def _printing(session: Session) -> "Callable[[list[NewEvent]], None]":
    """Return what prints events, whole, from whatever thread."""

    def hand_over(events: "list[NewEvent]") -> None:
        with _PRINTING:
            session.write(events, columns=_EVENTS)
            output.flush()

    return hand_over


def _reporting(session: Session) -> "Callable[[list[Receipt]], None]":
    """Return what prints the receipts of events, whole, from whatever thread."""
    from mindpipe_cli.inbox import RECEIPT

    def report(receipts: "list[Receipt]") -> None:
        with _PRINTING:
            session.write(receipts, columns=RECEIPT)
            output.flush()

    return report


COMMAND = group("observe", files, git, processes, program, http, plans, check, alone=alone)
