"""Make a window smaller in the middle of a cycle, in its own transaction and without a model."""

from mindpipe.agents.records import Agent
from mindpipe.compaction.plans.plan_lines import plan_octets
from mindpipe.compaction.records import Compaction
from mindpipe.compaction.verbs import planning, publishing
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.core.errors import NothingToDoError, RefusedError

SHRUNK_SHARE = 0.35
"""Of the closed cycles a request that was too long keeps this share of their tokens.

A history of twice what a model takes then fits, head and open cycle included.
"""


def shrink(ports: Ports, *, agent: Agent) -> Compaction | None:
    """Fold closed cycles for a model that found a request too long.

    It is called by whoever has the lease, in the open transaction. None is returned where nothing
    may leave the window, or system text and tools leave no room for one.
    """
    try:
        size = planning.sent_size(ports, agent=agent.name)
        wish = planning.wish_of(agent, automatic=True)
        budget = max(1, size.head + int(size.closed * SHRUNK_SHARE))
        planned = planning.plan(
            ports._replace(write=None), wish=wish._replace(budget=budget, min_saving=0)
        )
    except (NothingToDoError, RefusedError):
        return None
    return publishing.publish(ports, planned=planned, octets=plan_octets(planned))
