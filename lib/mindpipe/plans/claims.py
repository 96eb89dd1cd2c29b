"""Claims on windows: a lease on the boot clock, at most five attempts, and the event of each."""

import msgspec

from mindpipe.core.events import NewEvent
from mindpipe.core.instants import deadline, expired
from mindpipe.core.ports import BootTime
from mindpipe.plans.records import Plan, WindowClaim, WindowEvent, WindowOutcome

MOST_ATTEMPTS = 5
SOURCE = "plan"
"""What the events of plans are pushed from."""


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
    """Return the claim with its event, whose key is the same at every claim."""
    return WindowEvent(claim=claim, event=event_of(plan, claim.window))


def event_of(plan: Plan, window: str, *, attempt: int = 1) -> NewEvent:
    """Return the event that tells an agent of a window; a further attempt has a key of its own."""
    return _event(plan, window, key=key_of(plan.id, window, attempt=attempt), text=plan.text)


def key_of(plan: str, window: str, *, attempt: int) -> str:
    """Return the key of the event of an attempt at a window."""
    return f"plan:{plan}:{window}" if attempt == 1 else f"plan:{plan}:{window}:{attempt}"


def failure_of(plan: Plan, outcome: WindowOutcome) -> NewEvent:
    """Return the event that tells an agent that a window failed."""
    text = (
        f'Your plan "{plan.title}" of {outcome.window} counts as not carried out: {outcome.why}. '
        "Do it now, or say why it cannot be done."
    )
    key = f"{key_of(plan.id, outcome.window, attempt=outcome.attempt)}:failed"
    return _event(plan, outcome.window, key=key, text=text)


def _event(plan: Plan, window: str, *, key: str, text: str) -> NewEvent:
    """Return an event about a window."""
    return NewEvent(
        type="plan",
        agent=plan.agent,
        source=SOURCE,
        key=key,
        text=text,
        body={"plan": plan.id, "title": plan.title, "window": window},
        sources=plan.sources,
    )
