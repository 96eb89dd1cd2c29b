"""Look at an observation again: whether its evidence still carries it, and whether it is fresh."""

import math

import msgspec

from mindpipe.knowledge.freshness import STALE_BELOW, Windows, due_at
from mindpipe.knowledge.records import Observation, Revalidated, Status
from mindpipe.knowledge.standing import settled


def revalidated(
    observation: Observation, *, now: str, windows: Windows
) -> tuple[Observation, Revalidated]:
    """Return an observation as it stands after another look, and what was found.

    It is invalidated where no support is left or what contradicts it weighs more, stale where its
    freshness is below 0.5, and active again where it is not. What is pinned is only invalidated
    where nothing supports it, and what has ended stays as it is. Untrusted words do not outweigh
    what trusted ones support.
    """
    made = settled(observation, now=now, windows=windows)
    status, why = _verdict(made, now)
    if status is not made.status:
        ended = now if status is Status.INVALIDATED else None
        made = msgspec.structs.replace(made, status=made.status.to(status), ended=ended)
    if made.revalidation_due_at <= now:
        due = due_at(now, window=windows[made.kind])
        made = msgspec.structs.replace(made, revalidation_due_at=due)
    return made, Revalidated(
        observation=made.id,
        canonical_key=made.canonical_key,
        summary=made.summary,
        before=observation.status,
        after=made.status,
        confidence=made.confidence,
        freshness=made.freshness,
        due=made.revalidation_due_at,
        why=why,
    )


def _weight_against(observation: Observation) -> float:
    """Return what contradicts an observation by words that are trusted as much as it is."""
    return math.fsum(
        one.weight
        for one in observation.evidence
        if one.stance == "contradict"
        and one.retracted is None
        and (observation.sources or not one.sources)
    )


def _verdict(observation: Observation, now: str) -> tuple[Status, str]:
    """Return what an observation is from now on, and why."""
    components = observation.components
    last = observation.last_supported_at
    if observation.ended is not None:
        return observation.status, f"it ended {observation.ended}"
    if last is None:
        return Status.INVALIDATED, "nothing supports it any more"
    if observation.pinned:
        return Status.ACTIVE, "an operator has pinned it"
    against = _weight_against(observation)
    if against > components.support_weight:
        return Status.INVALIDATED, (
            f"what contradicts it weighs {against:g}, what supports it "
            f"{components.support_weight:g}"
        )
    since = f"last supported {last}" + (
        f", contradicted {observation.contradicted_at}"
        if observation.contradicted_at is not None and observation.contradicted_at > last
        else ""
    )
    if observation.freshness < STALE_BELOW:
        return Status.STALE, f"freshness {observation.freshness:g} is below {STALE_BELOW}: {since}"
    return Status.ACTIVE, f"freshness {observation.freshness:g}: {since}"
