"""Events that arrive: in the order of time, and none before the time of its person."""

from collections.abc import Iterable

import msgspec

from mindpipe.person.records.event import Event


class LateEventError(Exception):
    """An event that happened before the time that its person has reached."""

    def __init__(self, event: Event, now_us: int) -> None:
        super().__init__(
            f"late_event: {event.id} is at {event.t_us}, but {event.person} has reached {now_us}."
        )
        self.event = event
        self.now_us = now_us


def in_order(events: Iterable[Event], now_us: int) -> list[Event]:
    """Return events by time, those of one instant in input order.

    Raises:
        LateEventError: one of them is before `now_us`.
    """
    ordered = sorted(events, key=lambda event: event.t_us)
    if ordered and ordered[0].t_us < now_us:
        raise LateEventError(ordered[0], now_us)
    return ordered


def made_punctual(event: Event, now_us: int) -> Event:
    """Return an event as it can still be applied: one that is late is now, and says when it was."""
    if event.t_us >= now_us:
        return event
    return msgspec.structs.replace(event, t_us=now_us, late_from_us=event.t_us)
