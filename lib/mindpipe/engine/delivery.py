"""Push the program's own events into inboxes, within the configured bounds.

What somebody says in a space also ends the waits that it answers, in the same transaction.
"""

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.context.triggers import depth_of_body, message_of
from mindpipe.core.events import NewEvent
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Chance, Clock, Deliver, Store
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.rules import parse_ceilings
from mindpipe.inbox.verbs.push import deliverer
from mindpipe.settings import Settings
from mindpipe.trigger_runs import verbs as runs

# What the program itself says to an agent was bounded when it was said.
_SPOKEN_BYTES = 1 << 20


def bounds_of(settings: Settings) -> Bounds:
    """Return what inboxes admit."""
    usual = Bounds()
    return Bounds(
        max_bytes=settings.inbox.max_bytes or usual.max_bytes,
        max_open=settings.inbox.max_open or usual.max_open,
        max_open_per_source=settings.inbox.max_open_per_source or usual.max_open_per_source,
        ceilings=parse_ceilings(settings.inbox.ceilings),
    )


def deliver_to(store: Store, clock: Clock, chance: Chance, settings: Settings) -> Deliver:
    """Return what pushes events into this store's inboxes, inside the caller's transaction."""
    return delivery(
        store, clock, chance, bounds=bounds_of(settings), max_depth=_max_depth(settings)
    )


def announce_to(store: Store, clock: Clock, chance: Chance, settings: Settings) -> Deliver:
    """Return the same for the program's own words, which no setting makes too long."""
    bounds = announced_bounds(settings)
    return delivery(store, clock, chance, bounds=bounds, max_depth=_max_depth(settings))


def announced_bounds(settings: Settings) -> Bounds:
    """Return what inboxes admit of the program's own words."""
    bounds = bounds_of(settings)
    most = max(bounds.max_bytes, _SPOKEN_BYTES)
    return msgspec.structs.replace(bounds, max_bytes=most)


def delivery(
    store: Store, clock: Clock, chance: Chance, *, bounds: Bounds, max_depth: int
) -> Deliver:
    """Return what pushes events, and ends the waits for which messages among them are replies.

    A message that is `max_depth` hops from agent to agent deep is pushed to nobody and ends no
    wait: it can only be read. So it is with one for an agent whose life goes on in another store.
    """
    push = deliverer(store, clock, chance, bounds=bounds)

    def is_unheard(event: NewEvent) -> bool:
        return _is_too_deep(event, max_depth) or _is_elsewhere(store, event)

    def deliver(events: list[NewEvent]) -> None:
        heard = [event for event in events if not is_unheard(event)]
        push(heard)
        for event in heard:
            message = message_of(event)
            if message is not None and event.agent is not None:
                found = runs.resolve(store, clock, agent=event.agent, message=message)
                if found is not None:
                    reach("reply.before_commit")

    return deliver


def _is_too_deep(event: NewEvent, max_depth: int) -> bool:
    """Tell whether an event is a message at the end of a chain of agents."""
    return event.type == "space_message" and depth_of_body(event.body) >= max_depth


def _is_elsewhere(store: Store, event: NewEvent) -> bool:
    """Tell whether a message is for an agent that has moved away, which stops nobody else."""
    if event.type != "space_message" or event.agent is None:
        return False
    return agents.away_since(store, name=event.agent) is not None


def _max_depth(settings: Settings) -> int:
    """Return after how many hops from agent to agent a message wakes nobody."""
    return settings.context.max_chain_depth
