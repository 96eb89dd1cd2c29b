"""Find what may not wait for the cycle under way to end: emergencies, interrupts, commands."""

from collections.abc import Sequence

from mindpipe.core.events import OPERATOR, Command, Priority
from mindpipe.core.ports import Clock, Store
from mindpipe.inbox.ordering import TRIED_ALONE_AFTER
from mindpipe.inbox.records import BATCH, Event
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.tables import glances
from mindpipe.inbox.tables.events import ClockPair


def command_of(event: Event) -> Command | None:
    """Return what an event commands, or None where a mind is to read it.

    Only the operator commands, by an interrupt that goes before others and has nobody else's words.
    """
    if event.type != "interrupt" or event.priority > Priority.URGENT:
        return None
    if event.source != OPERATOR or event.sources or event.sender:
        return None
    said = event.body.get("command")
    return Command(said) if isinstance(said, str) and said in set(Command) else None


def waiting(store: Store, clock: Clock, *, agent: str) -> list[Event]:
    """Return the emergencies that may be claimed now, by arrival; changes nothing.

    One that was tried twice is left out: it is claimed alone, so that it takes no cycle along.
    """
    now = ClockPair(wall=clock.now(), boot=clock.boot())
    with store.read() as rows:
        found = tables.head_of(rows, agent=agent, now=now, priority=Priority.EMERGENCY, limit=BATCH)
        fit = [one.seq for one in found if one.attempts < TRIED_ALONE_AFTER]
        return tables.events_at(rows, fit) if fit else []


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


def commands(
    store: Store, clock: Clock, *, agent: str, up_to: Priority = Priority.URGENT
) -> list[Event]:
    """Return the commands that wait, the most urgent first; no cycle takes them up."""
    found = interrupts(store, clock, agent=agent, up_to=up_to)
    return [event for event in found if command_of(event) is not None]
