"""Fit a window into its budget."""

from collections.abc import Sequence
from typing import NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.compaction.verbs.material import MaterialPorts
from mindpipe.context.budget.assembly import assemble, budget_of
from mindpipe.context.budget.records import Allocations, Budget, Portion
from mindpipe.context.recollection.records import LatelyOf, nothing_lately
from mindpipe.context.records import Block, Knowledge
from mindpipe.context.verbs import origins
from mindpipe.context.verbs.recollections import About, Recollecting, more_blocks
from mindpipe.core.ports import Clock, Store, Tokens
from mindpipe.core.sources import joined

_LAST = "INSTRUCTIONS"


class Fitting(NamedTuple):
    """What a prompt is filled with: ports, rules, the window, and what a loop tells."""

    store: Store
    clock: Clock
    tokens: Tokens
    knowledge: Knowledge = Knowledge()
    allocations: Allocations = Allocations()
    lately: LatelyOf = nothing_lately


class Fitted(NamedTuple):
    """The blocks that fit, in their order, whose words memory brought, and what each part took."""

    blocks: tuple[Block, ...]
    origins: tuple[str, ...]
    portions: tuple[Portion, ...]


def fitted(
    means: Fitting,
    agent: Agent,
    blocks: Sequence[Block],
    about: About,
    *,
    beside: int = 0,
    news: int = 0,
) -> Fitted:
    """Return what fits of a timeline's blocks and of memory, which stands before instructions.

    `beside` are the tokens of tools, `news` those of what the cycle begins with.

    Raises:
        RefusedError: identity, instructions and trigger, which are always whole, do not fit.
    """
    budget = budget_for(agent, means.allocations)
    recollecting = Recollecting(
        means.store,
        means.clock,
        means.tokens,
        means.knowledge,
        budget,
        means.lately(means.store, agent.name),
    )
    more = more_blocks(recollecting, agent, about)
    ordered = [
        *(one for one in blocks if one.title != _LAST),
        *(one.block for one in more),
        *(one for one in blocks if one.title == _LAST),
    ]
    found = assemble(ordered, budget, means.tokens, beside=beside, news=news)
    shown = {one.title for one in found.blocks}
    origins = joined(*(one.origins for one in more if one.block.title in shown))
    return Fitted(found.blocks, origins, found.portions)


def budget_for(agent: Agent, allocations: Allocations) -> Budget:
    """Return how the window of an agent is divided."""
    window = min(allocations.context_window, agent.max_tokens)
    return budget_of(allocations, window=window, reply=agent.reply_tokens)


def ports_of(store: Store, clock: Clock, tokens: Tokens) -> MaterialPorts:
    """Return what a window of any agent is planned and written with, without a model."""

    def sources(agent: str, first: int, last: int) -> dict[int, tuple[str, ...]]:
        return origins.taken_in(store, agent=agent, first=first, last=last)

    return MaterialPorts(store=store, clock=clock, tokens=tokens, sources=sources)
