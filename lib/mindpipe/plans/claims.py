"""Claims on windows: a lease on the boot clock, at most five attempts, and the event of each."""

import msgspec

from mindpipe.core.events import NewEvent
from mindpipe.core.instants import deadline, expired
from mindpipe.core.ports import BootTime
from mindpipe.plans.records import Plan, WindowClaim, WindowEvent

MOST_ATTEMPTS = 5


def first_claim(plan: Plan, window: str, *, now: BootTime, seconds: float) -> WindowClaim:
    """Return a first claim on a window, for `seconds` on the boot clock."""
    limit = deadline(now, seconds=seconds)
    return WindowClaim(
        plan=plan.id, window=window, attempts=1, boot=limit.boot, seconds=limit.seconds
    )


def is_over(claim: WindowClaim, now: BootTime) -> bool:
    """Tell whether a claim's time has passed, so that the window may be claimed again."""
    return expired(BootTime(boot=claim.boot, seconds=claim.seconds), now)


def next_claim(claim: WindowClaim, *, now: BootTime, seconds: float) -> WindowClaim | None:
    """Return the next claim on a window, or None where all attempts are used up."""
    if claim.attempts >= MOST_ATTEMPTS:
        return None
    limit = deadline(now, seconds=seconds)
    return msgspec.structs.replace(
        claim, attempts=claim.attempts + 1, boot=limit.boot, seconds=limit.seconds
    )


def given_back(claim: WindowClaim) -> WindowClaim:
    """Return a claim that is over at once and did not count as an attempt."""
    return msgspec.structs.replace(claim, attempts=claim.attempts - 1, boot="", seconds=0.0)


def handout(plan: Plan, claim: WindowClaim) -> WindowEvent:
    """Return the claim with its event, whose key is the same at every attempt."""
    event = NewEvent(
        type="plan",
        agent=plan.agent,
        source="plan",
        key=f"plan:{plan.id}:{claim.window}",
        text=plan.text,
        body={"plan": plan.id, "title": plan.title, "window": claim.window},
        sources=plan.sources,
    )
    return WindowEvent(claim=claim, event=event)
