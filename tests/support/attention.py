"""An agent in process whose loop attends, thinks with a scripted model, and looks back."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mindpipe.agents.records import AgentChange
from mindpipe.core.ports import Model
from mindpipe.engine.dependencies import RulePorts
from mindpipe.engine.records.attention import (
    Attended,
    AttentionRules,
    Concern,
    IterationReflection,
    ReflectionRules,
    Relevance,
)
from mindpipe.engine.records.journal import CycleLimits, CycleReport, EventChoice
from mindpipe.engine.verbs import concern, run
from mindpipe.engine.verbs import concern as concerns
from mindpipe.engine.verbs import reflect as reflecting
from mindpipe.engine.verbs import think as cycle
from mindpipe.engine.worker.modes import ModeRules, ModeShift, adjusted
from mindpipe.engine.worker.phases import LoopRules, Phases, Worker
from mindpipe.inbox.records import Bounds as Room
from mindpipe.inbox.verbs.push import deliverer
from mindpipe.workers.records import Checkpoint, Iteration, WorkerBounds, WorkerSessionState
from mindpipe.workers.records import WorkerSession as Marked
from support.histories import ANTHROPIC
from support.life import AGENT, TOOLS, Life, MortalStore
from support.loopback.turns import Turn
from support.scripted_model import Play, Scripted, call, calls

SAYS: Play = (Turn(text="Good morning."),)
FAILS: Play = (calls(call("pure")), Turn(text="It did not work."))
MARKED = Marked(
    id="r_1",
    agent=AGENT,
    state=WorkerSessionState.RUNNING,
    pid=1,
    born="1",
    boot="boot-1",
    program="0",
    schema=1,
    started="2026-11-21T20:00:00Z",
)


@dataclass
class Seen:
    """What one iteration attended to and what was said of it."""

    attended: Attended
    iteration: Iteration
    reflected: IterationReflection


class Mulling(Life):
    """An agent whose every cycle takes `seconds` on its clock; `meanwhile` runs after each."""

    def __init__(self, folder: Path, *, threshold: float = 9.0) -> None:
        super().__init__(folder, AgentChange(tools=TOOLS, memory_threshold=threshold))
        self.seconds = 10.0
        self.seen: list[Seen] = []
        self.meanwhile: Callable[[int], None] = lambda _: None
        self.rules = ReflectionRules()
        self.modes = ModeRules()
        self.model: Model = Scripted(ANTHROPIC, {}, otherwise=SAYS)
        self.said: list[str] = []

    def concern(self, name: str, **fields: object) -> None:
        """Give the agent a concern that is about the events of a source of its name."""
        known = {"about": Relevance(sources=(name,)), **fields}
        made = Concern(agent=AGENT, name=name, **known)
        with self.open() as store:
            concerns.add(store, self.clock, concern=made, rules=AttentionRules())

    def focus(self, name: str | None) -> None:
        """Move the focus."""
        with self.open() as store:
            concerns.focus(store, self.clock, self.chance, agent=AGENT, name=name)

    def live(self, iterations: int) -> list[Seen]:
        """Live so many cycles in the real loop and return what each was."""
        before = len(self.seen)
        with self.open() as store:
            list(run.run([self._worker(store)], bounds=WorkerBounds(cycles=iterations)))
        return self.seen[before:]

    @contextlib.contextmanager
    def mirror(self) -> Iterator[reflecting.Reflector]:
        """Return what looks back."""
        with self.open() as store:
            yield self._mirror(store)

    def _mirror(self, store: MortalStore) -> reflecting.Reflector:
        deliver = deliverer(store, self.clock, self.chance, bounds=Room(max_open=1_000_000))
        return reflecting.Reflector(store, self.clock, self.chance, deliver, self.rules)

    def _worker(self, store: MortalStore) -> Worker:
        mirror = self._mirror(store)

        def observe(session: Checkpoint, limits: AttentionRules) -> Attended:
            seen = concern.attend(store, self.clock, agent=AGENT, session=session, limits=limits)
            reflecting.trigger_idle(mirror, attended=seen, session=session)
            return seen

        def think(choice: EventChoice) -> CycleReport:
            report = cycle.think(
                self.dependencies(store, self.model),
                agent=AGENT,
                limits=CycleLimits(),
                choice=choice,
            )
            self.clock.pass_time(self.seconds)
            self.meanwhile(len(self.seen) + 1)
            return report

        def reflect(ports: RulePorts, iteration: Iteration, attended: Attended) -> float:
            reflector = reflecting.Reflector(*ports, self.rules)
            found = reflecting.look_back(reflector, iteration=iteration, attended=attended)
            self.seen.append(Seen(attended, iteration, found))
            return found.significance

        def adjust(
            session: Checkpoint, attended: Attended, follows: ModeShift | None
        ) -> ModeShift | None:
            asked = reflecting.adjustments(store, agent=AGENT)
            return adjusted(session.mode, follows, asked, attended, iteration=session.iteration)

        return Worker(
            store=store,
            clock=self.clock,
            chance=self.chance,
            deliver=mirror.deliver,
            life=MARKED,
            phases=Phases(observe=observe, think=think, reflect=reflect, adjust=adjust),
            rules=LoopRules(modes=self.modes, reflecting=self.rules),
            recording=self.recorder(store).by_rules,
            wait=self.clock.pass_time,
            check=lambda: None,
            tell=self.said.append,
            note=self.said.append,
        )
