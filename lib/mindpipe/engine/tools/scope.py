"""Where a built-in tool works: whose it is, what it may reach, and what its turn has read."""

from collections.abc import Iterable

import msgspec

from mindpipe.context.verbs import origins
from mindpipe.core.errors import UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import Chance, Clock, Deliver, Store
from mindpipe.core.sources import joined
from mindpipe.engine.tables import journal
from mindpipe.recall.records import FilesOf, no_files
from mindpipe.spaces import verbs as spaces
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import TriggerRun

ToolAnswer = dict[str, object]


def _to_nobody(_events: list[NewEvent]) -> None:
    """Push nothing."""


class ToolScope(msgspec.Struct, frozen=True, kw_only=True):
    """Where a built-in tool works: whose it is, in which cycle, and the id of the call.

    `sources` names whose words the turn has read: what it writes inherits them; `trust` those that
    may be acted on. A message
    `max_depth` hops deep wakes no agent; nobody can wait where nothing is `lasting`. Outside of a
    cycle (0), `earlier` is the one in which the call was proposed. `workers` names the programs
    that take tasks; where they are not known, nobody is refused. `files` answers from files
    that an index leads to. Below `folders` its plans may expect files; likewise.
    """

    store: Store
    clock: Clock
    chance: Chance
    agent: str
    deliver: Deliver = _to_nobody
    cycle: int = 0
    call: str = ""
    sources: tuple[str, ...] = ()
    trust: tuple[str, ...] = ()
    max_depth: int = 5
    workers: tuple[str, ...] | None = None
    folders: tuple[str, ...] | None = None
    lasting: bool = True
    earlier: int = 0
    files: FilesOf = no_files

    def run(self) -> TriggerRun | None:
        """Return the run for which it is done; None for a cycle of before there were runs."""
        return runs.current(self.store, agent=self.agent, cycle=self.cycle or self.earlier)

    def take_in(self, *groups: Iterable[str]) -> None:
        """Remember whose words an answer brings into the cycle."""
        sources = joined(*groups)
        origins.add(self.store, agent=self.agent, cycle=self.cycle, sources=sources)

    def take_in_cycle(self, cycle: int) -> None:
        """Remember whose words an answer brings in that tells of an earlier cycle."""
        lived = origins.of_cycles(self.store, agent=self.agent, first=cycle, last=cycle)
        self.take_in(*lived.values())

    def place(self) -> str | None:
        """Return the space that the agent is in."""
        with self.store.read() as rows:
            return journal.place_of(rows, agent=self.agent)

    def move(self, space: str | None) -> None:
        """Put the agent into a space, or out of all."""
        with self.store.write(self.agent) as rows:
            journal.set_place(rows, agent=self.agent, space=space)

    def space(self, asked: str | None) -> str:
        """Return the name of the space that is asked for, else of the one the agent is in."""
        if asked is None:
            here = self.place()
            if here is None:
                raise UsageError("You are in no space. Name one, or enter one first.")
            return here
        mine = spaces.list_(self.store, member=self.agent)
        found = [space.name for space in mine if asked in (space.name, space.title)]
        if len(found) != 1:
            names = ", ".join(space.name for space in mine) or "none"
            raise UsageError(f"You are in no space {asked!r}. Your spaces: {names}.")
        return found[0]
