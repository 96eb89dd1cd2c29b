"""`mind run`: a worker that stays and thinks whenever something is due; what agents do, and how."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.ports import NO_LIMIT
from mindpipe.core.records import Record
from mindpipe.trigger_runs.records import TriggerRunState
from mindpipe.workers.records import LoopMode
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    StoredId,
    agent_option,
    agents_option,
    any_agent_option,
    every_option,
    explain_option,
    jobs_option,
    limit_option,
    model_options,
    offset_option,
    patterns_option,
    reason_option,
    wait_any_option,
    whole,
)
from mindpipe_cli.session import Session
from mindpipe_cli.think import COLUMNS as CYCLE_COLUMNS

if TYPE_CHECKING:
    from mindpipe.engine.records.journal import CycleReport
    from mindpipe.engine.worker.interrupts import StopSignal
    from mindpipe.engine.worker.timing import LoopPace
    from mindpipe.io.forks import EndedProcess, Forks
    from mindpipe.store.address import Where
    from mindpipe.trigger_runs.records import TriggerRun
    from mindpipe.workers.records import WorkerBounds

_MODES = tuple(mode.value for mode in LoopMode)
_NOW = ("agent", "mode", "since", "by", "held", "reason")
_CHANGED = ("agent", "at", "before", "after", "by", "reason")
_PACE = ("mode", "seconds", "by")
_FACTORS = ("part", "value", "factor", "seconds")

run_argument = click.argument("run", metavar="RUN", type=StoredId("agent_run"))


class RunOptions(Record):
    """The options of `mind run`."""

    agents: tuple[str, ...]
    model: str | None = None
    record: str | None = None
    once: bool = False
    cycles: int | None = None
    until: str | None = None
    observe: str | None = None
    wait_any: bool = False
    together: bool = False
    patterns: tuple[str, ...] = ()
    jobs: int = 1

    @property
    def named(self) -> str:
        """Return who is lived, in words."""
        return ", ".join(self.agents or self.patterns)


class PauseFactor(Record):
    """One factor of a pause: its value, what that multiplies by, and the seconds up to here.

    `value` is not there where nothing was measured, as of the base.
    """

    part: str
    value: float | str | msgspec.UnsetType = msgspec.UNSET
    factor: float
    seconds: float


class TriggerRunLine(Record):
    """One run in one line of a table: what began it, and whom it waits for.

    Where it names nobody that is `a reply` to what it said, or `anybody` in the space.
    """

    id: str
    agent: str
    state: str
    trigger: str
    space: str | None
    sender: str | None
    waits_for: str | None
    until: str | None
    cycles: int
    began: str
    ended: str | None


_COLUMNS = TriggerRunLine.__struct_fields__


@command("run", example="mind run --agent ava --model anthropic/claude-haiku-4-5")
@agents_option
@patterns_option
@model_options
@click.option("--once", is_flag=True, help="Without pauses, end as soon as nothing is due.")
@click.option("--cycles", type=whole(1), metavar="N", help="End after so many cycles.")
@click.option("--until", metavar="INSTANT", help="End at this time, after the cycle under way.")
@click.option("--together", is_flag=True, help="Several --agent take turns in one process.")
@jobs_option
@click.option(
    "--observe", metavar="FILE", help="What else to look at, as mind observe does [observe.config]."
)
@wait_any_option
def alone(session: Session, **values: object) -> None:
    """Stay and think whenever something is due, one record per cycle, until told to stop.

    Each iteration observes, thinks, decides, acts and reflects, which mind observe, think, decide,
    act and reflect do alone. How long it pauses between two, mind run timing explains; what it
    takes up depends on its mode, which mind run mode shows and sets. Something urgent begins at
    once; a plan that is due becomes an event at its time. Several --agent live each in a process of
    its own, so that none waits for another's model; with --together, --once or --cycles they take
    turns in one. Every 20 cycles or after 5 idle minutes memory is consolidated, once a day a
    reflection is made on the agent itself.

    With --agents it takes an agent of such a name that has something to do and no worker, also one
    that is new, and releases it afterwards. Any number of such workers share the agents, on any
    number of machines where the store is on a server, and an agent with nothing to do costs
    nothing. With --once an agent whose model fails stops no other: its error comes at the end.

    SIGTERM ends it with status 0: a model call is closed, a tool has 9 seconds left, the cycle
    stays open for the next worker. After a crash of an earlier run it first puts right what that
    one left.
    """
    options = msgspec.convert(values, RunOptions)
    if options.wait_any:
        session.choose("context.wait_any", value=True)
    _stay(session, msgspec.structs.replace(options, agents=tuple(dict.fromkeys(options.agents))))


@command("mode", example="mind run mode sleep --agent ava --reason 'quiet night'")
@click.argument("mode", required=False, type=click.Choice(_MODES), metavar="[MODE]")
@agent_option
@reason_option(required=False)
@click.option("--log", is_flag=True, help="All changes that are kept, the oldest first.")
@limit_option(100)
def mode(
    session: Session,
    mode: str | None,
    agent: str,
    reason: str | None,
    limit: int,
    *,
    log: bool,
) -> None:
    """Show the mode of an agent's loop, or set it to MODE; a loop that runs takes it up at once.

    Modes are normal, deep_focus, exploration, overload and sleep; recovery comes after a crash
    only. A mode that a person sets holds until a person sets another, whatever the loop would do by
    itself; normal lets it choose again, and its idle time begins anew. In a sleep that holds
    nothing but events of priority 0-2, and what waited too long, is taken up. Each change is kept
    with who made it and why.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.engine.verbs import run as runs
    from mindpipe.engine.worker.log import change_mode, list_changes

    agents.show(session.store, name=agent)
    if log and mode is not None:
        raise click.UsageError("--log shows changes; leave out the mode.")
    if log:
        changes = list_changes(session.store, agent=agent, limit=limit)
        session.write(changes, columns=_CHANGED)
    elif mode is not None:
        made = change_mode(
            session.store,
            session.clock,
            agent=agent,
            after=LoopMode(mode),
            by="operator",
            reason=reason or "set by hand",
        )
        session.write([made], columns=_CHANGED)
    else:
        session.write([runs.mode(session.store, agent=agent)], columns=_NOW)


@command("timing", example="mind run timing --explain --rate 12 --queue 60 --took 0.2")
@any_agent_option
@click.option("--mode", type=click.Choice(_MODES), help="The mode [normal].")
@click.option("--rate", type=click.FloatRange(0), metavar="N", help="Events that come a second.")
@click.option("--queue", type=click.FloatRange(0), metavar="N", help="Events that wait.")
@click.option(
    "--mean-queue", type=click.FloatRange(0), metavar="N", help="The average of these before."
)
@click.option(
    "--took", type=click.FloatRange(0), metavar="S", help="Seconds of the last iteration."
)
@click.option(
    "--mean-seconds", type=click.FloatRange(0), metavar="S", help="The average of these before."
)
@click.option("--urgent", is_flag=True, help="Something of priority 0-2 waits.")
@explain_option
def timing(session: Session, agent: str | None, *, explain: bool, **values: object) -> None:
    """Print how long a loop pauses after an iteration, in seconds.

    pause = base x arrivals x queue x load x mode, between loop.min_interval_ms and
    loop.max_interval_ms; none where something urgent waits. Queue and load are moving averages
    that start at their first value. With --explain each factor has a line. With --agent what is not
    given is what its loop last knew.
    """
    from mindpipe.engine.verbs import run as runs
    from mindpipe.engine.worker_rules import timing_rules

    given = msgspec.convert(values, runs.GivenLoad)
    rules = timing_rules(session.settings)
    known = runs.load_of(session.store, agent=agent) if agent is not None else None
    found = runs.timing(rules, given=given, known=known)
    if explain:
        session.write(_factors(found), columns=_FACTORS)
    else:
        session.write([found], columns=_PACE)


@command("list", example="mind run list --agent ava --state waiting_reply --table")
@any_agent_option
@click.option(
    "--state",
    "states",
    type=click.Choice([state.value for state in TriggerRunState]),
    multiple=True,
    help="In this state, or one of these [running, waiting_reply].",
)
@every_option
@limit_option(None)
@offset_option
def list_(
    session: Session,
    agent: str | None,
    states: tuple[str, ...],
    limit: int | None,
    offset: int,
    *,
    every: bool,
) -> None:
    """Print the runs that are under way or wait for a reply, the newest first."""
    from mindpipe.engine.verbs import run as runs

    found = runs.list_(
        session.store,
        agent=agent,
        states=tuple(TriggerRunState) if every else tuple(map(TriggerRunState, states)),
        limit=NO_LIMIT if limit is None else limit,
        offset=offset,
    )
    _write(session, found)


@command("show", example="mind run show run_5Q0vB1kXnYpWc2sRj8LdHa")
@run_argument
def show(session: Session, run: str) -> None:
    """Print one run whole: what began it, its cycles, and all that it waited for."""
    from mindpipe.engine.verbs import run as runs

    _write(session, [runs.show(session.store, run=run)])


@command("cancel", example="mind run cancel run_5Q0vB1kXnYpWc2sRj8LdHa --reason obsolete")
@run_argument
@reason_option(required=False)
def cancel(session: Session, run: str, reason: str | None) -> None:
    """Let a run that waits, or is to be tried again, not go on.

    What it said stays said. A message that comes then, or has come, begins a run of its own.
    """
    from mindpipe.engine.verbs import run as runs

    ended = runs.cancel(session.store, session.clock, run=run, reason=reason or "cancelled")
    _write(session, [ended])


def _stay(session: Session, options: RunOptions) -> None:
    """Live cycles until an end is reached or a signal comes; SIGTERM is an orderly end.

    Several agents live in a process each, unless the end counts what all of them did.

    Raises:
        NothingToDoError: with --once, nothing was due at all.
        RefusedError: the agent is a simulated person.
        KeyboardInterrupt: SIGINT came.
    """
    import signal

    from mindpipe.core.errors import NothingToDoError
    from mindpipe.core.instants import normal_instant
    from mindpipe.engine.worker.interrupts import StoppedError, stop_of
    from mindpipe.person.verbs import refusal
    from mindpipe.workers.records import WorkerBounds

    _require_sense(options)
    _say_if_nobody_is_named_so(session, options)
    for name in options.agents:
        refusal.require_none(session.store, agent=name)
    until = None if options.until is None else normal_instant(options.until)
    is_counted = bool(options.once or options.cycles)
    if options.jobs > 1 or (len(options.agents) > 1 and not (is_counted or options.together)):
        _recover(session)
        _stay_apart(session, options, until)
        return
    bounds = WorkerBounds(once=options.once, cycles=options.cycles, until=until)
    before = _iterations(session, options) if options.once else {}
    lived = 0
    with stop_of(session.settings) as stop:
        try:
            stays = _stay_in_fleet if options.patterns else _stay_together
            lived = stays(session, stop, options, bounds)
        except StoppedError:
            if stop.number == signal.SIGINT:
                raise KeyboardInterrupt from None
            return
    # Who only sent a task, or did what was approved, lived no cycle.
    if options.once and not lived and _iterations(session, options) == before:
        from mindpipe.spaces.verbs import unheard_words

        depth = session.settings.context.max_chain_depth
        unheard = (
            unheard_words(session.store, agent=agent, max_depth=depth) for agent in options.agents
        )
        words = "".join(dict.fromkeys(unheard))
        raise NothingToDoError(f"nothing is due for {options.named}.{words}")


def _iterations(session: Session, options: RunOptions) -> dict[str, int]:
    """Return the number of the last iteration of each agent that may live here and has some."""
    from mindpipe.engine.worker import log

    names = options.agents or _members(session, options)
    return log.last_iterations(session.store, agents=names)


def _say_if_nobody_is_named_so(session: Session, options: RunOptions) -> None:
    """Say of a fleet that nobody has its name by now, which may be spelled otherwise."""
    if options.patterns and not _members(session, options):
        _tell(f"no agent has such a name yet: {options.named}.")


def _members(session: Session, options: RunOptions) -> list[str]:
    """Return the agents of a fleet."""
    from fnmatch import fnmatchcase

    from mindpipe.agents.verbs import agent as agents

    names = [agent.name for agent in agents.list_(session.store)]
    return [name for name in names if any(fnmatchcase(name, one) for one in options.patterns)]


def _require_sense(options: RunOptions) -> None:
    """Raise UsageError for options that do not go together."""
    if options.patterns and (options.agents or options.together or options.observe):
        raise click.UsageError("--agents goes with none of --agent, --together and --observe.")
    if options.jobs > 1 and not options.patterns:
        raise click.UsageError("--jobs goes with --agents; each --agent has a process anyway.")
    if options.jobs > 1 and (options.once or options.cycles):
        raise click.UsageError("--jobs goes with neither --once nor --cycles.")


def _stay_in_fleet(
    session: Session, stop: "StopSignal", options: RunOptions, bounds: "WorkerBounds"
) -> int:
    """Live any agents of a fleet that are due; return how many cycles were lived."""
    from pathlib import Path

    from mindpipe import worker_process
    from mindpipe.core.version import VERSION
    from mindpipe.engine.verbs import run as runs

    _recover(session)
    fleet_options = worker_process.MemberOptions(
        patterns=options.patterns,
        program=VERSION,
        recover=lambda: _recover(session),
        model=options.model,
        record=Path(options.record) if options.record else None,
        patient=not bounds.once,
    )
    app = session.app.stoppable(stop)
    with worker_process.fleet_of(app, session.store, stop, fleet_options, tell=_tell) as fleet:
        _say_that_it_waits(options, bounds)
        return _print(session, runs.stay(fleet, bounds=bounds))


def _say_that_it_waits(options: RunOptions, bounds: "WorkerBounds") -> None:
    if output.on_terminal("stderr") and not bounds.once:
        _tell(f"waits for what comes to {options.named}; Ctrl-C ends it.")


def _print(session: Session, reports: Iterable["CycleReport"]) -> int:
    """Print what cycles did, each as soon as it is over; return how many were lived."""
    lived = 0
    for report in reports:
        lived += session.write([report], columns=CYCLE_COLUMNS)
        session.flush()
    return lived


def _stay_together(
    session: Session, stop: "StopSignal", options: RunOptions, bounds: "WorkerBounds"
) -> int:
    """Recover if an earlier worker crashed, then stay; return how many cycles were lived."""
    from pathlib import Path

    from mindpipe import worker_process
    from mindpipe.core.version import VERSION
    from mindpipe.engine.verbs import run as runs

    lost = _recover(session)
    for name in options.agents:
        # Somebody else may have put right what a worker left, and no life began since.
        if runs.mode(session.store, agent=name).mode is LoopMode.RECOVERY:
            lost.add(name)
    app = session.app.stoppable(stop)
    record = Path(options.record) if options.record else None
    observe = options.observe
    if observe is None:
        observe = session.settings.observe.config
    group = worker_process.WorkerGroup(
        members=[
            worker_process.WorkerOptions(name, options.model, record) for name in options.agents
        ],
        program=VERSION,
        mending=lost,
        observe=Path(observe) if observe else None,
    )
    with worker_process.staying(app, session.store, stop, group, tell=_tell) as workers:
        _say_that_it_waits(options, bounds)
        return _print(session, runs.run(workers, bounds=bounds))


def _recover(session: Session) -> set[str]:
    """Put right what crashed workers left, and return whose they were."""
    from mindpipe.engine.worker.recovery import Recovery
    from mindpipe.store.worker_sessions import lost_sessions

    lost = {life.agent for life in lost_sessions(session.where, session.clock)}
    recovery = Recovery(session.where, session.clock, session.chance, session.settings)
    for found in recovery.after_crash():
        if found.verdict != "ok":
            _tell(f"recovered: {found.check}: {found.found}.")
    return lost


def _stay_apart(session: Session, options: RunOptions, until: str | None) -> None:
    """Run `mind run` in several processes, each for an agent or any of a fleet; print their cycles.

    None waits for the model of another. The first agent's process also observes. One that is told
    to stop ends alone; one that fails ends all. What comes is heard by this process alone, which
    tells the others.

    Raises:
        KeyboardInterrupt: SIGINT came.
        click.exceptions.Exit: one failed, which said why.
        UsageError: there is no such agent.
    """
    import functools
    import gc
    import signal
    import threading

    from mindpipe.agents.verbs import agent as agents
    from mindpipe.engine.records.journal import CycleReport
    from mindpipe.io.forks import EndedProcess, Forks
    from mindpipe.store.watch import hear_through

    for name in options.agents:
        agents.show(session.store, name=name)
    session.store.close()
    # What all of them will need is loaded once, and shared.
    session.tokens.count("shared")
    gc.freeze()
    everywhere = {
        key: value if value is None else str(value) for key, value in session.options.items()
    }
    failed = 0
    with Forks() as forks:
        flags = ["--wait-any"] if options.wait_any else []
        flags += [f"--agents={pattern}" for pattern in options.patterns]
        places = [f"worker {place + 1}" for place in range(options.jobs)]
        for number, name in enumerate(options.agents or places):
            given = {
                **everywhere,
                "model": options.model,
                "record": options.record,
                "observe": "" if number or options.patterns else options.observe,
                "until": until,
                "agent": None if options.patterns else name,
            }
            forks.start(name, functools.partial(_run_alone, given, flags), hear=hear_through)
        threading.Thread(target=_tell_of_changes, args=(session.where, forks), daemon=True).start()
        for heard in forks.heard():
            if isinstance(heard, EndedProcess):
                if heard.status and not failed:
                    failed = _status_of(heard)
                    forks.send(signal.SIGTERM)
            else:
                session.write([msgspec.json.decode(heard, type=CycleReport)], columns=CYCLE_COLUMNS)
                session.flush()
    if forks.number == signal.SIGINT:
        raise KeyboardInterrupt
    if failed:
        raise click.exceptions.Exit(failed)


def _tell_of_changes(where: "Where", forks: "Forks") -> None:
    """Tell processes for as long as this one lives that their store may have changed."""
    import math

    from mindpipe.engine.worker.loop import ASK_SECONDS
    from mindpipe.store.watch import watching

    with watching(where, longest=ASK_SECONDS) as wait:
        while True:
            wait(math.inf)
            forks.tell()


def _run_alone(given: dict[str, str | None], flags: list[str]) -> int:
    """Run `mind run` for one agent or for any of a fleet; return its exit status."""
    from mindpipe_cli import main

    options = [f"--{name}={value}" for name, value in given.items() if value is not None]
    return int(main.run(["run", "--json", *flags, *options]))


def _status_of(ended: "EndedProcess") -> int:
    """Return the exit status for one that failed; who was killed could not say so."""
    from mindpipe.core.errors import ExitStatus

    if ended.status < 0:
        output.say(f"mind run: {ended.name}'s process was ended by signal {-ended.status}.")
        return int(ExitStatus.FAILED)
    return ended.status


def _tell(words: str) -> None:
    """Say why the worker waits, or what it found."""
    output.say(f"mind run: {words}")


def _factors(found: "LoopPace") -> Iterator[PauseFactor]:
    """Yield the factors of a pause in their order, and what came of them."""
    seconds = found.base
    yield PauseFactor(part="base", factor=1.0, seconds=seconds)
    for part, value, factor in (
        ("arrivals", found.rate, found.rate_factor),
        ("queue", found.mean_queue, found.queue_factor),
        ("load", found.mean_seconds, found.load_factor),
        ("mode", found.mode.value, found.mode_factor),
    ):
        seconds *= factor
        shown = round(value, 6) if isinstance(value, float) else value
        measured = msgspec.UNSET if shown is None else shown
        yield PauseFactor(part=part, value=measured, factor=factor, seconds=round(seconds, 6))
    yield PauseFactor(part="pause", value=found.by, factor=1.0, seconds=round(found.seconds, 6))


def _write(session: Session, found: "list[TriggerRun]") -> None:
    """Print runs: whole as JSON, else a line each."""
    if session.shape == "json":
        session.write(found, columns=_COLUMNS)
    else:
        session.write(map(_line, found), columns=_COLUMNS)


def _line(run: "TriggerRun") -> TriggerRunLine:
    """Return a run as one line."""
    wait = run.waiting
    return TriggerRunLine(
        id=run.id,
        agent=run.agent,
        state=run.state.value,
        trigger=run.trigger.type,
        space=run.trigger.space,
        sender=run.trigger.sender,
        waits_for=(wait.whom or ("anybody" if wait.anybody else "a reply")) if wait else None,
        until=wait.until if wait else None,
        cycles=len(run.cycles),
        began=run.began,
        ended=run.ended,
    )


COMMAND = group("run", mode, timing, list_, show, cancel, alone=alone)
