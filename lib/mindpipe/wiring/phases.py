"""Put together the phases of one agent's loop; each can be run alone by a command."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import Agent
from mindpipe.core.errors import NothingToDoError
from mindpipe.knowledge.verbs import consolidating, revalidating
from mindpipe.loop.adjusting import adjusted
from mindpipe.loop.attention_records import Attended, Attending
from mindpipe.loop.modes import Shift
from mindpipe.loop.records import Iteration, Life, Session
from mindpipe.loop.verbs import acting, attending, deciding, delegating, developing, reflecting
from mindpipe.loop.worker import Judged, Phases
from mindpipe.store import recovery_log
from mindpipe.stream.programs import LocalPrograms
from mindpipe.think.means import Means
from mindpipe.think.records import Choice, CycleReport, Limits
from mindpipe.think.verbs import compacting, cycle
from mindpipe.think.verbs.joining import EmergencyError
from mindpipe.wiring.attention_rules import reflecting_of
from mindpipe.wiring.deciding import rules_of
from mindpipe.wiring.delegating import delegation_of
from mindpipe.wiring.endable import EndableClock
from mindpipe.wiring.inboxes import announce_to
from mindpipe.wiring.interrupts import Alarm, obey, obey_in_a_cycle
from mindpipe.wiring.stopping import Stop, StoppableModel, StoppablePrograms
from mindpipe.wiring.worker import Workshop

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore


class Wish(NamedTuple):
    """Whose worker stays, which model it asks, and where turns are recorded."""

    agent: str
    model: str | None
    record: Path | None


class Ears(NamedTuple):
    """What ends or interrupts a worker's calls: signals, and emergencies in its inbox."""

    stop: Stop
    alarm: Alarm


class Stage:
    """Where one agent's phases are played: its store, its life, and what interrupts it."""

    def __init__(
        self,
        shop: Workshop,
        store: "SqliteStore",
        ears: Ears,
        life: Life,
        wish: Wish,
        *,
        tell: Callable[[str], None],
    ) -> None:
        self._shop, self._store, self._life, self._wish = shop, store, life, wish
        self._stop, self._alarm = ears
        self._tell = tell
        self._made: tuple[Agent, Means] | None = None
        self._rules = rules_of(shop.settings)
        self._has_acted = False
        self._delegation = delegation_of(shop.settings, store=store.path, clock=shop.clock)
        self._mirror = reflecting.Mirror(
            store,
            shop.clock,
            shop.chance,
            announce_to(store, shop.clock, shop.chance, shop.settings),
            reflecting_of(shop.settings),
        )

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
        )

    def check(self) -> None:
        """Do what the operator commands meanwhile; raise if the life has to end."""
        self._go_on()
        life = self._life
        obey(self._store, self._shop.clock, self._stop, agent=life.agent, owner=life.id)

    def _go_on(self) -> None:
        """Raise if the worker was asked to stop, or its store went into RECOVERY."""
        self._stop.check()
        entered = recovery_log.read(self._store.path).entered
        if entered is not None:
            refusal = recovery_log.refusal(self._store.path, entered)
            self._store.refuse(refusal)
            raise refusal

    def _check_in_a_cycle(self) -> None:
        """Raise if a step is not to be taken: the life ends, or an emergency came."""
        self._go_on()
        life = self._life
        obey_in_a_cycle(self._store, self._shop.clock, self._stop, agent=life.agent, owner=life.id)
        self._alarm.check()

    def _observe(self, session: Session, limits: Attending) -> Attended:
        """Say what is attended to; a concern whose idle time has come gets its turn."""
        store, clock, name = self._store, self._shop.clock, self._life.agent
        seen = attending.attend(store, clock, agent=name, session=session, limits=limits)
        if seen.events or not reflecting.trigger_idle(self._mirror, attended=seen, session=session):
            return seen
        return attending.attend(store, clock, agent=name, session=session, limits=limits)

    def _think(self, choice: Choice) -> CycleReport:
        """Live one cycle with the agent's settings of now."""
        agent = agents.show(self._store, name=self._life.agent)
        limits = Limits(turns=agent.max_turns, calls=agent.max_calls, seconds=agent.max_seconds)
        with self._alarm.around(agent.name):
            return cycle.think(self._means(agent), agent=agent.name, limits=limits, choice=choice)

    def _decide(self) -> Judged:
        """Judge what the agent proposed."""
        made = deciding.decide(
            self._store,
            self._shop.clock,
            self._mirror.deliver,
            agent=self._life.agent,
            rules=self._rules,
        )
        sure = [one.proposal.confidence for one in made]
        return Judged(decided=len(made), confidence=sum(sure) / len(sure) if sure else None)

    def _act(self) -> int:
        """Do what was decided; return how much was applied."""
        agent = agents.show(self._store, name=self._life.agent)
        try:
            with self._alarm.around(agent.name):
                means = self._means(agent)
                if not self._has_acted:
                    # Whoever sent tasks before may have died over it.
                    delegating.recover(means, self._delegation, agent=agent.name)
                    self._has_acted = True
                done = acting.act(
                    means, agent=agent.name, rules=self._rules, delegation=self._delegation
                )
        except EmergencyError:
            # What is left of it is done next time, after the emergency.
            return 0
        return len(done.applied)

    def _reflect(self, iteration: Iteration, attended: Attended, session: Session) -> float | None:
        """Look back on an iteration."""
        del session
        seen = reflecting.reflect(self._mirror, iteration=iteration, attended=attended)
        return seen.significance

    def _adjust(self, session: Session, attended: Attended, follows: Shift | None) -> Shift | None:
        """Return the change of mode that patterns over iterations leave, or ask for."""
        asked = reflecting.adjustments(self._store, agent=self._life.agent)
        return adjusted(session.mode, follows, asked, attended, iteration=session.iteration)

    def _consolidate(self) -> str:
        """Fold the window, turn memory into what is held true, look again at what is due of it."""
        store, clock, name = self._store, self._shop.clock, self._life.agent
        means = self._means(agents.show(store, name=name))
        before = compacting.newest(means, agent=name)
        compacting.after(means, agent=name)
        said = ["the window was folded"] if compacting.newest(means, agent=name) > before else []
        rules = self._shop.knowledge().rules
        changed = looked = 0
        try:
            for _ in consolidating.consolidate(
                store, clock, agent=name, wish=consolidating.Wish(rules=rules)
            ):
                changed += 1
        except NothingToDoError:
            pass
        try:
            due = revalidating.Due(limit=consolidating.LIMIT)
            looked = len(revalidating.revalidate(store, clock, agent=name, due=due, rules=rules))
        except NothingToDoError:
            pass
        said += [f"{changed} subjects changed"] if changed else []
        said += [f"{looked} observations changed their status"] if looked else []
        return ", ".join(said)

    def _develop(self) -> str:
        """Look back on a day."""
        shop = self._shop
        try:
            made = developing.develop(self._store, shop.clock, shop.chance, agent=self._life.agent)
        except NothingToDoError:
            return ""
        return f"reflection {made.id}"

    def _means(self, agent: Agent) -> Means:
        """Return what the agent thinks and acts with, made anew only when its settings change."""
        if self._made is None or self._made[0] != agent:
            self._made = (agent, self._stoppable_means(agent))
        return self._made[1]

    def _stoppable_means(self, agent: Agent) -> Means:
        """Return what the agent thinks and acts with, all of which can be stopped."""
        models = self._shop.models(self._wish.model, agent=agent, record=self._wish.record)
        means = self._shop.means(self._store, models, agent, None, tell=self._tell)
        stop, alarm = self._stop, self._alarm
        return msgspec.structs.replace(
            means,
            clock=EndableClock(means.clock, alarm),
            model=StoppableModel(means.model, stop, alarm),
            fallback=means.fallback and StoppableModel(means.fallback, stop, alarm),
            programs=StoppablePrograms(LocalPrograms(sooner=alarm.ends_at), stop, alarm),
            owner=self._life.id,
            check=self._check_in_a_cycle,
        )
