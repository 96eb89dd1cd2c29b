"""Plan a window: load what is sent, decide, and write nothing."""

from math import ceil
from typing import NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.compaction.parts.sizing import head_tokens, tokens_by_kind
from mindpipe.compaction.plans.material import Wish
from mindpipe.compaction.plans.planner import plan_window
from mindpipe.compaction.records import WindowPlan
from mindpipe.compaction.verbs import loading
from mindpipe.compaction.verbs.loading import Ports, Present
from mindpipe.core.messages import Head
from mindpipe.history.verbs import cycles

BUDGET_SHARE = 0.7
"""A window is cut to this share of an agent's `max_tokens`, so that it is not cut every cycle."""
SAVING_SHARE = 0.1
"""What a compaction by itself has to save of `max_tokens`, where the agent has no `min_saving`."""


def plan(ports: Ports, *, wish: Wish) -> WindowPlan:
    """Return the window that would take the place of the present one; nothing is written.

    Only what is sent now, and what was lived since, is read. No transaction is open while a model
    is asked.

    Raises:
        NothingToDoError: there is no history, no cycle would leave, or the window would not shrink.
        RefusedError: system text and tools alone leave no room for a summary.
    """
    return plan_window(loading.material(ports, agent=wish.agent), wish)


def wish_of(agent: Agent, *, automatic: bool = False) -> Wish:
    """Return what an agent's own settings ask of a plan."""
    saving = agent.min_saving
    return Wish(
        agent=agent.name,
        strategy=agent.compaction,
        budget=max(1, int(agent.max_tokens * BUDGET_SHARE)),
        keep_cycles=agent.min_recent_cycles,
        min_saving=int(agent.max_tokens * SAVING_SHARE) if saving is None else saving,
        automatic=automatic,
    )


class Size(NamedTuple):
    """The tokens of all that is sent now, as the provider counts.

    `head` is system text and tools, `closed` the window and every closed cycle that is sent,
    `open` the cycle that is not closed yet.
    """

    head: int
    closed: int
    open: int

    @property
    def total(self) -> int:
        """Return all of them."""
        return self.head + self.closed + self.open


def sent_size(ports: Ports, *, agent: str, head: Head | None = None) -> Size:
    """Return how many tokens are sent now, or would be under another head; no message is read.

    Raises:
        NothingToDoError: the agent has no history.
    """
    with ports.store.read():
        return size_of(ports, loading.present(ports, agent=agent), head=head)


def size_of(ports: Ports, now: Present, *, head: Head | None = None) -> Size:
    """Return how many tokens something that may be sent of an agent's history has."""
    count, agent = ports.tokens.count, now.segment.agent
    with ports.store.read():
        sizes = cycles.cycles_tokens(ports.store, agent=agent, since_cycle=now.since)
        through = cycles.last_closed(ports.store, agent=agent)
    if now.planned is None:
        told = count(now.segment.head.summary or "")
    else:
        kinds = tokens_by_kind(now.planned.parts, head=0, count=count, calibration=1.0)
        told = sum(kinds.values())
    closed = sum(size.tokens for size in sizes if size.cycle <= through)
    still = sum(size.tokens for size in sizes if size.cycle > through)
    before = now.head if head is None else head_tokens(head, count=count)
    counts = (before, told + closed, still)
    return Size(*(ceil(one * now.calibration) for one in counts))
