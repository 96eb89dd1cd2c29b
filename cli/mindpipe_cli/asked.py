"""What the options of `mind compact` ask for, over a store and over messages alike."""

from typing import Literal

from mindpipe.agents.records import Agent, StrategyName
from mindpipe.compaction.plans.material import Wish
from mindpipe.compaction.verbs.planning import wish_of
from mindpipe.core.records import Record


class Asked(Record):
    """The options; where one has no value the agent's own setting holds.

    `format`, `repair`, `sdk`, `strict_roles` and `file` are about messages without a store.
    """

    agent: str | None = None
    budget: int | None = None
    keep_cycles: int | None = None
    strategy: StrategyName | None = None
    floor: float | None = None
    explain: bool = False
    inbox: str | None = None
    model: str | None = None
    record: str | None = None
    format: str | None = None
    repair: bool = False
    sdk: Literal[5, 6, 7] = 6
    strict_roles: bool = False
    output: str | None = None
    file: str = "-"

    def wish(self, agent: Agent) -> Wish:
        """Return what is wanted of a plan for an agent."""
        wish = wish_of(agent)
        return wish._replace(
            budget=self.budget or wish.budget,
            keep_cycles=wish.keep_cycles if self.keep_cycles is None else self.keep_cycles,
            strategy=self.strategy or wish.strategy,
            inbox=self.inbox or "",
            explain=self.explain,
            if_over=self.budget is not None,
            floor=self.floor or 0.0,
        )
