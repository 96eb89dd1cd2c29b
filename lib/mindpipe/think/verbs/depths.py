"""How deep in a chain of agents a cycle is, also where an agent set it off by a call of its own."""

from mindpipe.context.triggers import depth_of
from mindpipe.core.errors import UsageError
from mindpipe.decisions.verbs import queue as decisions
from mindpipe.inbox.records import Event
from mindpipe.runs import verbs as runs
from mindpipe.think import tables
from mindpipe.think.means import Means


def depth_behind(means: Means, event: Event) -> int:
    """Return how many hops are behind an event.

    What an agent hears of a call that it asked a person for, or proposed, is as deep as the run
    that did so: no chain begins anew by that.
    """
    cycle = _cycle_behind(means, event)
    run = runs.current(means.store, agent=event.agent, cycle=cycle) if cycle else None
    return max(depth_of(event), run.depth if run else 0)


def _cycle_behind(means: Means, event: Event) -> int:
    """Return the cycle whose call an event tells the outcome of; 0 where it tells of none."""
    if event.type not in {"tool_result", "decision"}:
        return 0
    ticket, decision = event.body.get("ticket"), event.body.get("decision")
    if isinstance(ticket, str):
        with means.store.read() as rows:
            found = tables.find_ticket(rows, ticket)
        return found.cycle if found is not None else 0
    if isinstance(decision, str):
        try:
            return decisions.show(means.store, means.clock, decision=decision).cycle
        except UsageError:
            return 0
    return 0
