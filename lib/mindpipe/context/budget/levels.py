"""Who gets how much of a window: one table, read from above."""

from typing import NamedTuple

from mindpipe.context.budget.records import Allocations, Budget, Level
from mindpipe.context.records import SectionName


class Rule(NamedTuple):
    """What a section draws on, and its share, floor and ceiling in percent of that allocation.

    Where space is short the higher `priority` goes first. No ceiling: it is always whole.
    """

    priority: int
    allocation: str
    share: int
    floor: int
    ceiling: int | None


RULES: dict[SectionName, Rule] = {
    "system": Rule(100, "system_prompt", 100, 100, None),
    "observations": Rule(95, "observations", 100, 66, 133),
    "working_memory": Rule(90, "working_memory", 100, 66, 116),
    "task": Rule(85, "task_context", 100, 0, 150),
    "self_model": Rule(85, "self_model", 100, 100, 100),
    "episodic": Rule(80, "retrieved_memories", 40, 20, 80),
    "semantic": Rule(75, "retrieved_memories", 32, 16, 60),
    "procedural": Rule(70, "retrieved_memories", 12, 0, 40),
    "graph": Rule(65, "retrieved_memories", 8, 0, 40),
    "statistics": Rule(60, "retrieved_memories", 8, 0, 20),
}

# Of blocks that share a section, the first here is the first that gets room.
TITLES: tuple[str, ...] = (
    "TRIGGER",
    "ACTIVE SPACE",
    "YOUR SPACES",
    "SPACE HISTORY",
    "ACTIVE RUNS",
    "WORKING MEMORY",
    "TASK",
    "PLANS",
    "GOALS",
    "SELF",
    "MEMORIES",
    "KNOWLEDGE",
    "FACTS",
)

WHOLE = frozenset({"TRIGGER"})
"""Blocks of which all is kept that is not longer than their section may ever be."""

NEWEST_LAST = frozenset({"SPACE HISTORY", "WORKING MEMORY"})
"""Blocks of which the end is kept where not all of it fits; of others the beginning is."""


def budget_of(allocations: Allocations, *, window: int, reply: int = 0) -> Budget:
    """Return how a window of so many tokens is divided, in the proportions of the allocations.

    What is kept for the reply is the scratch space, or the tokens of the longest `reply` where
    these are more, but no more than half of the window.
    """
    scratch = _scaled(allocations.scratch_space, allocations, window)
    parts = allocations.parts()
    return Budget(
        window=window,
        reserve=max(scratch, min(reply, window // 2)),
        levels={
            name: _level(rule, _scaled(parts[rule.allocation], allocations, window))
            for name, rule in RULES.items()
        },
    )


def _scaled(part: int, allocations: Allocations, window: int) -> int:
    """Return a part of the allocations as a part of a window, rounded down."""
    return part * window // allocations.context_window


def _level(rule: Rule, tokens: int) -> Level:
    """Return the level of a section of so many tokens."""
    return Level(
        floor=tokens * rule.floor // 100,
        share=tokens * rule.share // 100,
        ceiling=None if rule.ceiling is None else tokens * rule.ceiling // 100,
    )
