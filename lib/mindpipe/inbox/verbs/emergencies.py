"""Find what may not wait for the cycle under way to end: emergencies, and interrupts of a kind."""

from collections.abc import Sequence

from mindpipe.core.events import Priority
from mindpipe.core.ports import Clock, Store
from mindpipe.inbox.ordering import TRIED_ALONE_AFTER
from mindpipe.inbox.records import BATCH, Event
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.tables import glances
from mindpipe.inbox.tables.events import ClockPair


def waiting(store: Store, clock: Clock, *, agent: str) -> list[str]:
    """Return the ids of the emergencies that may be claimed now, by arrival; changes nothing.

    One that was tried twice is left out: it is claimed alone, so that it takes no cycle along.
    """
    now = ClockPair(wall=clock.now(), boot=clock.boot())
    with store.read() as rows:
        found = tables.head_of(rows, agent=agent, now=now, priority=Priority.EMERGENCY, limit=BATCH)
        fit = [one.seq for one in found if one.attempts < TRIED_ALONE_AFTER]
        return [event.id for event in tables.events_at(rows, fit)] if fit else []


def may_take_along(events: Sequence[Event]) -> bool:
    """Tell whether others may join events that are claimed: none of them was tried twice before."""
    return all(event.attempts <= TRIED_ALONE_AFTER for event in events)


def interrupts(
    store: Store, clock: Clock, *, agent: str, up_to: Priority = Priority.URGENT
) -> list[Event]:
    """Return the interrupts up to a priority that may be claimed now, the most urgent first.

    Of each priority the first 20 events are looked at, however many wait.
    """
    now = ClockPair(wall=clock.now(), boot=clock.boot())
    with store.read() as rows:
        heads = glances.interrupts(rows, agent=agent, now=now, up_to=up_to, limit=BATCH)
        found = tables.events_at(rows, heads) if heads else []
    return sorted(found, key=lambda event: (event.priority, event.seq))
