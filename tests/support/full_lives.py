"""Lives in which everything happens: talk, notes, goals, plans, memory, beliefs, folded windows."""

import contextlib
from collections.abc import Callable
from pathlib import Path

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import note as notes
from mindpipe.compaction.plans.lines import plan_octets
from mindpipe.compaction.records import Compaction, WindowPlan
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.records import to_json
from mindpipe.engine.delivery import announce_to
from mindpipe.history.verbs import attachments
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions
from mindpipe.life.verbs.consolidating import consolidate_recorded
from mindpipe.life.verbs.folds import apply_recorded, undo_recorded
from mindpipe.life.verbs.rows import carried
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import NewPlan
from mindpipe.settings import Settings
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost
from support.life import AGENT
from support.windows import Long

FOLDED_AFTER = 6


class FullLife(Long):
    """A life of which every day is another: `day` lives one, `rows_now` is all that it has."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, 0, AgentChange(min_recent_cycles=2))
        self.days = 0

    def day(self, listen: Callable[[], None] = lambda: None) -> None:
        """Live a cycle, with all that may stand around it; `listen` is called as it has ended."""
        self.days += 1
        number = self.days
        with self.open() as store:
            ports = (store, self.clock, self.chance)
            notes.set_(store, self.clock, agent=AGENT, key=f"k{number % 3}", value=f"v{number}")
            goal = goals.add(*ports, agent=AGENT, text=f"Reach {number}.")
            if number % 3 == 0:
                goals.remove(store, agent=AGENT, goal=goal.id)
                notes.delete(store, agent=AGENT, key="k0")
            plan = plans.add(*ports, agent=AGENT, new=NewPlan(title=f"p{number}", after="2h"))
            if number % 2:
                plans.remove(store, agent=AGENT, plan=plan.id)
            said = NewItem(
                id=f"it_{number}",
                text=f"I live in Town{number // 3}.",
                speaker="husam",
                origin="human",
            )
            memory.add(*ports, agent=AGENT, given=[said])
            spaces.post(
                *ports,
                space="family",
                post=NewPost(sender="husam", text=f"My dog is called Rex{number}."),
                deliver=announce_to(*ports, Settings(options={}, environment={})),
                files=(attachments.attached("a.txt", f"page {number}".encode()),),
            )
        self.live()
        listen()
        if number % FOLDED_AFTER == 0:
            self.fold()
        with self.open() as store, contextlib.suppress(NothingToDoError):
            options = ConsolidateOptions(rules=SlotRules(), limit=2)
            list(
                consolidate_recorded(self.recorder(store), self.clock, agent=AGENT, options=options)
            )

    def apply(self, planned: WindowPlan) -> Compaction:
        """Put a planned window in force, as people do it."""
        with self.ports() as ports:
            octets = plan_octets(planned)
            return apply_recorded(
                self.recorder(ports.store), ports, agent=AGENT, octets=octets, source="p"
            )

    def undo(self) -> Compaction:
        """Bring the window back that was before, as people do it."""
        with self.ports() as ports:
            return undo_recorded(self.recorder(ports.store), ports, agent=AGENT)

    def rows_of(self, *, cycle: int | None = None) -> list[bytes]:
        """Return the lines of all rows of the life, as they are or were."""
        with self.open() as store, store.read() as rows:
            return [
                to_json([header.table, *row])
                for header, found in carried(rows, agent=AGENT, cycle=cycle)
                for row in found
            ]
