"""When a provider that keeps failing is left alone: the arithmetic of a circuit breaker."""

import enum

from mindpipe.core.records import Record

FAILURES = 5
WINDOW_SECONDS = 60.0
FIRST_PAUSE_SECONDS = 30.0
LONGEST_PAUSE_SECONDS = 300.0
FIRST_REST_SECONDS = 60.0
LONGEST_REST_SECONDS = 3600.0


class BreakerStance(enum.StrEnum):
    """May the provider be asked: freely, not now, or once to see whether it works again."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Breaker(Record):
    """What is remembered of one provider and model; all moments are seconds of one steady clock.

    `failures` are the moments of the latest transient failures in a row. Once opened, `opened` is
    when, and `pause` for how long.
    """

    failures: tuple[float, ...] = ()
    opened: float | None = None
    pause: float = FIRST_PAUSE_SECONDS


def stance(breaker: Breaker, *, now: float) -> BreakerStance:
    """Return whether the provider may be asked."""
    if breaker.opened is None:
        return BreakerStance.CLOSED
    return BreakerStance.OPEN if seconds_left(breaker, now=now) > 0 else BreakerStance.HALF_OPEN


def seconds_left(breaker: Breaker, *, now: float) -> float:
    """Return how long the provider is still left alone; 0 when it may be asked."""
    if breaker.opened is None:
        return 0.0
    return max(0.0, breaker.opened + breaker.pause - now)


def after_failure(breaker: Breaker, *, now: float) -> Breaker:
    """Return the breaker after one more transient failure.

    Five in a row within 60 s open it; a failed trial opens it again for twice as long.
    """
    if breaker.opened is not None:
        pause = breaker.pause
        if stance(breaker, now=now) is BreakerStance.HALF_OPEN:
            pause = min(LONGEST_PAUSE_SECONDS, pause * 2)
            return Breaker(opened=now, pause=pause)
        return breaker
    recent = tuple(at for at in breaker.failures if now - at <= WINDOW_SECONDS)
    failures = (*recent, now)[-FAILURES:]
    if len(failures) >= FAILURES:
        return Breaker(opened=now, pause=breaker.pause)
    return Breaker(failures=failures, pause=breaker.pause)


def after_vain(breaker: Breaker, *, now: float) -> Breaker:
    """Return the breaker after something was done in vain that would be so again at once.

    It rests for a minute, and for twice as long each time after, up to an hour.
    """
    pause = FIRST_REST_SECONDS if breaker.opened is None else breaker.pause * 2
    return Breaker(opened=now, pause=min(LONGEST_REST_SECONDS, pause))


def after_success(_breaker: Breaker) -> Breaker:
    """Return the breaker after a reply: closed, with nothing against the provider."""
    return Breaker()


def name_of_compaction(agent: str) -> str:
    """Return under which name it is kept, beside what is held against models, that one failed."""
    return f"compaction of {agent}"
