"""An agent in process whose loop attends, thinks with a scripted model, and looks back."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from histories import ANTHROPIC
from living import AGENT, TOOLS, Life, MortalStore
from loopback.turns import Turn
from mindpipe.agents.records import AgentChange
from mindpipe.core.ports import Model
from mindpipe.inbox.records import Bounds as Room
from mindpipe.inbox.verbs.push import deliverer
from mindpipe.loop.adjusting import adjusted
from mindpipe.loop.attention_records import Attended, Attending, Concern, Relevance
from mindpipe.loop.modes import ModeRules, Shift
from mindpipe.loop.records import Bounds, Iteration, LifeState, Session
from mindpipe.loop.records import Life as Marked
from mindpipe.loop.reflection_records import Reflected, Reflecting
from mindpipe.loop.verbs import attending, concerns, living, reflecting
from mindpipe.loop.worker import LoopRules, Phases, Worker
from mindpipe.think.records import Choice, CycleReport, Limits
from mindpipe.think.verbs import cycle
from plays import Play, Scripted, call, calls

SAYS: Play = (Turn(text="Good morning."),)
FAILS: Play = (calls(call("pure")), Turn(text="It did not work."))
MARKED = Marked(
    id="r_1",
    agent=AGENT,
    state=LifeState.RUNNING,
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
    reflected: Reflected


class Mulling(Life):
    """An agent whose every cycle takes `seconds` on its clock; `meanwhile` runs after each."""

    def __init__(self, folder: Path, *, threshold: float = 9.0) -> None:
        super().__init__(folder, AgentChange(tools=TOOLS, memory_threshold=threshold))
        self.seconds = 10.0
        self.seen: list[Seen] = []
        self.meanwhile: Callable[[int], None] = lambda _: None
        self.rules = Reflecting()
        self.modes = ModeRules()
        self.model: Model = Scripted(ANTHROPIC, {}, otherwise=SAYS)
        self.said: list[str] = []

    def concern(self, name: str, **fields: object) -> None:
        """Give the agent a concern that is about the events of a source of its name."""
        known = {"about": Relevance(sources=(name,)), **fields}
        made = Concern(agent=AGENT, name=name, **known)
        with self.open() as store:
            concerns.add(store, self.clock, concern=made, rules=Attending())

    def focus(self, name: str | None) -> None:
        """Move the focus."""
        with self.open() as store:
            concerns.focus(store, self.clock, self.chance, agent=AGENT, name=name)

    def live(self, iterations: int) -> list[Seen]:
        """Live so many cycles in the real loop and return what each was."""
        before = len(self.seen)
        with self.open() as store:
            list(living.run([self._worker(store)], bounds=Bounds(cycles=iterations)))
        return self.seen[before:]

    @contextlib.contextmanager
    def mirror(self) -> Iterator[reflecting.Mirror]:
        """Return what looks back."""
        with self.open() as store:
            yield self._mirror(store)

    def _mirror(self, store: MortalStore) -> reflecting.Mirror:
        deliver = deliverer(store, self.clock, self.chance, bounds=Room(max_open=1_000_000))
        return reflecting.Mirror(store, self.clock, self.chance, deliver, self.rules)

    def _worker(self, store: MortalStore) -> Worker:
        mirror = self._mirror(store)

        def observe(session: Session, limits: Attending) -> Attended:
            seen = attending.attend(store, self.clock, agent=AGENT, session=session, limits=limits)
            reflecting.trigger_idle(mirror, attended=seen, session=session)
            return seen

        def think(choice: Choice) -> CycleReport:
            report = cycle.think(
                self.means(store, self.model), agent=AGENT, limits=Limits(), choice=choice
            )
            self.clock.pass_time(self.seconds)
            self.meanwhile(len(self.seen) + 1)
            return report

        def reflect(iteration: Iteration, attended: Attended, _: Session) -> float:
            found = reflecting.reflect(mirror, iteration=iteration, attended=attended)
            self.seen.append(Seen(attended, iteration, found))
            return found.significance

        def adjust(session: Session, attended: Attended, follows: Shift | None) -> Shift | None:
            asked = reflecting.adjustments(store, agent=AGENT)
            return adjusted(session.mode, follows, asked, attended, iteration=session.iteration)

        return Worker(
            store=store,
            clock=self.clock,
            chance=self.chance,
            deliver=mirror.deliver,
            life=MARKED,
            phases=Phases(observe=observe, think=think, reflect=reflect, adjust=adjust),
            rules=LoopRules(modes=self.modes),
            wait=self.clock.pass_time,
            check=lambda: None,
            tell=self.said.append,
            note=self.said.append,
        )
