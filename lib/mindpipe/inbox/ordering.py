"""Which events come next: priority, then arrival, with ageing and a bound so that nothing starves.

What has waited longer than the bound goes before all but emergencies, the oldest first, however
much that is more urgent keeps coming.
"""

from collections.abc import Sequence
from typing import TypeVar

from mindpipe.core.events import EventType, Priority
from mindpipe.core.instants import later
from mindpipe.core.records import Record

NORMAL_AGES_AFTER = 600.0
BACKGROUND_AGES_AFTER = 3600.0
LONGEST_WAIT = 3600.0
TRIED_ALONE_AFTER = 2
GLIMPSED = 2000


class WaitingEvent(Record):
    """A claimable event, as far as its turn depends on it."""

    seq: int
    epoch: int
    priority: int
    pushed: str
    attempts: int
    due: str | None = None

    @property
    def since(self) -> str:
        """Return since when it waits: since it was pushed, or was first to be taken up."""
        return max(self.pushed, self.due or "")


class Glimpse(WaitingEvent):
    """A claimable event as far as attention looks at it: `text` is cut at `GLIMPSED` characters.

    `path` is that of an observed file, `concern` names the concern that it was made for.
    """

    id: str
    type: EventType
    source: str
    space: str | None = None
    sender: str | None = None
    text: str | None = None
    path: str | None = None
    concern: str | None = None


class Ages(Record):
    """Events pushed before these instants count as one step more urgent, or have waited too long.

    `overdue` is the instant for the bound; None means that there is no bound.
    """

    normal: str
    background: str
    overdue: str | None = None


def ages(now: str, *, longest_wait: float = LONGEST_WAIT) -> Ages:
    """Return what has aged by now: normal events of 10 minutes, background ones of an hour.

    `longest_wait` is the bound in seconds.
    """
    return Ages(
        normal=later(now, seconds=-NORMAL_AGES_AFTER),
        background=later(now, seconds=-BACKGROUND_AGES_AFTER),
        overdue=later(now, seconds=-longest_wait),
    )


def rank(candidate: WaitingEvent, aged: Ages) -> int:
    """Return the priority that an event has by now."""
    if candidate.priority == Priority.NORMAL and candidate.pushed < aged.normal:
        return Priority.URGENT
    if candidate.priority == Priority.BACKGROUND and candidate.pushed < aged.background:
        return Priority.NORMAL
    return candidate.priority


def is_overdue(candidate: WaitingEvent, aged: Ages) -> bool:
    """Tell whether an event has waited longer than anything may; an emergency never has to."""
    if candidate.priority == Priority.EMERGENCY or aged.overdue is None:
        return False
    return candidate.since < aged.overdue


def turn(candidate: WaitingEvent, aged: Ages) -> tuple[int, int]:
    """Return what sorts events: emergencies, the overdue, the others by rank; each by arrival."""
    if is_overdue(candidate, aged):
        return (Priority.CRITICAL, candidate.seq)
    by_rank = rank(candidate, aged)
    return (by_rank if by_rank == Priority.EMERGENCY else by_rank + 1, candidate.seq)


def batch(
    candidates: Sequence[WaitingEvent], *, now: str, limit: int, longest_wait: float = LONGEST_WAIT
) -> list[int]:
    """Return the numbers of the events of one claim, in their order.

    `candidates` hold the first `limit` events of each priority. An event that was tried twice or
    more is claimed alone, so that it takes no neighbour along.
    """
    aged = ages(now, longest_wait=longest_wait)
    ordered = sorted(candidates, key=lambda one: turn(one, aged))[:limit]
    return [candidate.seq for candidate in alone(ordered)]


C = TypeVar("C", bound=WaitingEvent)


def alone(ordered: Sequence[C]) -> Sequence[C]:
    """Return the events before the first that was tried often, or that one alone if it is first."""
    for place, candidate in enumerate(ordered):
        if candidate.attempts >= TRIED_ALONE_AFTER:
            return ordered[: max(place, 1)]
    return ordered
