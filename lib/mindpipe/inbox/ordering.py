"""Which events come next: priority, then arrival, with ageing so that nothing starves."""

from collections.abc import Sequence

from mindpipe.core.events import Priority
from mindpipe.core.instants import later
from mindpipe.core.records import Record

NORMAL_AGES_AFTER = 600.0
BACKGROUND_AGES_AFTER = 3600.0
TRIED_ALONE_AFTER = 2


class Candidate(Record):
    """A claimable event, as far as its turn depends on it."""

    seq: int
    epoch: int
    priority: int
    pushed: str
    attempts: int


class Ages(Record):
    """Events pushed before these instants count as one step more urgent."""

    normal: str
    background: str


def ages(now: str) -> Ages:
    """Return what has aged by now: normal events of 10 minutes, background ones of an hour."""
    return Ages(
        normal=later(now, seconds=-NORMAL_AGES_AFTER),
        background=later(now, seconds=-BACKGROUND_AGES_AFTER),
    )


def rank(candidate: Candidate, aged: Ages) -> int:
    """Return the priority that an event has by now."""
    if candidate.priority == Priority.NORMAL and candidate.pushed < aged.normal:
        return Priority.URGENT
    if candidate.priority == Priority.BACKGROUND and candidate.pushed < aged.background:
        return Priority.NORMAL
    return candidate.priority


def batch(candidates: Sequence[Candidate], *, now: str, limit: int) -> list[int]:
    """Return the numbers of the events of one claim, in their order.

    An event that was tried twice or more is claimed alone, so that it takes no neighbour along.
    """
    aged = ages(now)
    ordered = sorted(candidates, key=lambda one: (rank(one, aged), one.seq))[:limit]
    for place, candidate in enumerate(ordered):
        if candidate.attempts >= TRIED_ALONE_AFTER:
            ordered = ordered[: max(place, 1)]
            break
    return [candidate.seq for candidate in ordered]
