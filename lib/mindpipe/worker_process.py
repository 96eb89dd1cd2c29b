"""Put together workers that stay: their marked sessions, their stoppable ports, their phases."""

import contextlib
import functools
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import MindError, NothingToDoError, UnavailableError, UsageError
from mindpipe.core.events import Command
from mindpipe.core.instants import seconds_between
from mindpipe.core.records import Record
from mindpipe.core.text import counted
from mindpipe.engine.cycle import compaction, postconditions, window
from mindpipe.engine.cycle.emergency import EmergencyError
from mindpipe.engine.cycle.postconditions import JUDGE
from mindpipe.engine.decision_rules import decision_rules
from mindpipe.engine.delivery import announce_to
from mindpipe.engine.dependencies import (
    Dependencies,
    NoRules,
    RulePorts,
    RuleRecording,
    limits_of,
)
from mindpipe.engine.records.attention import Attended, AttentionRules
from mindpipe.engine.records.journal import CycleReport, EventChoice
from mindpipe.engine.verbs import act, concern, reflect, think
from mindpipe.engine.worker import commands, crashes, delegation
from mindpipe.engine.worker import log as worker_log
from mindpipe.engine.worker.fleet import Fleet, FleetPorts
from mindpipe.engine.worker.heartbeat import INTERVAL_SECONDS, beating
from mindpipe.engine.worker.interrupts import (
    Alarm,
    EndableClock,
    StoppableModel,
    StoppablePrograms,
    StopSignal,
    obey_commands,
    obey_emergencies,
)
from mindpipe.engine.worker.loop import ASK_SECONDS
from mindpipe.engine.worker.modes import ModeShift
from mindpipe.engine.worker.phases import JudgedDecisions, Phases, Worker
from mindpipe.engine.worker.plan_clock import PlanClock
from mindpipe.engine.worker.task_programs import delegation_of
from mindpipe.engine.worker_rules import loop_rules, reflecting_of
from mindpipe.io.folders import digest_of
from mindpipe.io.log import Logbook
from mindpipe.io.processes import born_of
from mindpipe.io.programs import LocalPrograms
from mindpipe.knowledge.keys import added_to
from mindpipe.knowledge.verbs import consolidate, observation
from mindpipe.knowledge.verbs.model_reader import ModelReader
from mindpipe.knowledge.verbs.reader import forget_auto, reader_for
from mindpipe.language.readers import model_of
from mindpipe.language.records import StatementReader
from mindpipe.life.operations import ARCHIVE, DUE, REVALIDATE, ArchiveAsked
from mindpipe.memory.verbs import memory
from mindpipe.monitoring.watch import IterationWatch, logbook_of
from mindpipe.plans import verbs as plans
from mindpipe.store import recovery_log
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.postgres.clock import machine_of
from mindpipe.store.presence import present
from mindpipe.store.watch import ToldWatch, Wait, watching
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import (
    Checkpoint,
    Iteration,
    LoopMode,
    WorkerSession,
    WorkerSessionState,
)

if TYPE_CHECKING:
    from mindpipe.app import App
    from mindpipe.core.ports import Programs
    from mindpipe.store.engine import EngineStore


def push_due(recording: RuleRecording, ports: RulePorts, *, agent: str) -> None:
    """Push the events of an agent's plans that are due, if any is."""
    with (
        contextlib.suppress(NothingToDoError),
        recording(ports, agent=agent, kind=DUE, asked=NoRules(), rules=NoRules()) as recorded,
    ):
        plans.due_push(recorded.store, recorded.clock, deliver=recorded.deliver, agent=agent)


class WorkerOptions(NamedTuple):
    """Whose worker stays, which model it asks, where turns are recorded, which commands it heeds.

    One that lives any of many agents heeds no stop that one of them is told.
    """

    agent: str
    model: str | None
    record: Path | None
    heeds: Collection[Command] = frozenset(Command)


class Interruptions(NamedTuple):
    """What ends or interrupts a worker's calls: signals, and emergencies in its inbox."""

    stop: StopSignal
    alarm: Alarm


class AgentPhases:
    """Where one agent's phases are played: its store, its life, and what interrupts it."""

    def __init__(
        self,
        app: "App",
        store: "EngineStore",
        interruptions: Interruptions,
        life: WorkerSession,
        options: WorkerOptions,
        *,
        tell: Callable[[str], None],
    ) -> None:
        self._app, self._store, self._life, self._options = app, store, life, options
        self._stop, self._alarm = interruptions
        self._tell = tell
        self._made: tuple[Agent, Dependencies] | None = None
        self._kept: Programs | None = None
        self._rules = decision_rules(app.settings)
        self._has_acted = False
        self._delegation = delegation_of(app.settings, store=store.where, clock=app.clock)
        deliver = announce_to(store, app.clock, app.chance, app.settings)
        self._ports = RulePorts(store, app.clock, app.chance, deliver)
        self._reflecting = reflecting_of(app.settings)
        self._recording = app.rule_recording(store)

    def phases(self) -> Phases:
        """Return the phases."""
        return Phases(
            observe=self._observe,
            think=self._think,
            decide=self._decide,
            act=self._act,
            reflect=self._reflect,
            consolidate=self._consolidate,
            develop=self._develop,
            adjust=self._adjust,
            remind=self._remind,
        )

    def close(self) -> None:
        """Let the MCP servers of its tools end, if it has any."""
        if self._kept is not None:
            from mindpipe.io.mcp_sessions import KeptServers

            if isinstance(self._kept, KeptServers):
                self._kept.close()

    def check(self) -> None:
        """Do what the operator commands meanwhile; raise if the life has to end."""
        self._heed(obey_commands)

    def _check_in_a_cycle(self) -> None:
        """Raise if a step is not to be taken: the life ends, or an emergency came."""
        self._heed(obey_emergencies)
        self._alarm.check()

    def _heed(self, obey: Callable[..., object]) -> None:
        """Obey what the life is to heed, unless it has to end."""
        require_going_on(self._store, self._stop)
        obey(
            self._store,
            self._app.clock,
            self._stop,
            agent=self._life.agent,
            owner=self._life.id,
            only=self._options.heeds,
        )

    def _remind(self) -> float | None:
        """Push the events of plans that are due, and judge the windows that are over.

        Returns in how many seconds the next one is due.
        """
        store, clock, name = self._store, self._app.clock, self._life.agent
        push_due(self._recording, self._ports, agent=name)
        if plans.unjudged(store, agent=name):
            deps = self._deps(agents.show(store, name=name))
            with deps.recording(deps, agent=name, kind=JUDGE, asked=NoRules()) as recorded:
                postconditions.judge(recorded, agent=name)
        coming = plans.next_window(store, agent=name)
        return None if coming is None else max(0.0, seconds_between(clock.now(), coming))

    def _observe(self, session: Checkpoint, limits: AttentionRules) -> Attended:
        """Say what is attended to; a concern whose idle time has come gets its turn."""
        store, clock, name = self._store, self._app.clock, self._life.agent
        seen = concern.attend(store, clock, agent=name, session=session, limits=limits)
        if seen.events or not self._trigger_idle(seen, session):
            return seen
        return concern.attend(store, clock, agent=name, session=session, limits=limits)

    def _trigger_idle(self, seen: Attended, session: Checkpoint) -> bool:
        """Push an event for each concern whose idle time has come; tell whether there was one."""
        asked = reflect.IdleAsked(attended=seen, session=session)
        with self._by_rules(reflect.IDLE, asked, self._reflecting) as ports:
            return reflect.trigger_idle(
                reflect.Reflector(*ports, self._reflecting), attended=seen, session=session
            )

    def _by_rules(
        self, kind: str, asked: Record, rules: Record
    ) -> contextlib.AbstractContextManager[RulePorts]:
        """Give ports that are recorded, for what is done by rules alone."""
        agent = self._life.agent
        return self._recording(self._ports, agent=agent, kind=kind, asked=asked, rules=rules)

    def _think(self, choice: EventChoice) -> CycleReport:
        """Live one cycle with the agent's settings of now."""
        agent = agents.show(self._store, name=self._life.agent)
        limits = limits_of(agent)
        with self._alarm.around(agent.name):
            return think.think(self._deps(agent), agent=agent.name, limits=limits, choice=choice)

    def _decide(self) -> JudgedDecisions:
        """Judge what the agent proposed."""
        with self._by_rules(act.DECIDE, NoRules(), self._rules) as ports:
            made = act.decide(ports, agent=self._life.agent, rules=self._rules)
        sure = [one.proposal.confidence for one in made]
        return JudgedDecisions(
            decided=len(made), confidence=sum(sure) / len(sure) if sure else None
        )

    def _act(self) -> int:
        """Do what was decided; return how much was applied."""
        agent = agents.show(self._store, name=self._life.agent)
        try:
            with self._alarm.around(agent.name):
                deps = self._deps(agent)
                if not self._has_acted:
                    # Whoever sent tasks before may have died over it.
                    delegation.recover(deps, self._delegation, agent=agent.name)
                    self._has_acted = True
                done = act.act(
                    deps, agent=agent.name, rules=self._rules, delegation=self._delegation
                )
        except EmergencyError:
            # What is left of it is done next time, after the emergency.
            return 0
        return len(done.applied)

    def _reflect(self, ports: RulePorts, iteration: Iteration, attended: Attended) -> float | None:
        """Look back on an iteration."""
        reflector = reflect.Reflector(*ports, self._reflecting)
        return reflect.look_back(reflector, iteration=iteration, attended=attended).significance

    def _adjust(
        self, session: Checkpoint, attended: Attended, follows: ModeShift | None
    ) -> ModeShift | None:
        """Return the change of mode that patterns over iterations leave, or ask for."""
        return reflect.adjust(self._store, session, attended, follows)

    def _consolidate(self) -> str:
        """Fold the window, turn memory into what is held true, look again at what is due of it."""
        store, name = self._store, self._life.agent
        deps = self._deps(agents.show(store, name=name))
        before = window.newest(deps.store, agent=name)
        window.after(deps, agent=name)
        said = ["the window was folded"] if window.newest(deps.store, agent=name) > before else []
        rules = self._app.knowledge().rules
        changed = looked = 0
        with contextlib.suppress(NothingToDoError), self._reader() as reader:
            how = consolidate.ConsolidateOptions(rules=rules, reader=reader, tell=self._tell)
            for _ in self._app.consolidate(store, agent=name, options=how):
                changed += 1
        try:
            due = observation.RevalidationDue(limit=consolidate.LIMIT)
            with self._by_rules(REVALIDATE, due, NoRules()) as ports:
                looked = len(
                    observation.revalidate(
                        ports.store, ports.clock, agent=name, due=due, rules=rules
                    )
                )
        except NothingToDoError:
            pass
        said += [f"{counted(changed, 'subject')} changed"] if changed else []
        said += [f"{counted(looked, 'observation')} changed status"] if looked else []
        return ", ".join(said)

    @contextlib.contextmanager
    def _reader(self) -> Iterator[StatementReader]:
        """Give who reads statements; a model is held against the caps of the agent."""
        name, wanted = self._life.agent, self._app.settings.knowledge.reader
        model, named = model_of(wanted), added_to(self._app.knowledge().rules.slots)
        if model is None:
            yield reader_for(
                self._store,
                agent=name,
                wanted=wanted,
                digest=digest_of,
                named=named,
                given=self._app.settings.is_given("knowledge.reader"),
            )
            return
        agent = agents.show(self._store, name=name)
        forget_auto(self._store, agent=name)
        deps = self._stoppable_dependencies(agent, model) if model else self._deps(agent)
        with compaction.held(deps, name) as work:
            label = deps.models.model.target.label()
            yield ModelReader(
                compaction.writer(deps, work), model=label, tell=self._tell, named=named
            )

    def _develop(self) -> str:
        """Look back on a day, and set aside what has faded from memory."""
        name = self._life.agent
        said: list[str] = []
        with (
            contextlib.suppress(NothingToDoError),
            self._by_rules(reflect.REFLECT_DAY, NoRules(), NoRules()) as ports,
        ):
            made = reflect.day(ports.store, ports.clock, ports.chance, agent=name)
            said.append(f"reflection {made.id}")
        with (
            contextlib.suppress(NothingToDoError),
            self._by_rules(ARCHIVE, ArchiveAsked(), NoRules()) as ports,
        ):
            faded = memory.archive(ports.store, ports.clock, agent=name)
            said.append(f"{len(faded)} faded items set aside")
        return ", ".join(said)

    def _deps(self, agent: Agent) -> Dependencies:
        """Return what the agent thinks and acts with, made anew only when its settings change."""
        if self._made is None or self._made[0] != agent:
            self._made = (agent, self._stoppable_dependencies(agent, self._options.model))
        return self._made[1]

    def _stoppable_dependencies(self, agent: Agent, model: str | None) -> Dependencies:
        """Return what the agent thinks and acts with, all of which can be stopped."""
        models = self._app.models_of(agent, model, record=self._options.record)
        stop, alarm = self._stop, self._alarm
        local = LocalPrograms(sooner=alarm.ends_at, calls=stop.programs)
        # Its servers go on as they are while its settings change.
        programs = self._kept or self._app.with_servers(
            agent, local, sooner=alarm.ends_at, calls=stop.programs, tell=self._tell
        )
        self._kept = None if programs is local else programs
        deps = self._app.dependencies(
            self._store,
            models,
            agent,
            None,
            tell=self._tell,
            programs=StoppablePrograms(programs, stop, alarm),
        )
        replace = msgspec.structs.replace
        other = deps.models.fallback
        return replace(
            deps,
            clock=EndableClock(deps.clock, alarm),
            models=replace(
                deps.models,
                model=StoppableModel(deps.models.model, stop, alarm),
                fallback=other and StoppableModel(other, stop, alarm),
            ),
            holder=replace(deps.holder, owner=self._life.id, check=self._check_in_a_cycle),
        )


Tell = Callable[[str], None]
"""Says in words what a worker waits for."""


class WorkerGroup(NamedTuple):
    """Who stays in one process, whose life before crashed, what observes, and which program."""

    members: Sequence[WorkerOptions]
    program: str
    mending: Collection[str] = ()
    observe: Path | None = None


class MemberOptions(NamedTuple):
    """What a fleet's worker lives by: patterns of names, and options of its members as of others.

    `recover` puts right what lost lives left. Without patience it ends once nobody is due.
    """

    patterns: Sequence[str]
    program: str
    recover: Callable[[], object]
    model: str | None = None
    record: Path | None = None
    patient: bool = True


_FOREVER = 1e9
"""Seconds; who holds on does so for as long as it lives."""


@contextlib.contextmanager
def staying(
    app: "App",
    store: "EngineStore",
    stop: StopSignal,
    group: WorkerGroup,
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
    for options in group.members:
        _check_models(app, store, options)
    names = [options.agent for options in group.members]
    with contextlib.ExitStack() as stack:
        stack.enter_context(present(store, app.clock, names=names))
        host = stack.enter_context(_hosting(app, store, stop, group, tell))
        for options in group.members:
            _rest_after_crashes(app, store, options.agent, tell)
        sessions = [stack.enter_context(host.living(options)) for options in group.members]
        stack.enter_context(host.listening())
        if group.observe is not None:
            stack.enter_context(_observing(app, store, group.observe, group.members, tell))
        yield [
            host.worker(life, options)
            for life, options in zip(sessions, group.members, strict=True)
        ]


@contextlib.contextmanager
def fleet_of(
    app: "App",
    store: "EngineStore",
    stop: StopSignal,
    options: MemberOptions,
    *,
    tell: Tell,
) -> Iterator[Fleet]:
    """Give a fleet's worker, which lives those agents that are due and that nobody lives.

    An agent whose life is let go leaves no row of it behind; one that is held when the block ends
    has a clean life.

    Raises:
        RecoveryError: the store is in RECOVERY.
    """
    group = WorkerGroup((), options.program)
    with (
        present(store, app.clock, names=options.patterns),
        _hosting(app, store, stop, group, tell) as host,
        host.listening(),
    ):
        fleet = Fleet(
            FleetPorts(
                store=store,
                clock=app.clock,
                check=host.check,
                wait=host.wait,
                tell=tell,
                take=functools.partial(host.take, options),
                let_go=host.let_go,
                pass_on=host.pass_on,
                recover=options.recover,
            ),
            patterns=options.patterns,
            patient=options.patient,
        )
        yield fleet


def _check_models(
    app: "App", store: "EngineStore", options: WorkerOptions, *, programs: bool = False
) -> None:
    """Raise UsageError or UnavailableError, with the agent's name, where it has no model.

    With `programs`, one without a fallback that is a program has to be there, too.
    """
    agent = agents.show(store, name=options.agent)
    try:
        found = app.models_of(agent, options.model, record=options.record)
        if programs and found.fallback is None:
            app.models.require_program(options.model or agent.model)
    except (UsageError, UnavailableError) as error:
        raise type(error)(f"{options.agent}: {error}") from None


def _log_life(
    logbook: Logbook, app: "App", life: WorkerSession, state: str, *, level: str = "INFO"
) -> None:
    """Log how a life stands."""
    fields = {"agent": life.agent, "life": life.id, "pid": life.pid, "state": state}
    with contextlib.suppress(MindError):
        logbook.write("life", fields, at=app.clock.now(), level=level)


class _Host:
    """A process of workers: what they share, and the lives that go on in it."""

    def __init__(
        self, app: "App", store: "EngineStore", stop: StopSignal, group: WorkerGroup, tell: Tell
    ) -> None:
        self._app, self._store, self._stop, self._tell = app, store, stop, tell
        self._group = group
        self._alarm = Alarm(store.where, app.clock, seconds=stop.tool_seconds, calls=stop.calls)
        self._logbook = logbook_of(app.settings)
        self._lives: dict[str, WorkerSession] = {}
        self._phases: dict[str, AgentPhases] = {}
        self._plans = PlanClock(app.where, app.clock, self._push, self._lives)
        self._watch: Wait | None = None

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Push the plans of who lives here, and say that they do to who cannot see it."""
        with contextlib.ExitStack() as stack:
            if self._logbook is not None:
                stack.callback(self._logbook.close)
            stack.enter_context(self._plans)
            if not isinstance(self._store.where, Path):
                stack.enter_context(
                    beating(self._hold_on, interval=INTERVAL_SECONDS, seconds=_FOREVER)
                )
            yield

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Hear of changes, and of emergencies."""
        with watching(self._store.where, longest=ASK_SECONDS) as self._watch, self._alarm:
            yield

    def wait(self, seconds: float) -> None:
        """Wait until the store may have moved, or the process is to end."""
        assert self._watch is not None, "who waits listens"
        if isinstance(self._watch, ToldWatch):
            self._watch.free = not self._lives
        with self._plans.resting(), self._stop.now():
            self._watch(seconds)

    def pass_on(self) -> None:
        """Tell another process of this one's that there is more to do."""
        if isinstance(self._watch, ToldWatch):
            self._watch.pass_on()

    def check(self) -> None:
        """Raise if the process was asked to stop, or its store went into RECOVERY."""
        require_going_on(self._store, self._stop)

    @contextlib.contextmanager
    def living(self, options: WorkerOptions) -> Iterator[WorkerSession]:
        """Mark a life as running, and as clean at the end."""
        with self._store.write(options.agent):
            life = self._life(options.agent)
            workers.begin(self._store, life)
            self._forget_stops(life)
        self._begin(life, mending=life.agent in self._group.mending)
        try:
            yield life
        finally:
            # A store that cannot be written to keeps the mark, and so the next worker recovers.
            with contextlib.suppress(MindError):
                workers.end(self._store, self._app.clock, run=life)
            self._end(life)

    def take(self, options: MemberOptions, agent: str) -> Worker | None:
        """Begin a life of an agent that nobody lives, None where somebody does by now.

        Raises:
            RefusedError: it lives elsewhere.
            TemporaryError: it crashed again and again, and rests.
            UsageError, UnavailableError: there is no such agent, or its model cannot be asked.
        """
        app, store = self._app, self._store
        whose = WorkerOptions(agent, options.model, options.record, heeds=commands.STANDING)
        # One transaction for what is only read: each is a way to a server and back.
        with store.read():
            agents.require_here(store, name=agent)
            _check_models(app, store, whose, programs=True)
            life = self._life(agent)
            mode = worker_log.mode_of(worker_log.last_change(store, agent=agent))
            is_mending = mode is LoopMode.RECOVERY
        # Marked first, so that who comes too late does not get ready in vain.
        with store.write(agent):
            if not workers.take(store, life):
                return None
            self._forget_stops(life)
        try:
            made = self.worker(life, whose, mending=is_mending)
        except BaseException:
            self._phases.pop(agent, None)
            with contextlib.suppress(MindError):
                workers.end(store, app.clock, run=life)
            raise
        self._begin(life, mending=is_mending)
        return made

    def let_go(self, worker: Worker) -> None:
        """Have nothing more to do with an agent that was taken."""
        self._end(worker.life)

    def worker(
        self, life: WorkerSession, options: WorkerOptions, *, mending: bool | None = None
    ) -> Worker:
        """Return the worker of one agent, put together for one life."""
        app, store = self._app, self._store
        watchman = IterationWatch(
            store,
            app.clock,
            app.chance,
            app.settings,
            agent=options.agent,
            book=self._logbook,
        )
        told = watchman.telling(self._tell)
        interruptions = Interruptions(self._stop, self._alarm)
        agent_phases = AgentPhases(app, store, interruptions, life, options, tell=told)
        self._phases[life.agent] = agent_phases
        return Worker(
            store=store,
            clock=app.clock,
            chance=app.chance,
            deliver=announce_to(store, app.clock, app.chance, app.settings),
            life=life,
            phases=msgspec.structs.replace(
                agent_phases.phases(), watch=watchman.heard, rest=watchman.rested
            ),
            rules=loop_rules(app.settings),
            mending=life.agent in self._group.mending if mending is None else mending,
            wait=self.wait,
            check=agent_phases.check,
            tell=told,
            note=watchman.telling(self._tell, level="INFO"),
            recording=app.rule_recording(store),
        )

    def _life(self, agent: str) -> WorkerSession:
        life = _life(self._app, agent, self._group.program, before=workers.count(self._store))
        if isinstance(self._store.where, Path):
            return life
        return msgspec.structs.replace(life, until=workers.held_until(self._app.clock))

    def _forget_stops(self, life: WorkerSession) -> None:
        commands.forget(self._store, self._app.clock, agent=life.agent, owner=life.id)

    def _begin(self, life: WorkerSession, *, mending: bool) -> None:
        self._lives[life.agent] = life
        if self._logbook is not None:
            if mending:
                _log_life(self._logbook, self._app, life, "crashed before", level="WARNING")
            _log_life(self._logbook, self._app, life, "begins")

    def _end(self, life: WorkerSession) -> None:
        if self._logbook is not None:
            _log_life(self._logbook, self._app, life, "ends")
        self._lives.pop(life.agent, None)
        phases = self._phases.pop(life.agent, None)
        if phases is not None:
            phases.close()

    def _hold_on(self) -> bool:
        """Say that the lives go on; raises StoreBusyError where the server is away."""
        lives = [life.id for life in list(self._lives.values())]
        if lives:
            # What somebody does with all agents, or one of them, is not to make them look lost.
            with contextlib.closing(self._app.open_store()) as held, held.noting() as rows:
                workers.hold_on(rows, self._app.clock, runs=lives)
        return True

    def _push(self, agent: str) -> None:
        app = self._app
        with contextlib.closing(app.open_store()) as store:
            deliver = announce_to(store, app.clock, app.chance, app.settings)
            ports = RulePorts(store, app.clock, app.chance, deliver)
            push_due(app.rule_recording(store), ports, agent=agent)


@contextlib.contextmanager
def _hosting(
    app: "App", store: "EngineStore", stop: StopSignal, group: WorkerGroup, tell: Tell
) -> Iterator[_Host]:
    """Give what hosts the workers of this process."""
    host = _Host(app, store, stop, group, tell)
    with host.at_work():
        yield host


def require_going_on(store: "EngineStore", stop: StopSignal) -> None:
    """Raise if a worker was asked to stop, or its store went into RECOVERY."""
    stop.check()
    refusal = recovery_log.refusal_of(store.where)
    if refusal is not None:
        store.refuse(refusal)
        raise refusal


def _observing(
    app: "App",
    store: "EngineStore",
    file: Path,
    members: Sequence[WorkerOptions],
    tell: Tell,
) -> contextlib.AbstractContextManager[None]:
    """Return the observers of a configuration, at work; what names no agent is for the first."""
    from mindpipe.observers.adapters.threads import ObserverContext, config_of
    from mindpipe.observers.verbs.observe import observing

    around = ObserverContext(
        config_of(file),
        file.resolve().parent,
        agent=members[0].agent,
        settings=app.settings,
        clock=app.clock,
        chance=app.chance,
        tell=tell,
    )
    return observing(store.where, around)


def _rest_after_crashes(app: "App", store: "EngineStore", agent: str, tell: Tell) -> None:
    """Wait, the longer the more lives crashed in a row at one place."""
    count = crashes.in_a_row(store, agent=agent)
    seconds = crashes.rest_after(count)
    if seconds:
        tell(f"{agent} crashed {count} times at the same place; resting {seconds:.0f} s.")
        app.clock.pause(seconds)


def _life(app: "App", agent: str, program: str, *, before: int) -> WorkerSession:
    """Return the life of this process, with so many before it."""
    now = app.clock.now()
    return WorkerSession(
        id=app.chance.new_id("r", agent, before),
        agent=agent,
        state=WorkerSessionState.RUNNING,
        pid=os.getpid(),
        born=born_of(os.getpid()) or "unknown",
        boot=machine_of(app.clock),
        program=program,
        schema=len(SCHEMA),
        started=now,
    )
