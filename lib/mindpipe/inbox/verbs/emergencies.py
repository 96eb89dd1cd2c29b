"""Find what may not wait for the cycle under way to end: emergencies, and interrupts of a kind."""

from collections.abc import Sequence

from mindpipe.core.events import Priority
from mindpipe.core.ports import Clock, Store
from mindpipe.inbox.ordering import TRIED_ALONE_AFTER
from mindpipe.inbox.records import BATCH, Event
from mindpipe.inbox.verbs.look import glimpse, show


def waiting(store: Store, clock: Clock, *, agent: str) -> list[str]:
    """Return the ids of the emergencies that may be claimed now, by arrival; changes nothing.

    One that was tried twice is left out: it is claimed alone, so that it takes no cycle along.
    """
    return [
        one.id
        for one in glimpse(store, clock, agent=agent, limit=BATCH)
        if one.priority == Priority.EMERGENCY and one.attempts < TRIED_ALONE_AFTER
    ]


def may_take_along(events: Sequence[Event]) -> bool:
    """Tell whether others may join events that are claimed: none of them was tried twice before."""
    return all(event.attempts <= TRIED_ALONE_AFTER for event in events)


def interrupts(store: Store, clock: Clock, *, agent: str) -> list[Event]:
    """Return the events of type interrupt and priority 0-2 that may be claimed now, by arrival.

    Of each priority the first 20 events are looked at, however many wait.
    """
    found = glimpse(store, clock, agent=agent, limit=BATCH)
    wanted = [
        one.id for one in found if one.type == "interrupt" and one.priority <= Priority.URGENT
    ]
    return [show(store, id=id) for id in wanted]
