"""What becomes of beliefs when a source is revoked or their time is over."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.sources import MORE, covers
from mindpipe.knowledge.confidence import (
    DOUBTED_BY,
    STALE_BELOW,
    Windows,
    due_at,
    is_doubted,
    settled,
    weight_of,
    window_of,
)
from mindpipe.knowledge.records import (
    BeliefChange,
    BeliefDecision,
    BeliefStatus,
    Evidence,
    Observation,
    Revalidated,
)

BY = "revoke"
HELD = (BeliefStatus.ACTIVE, BeliefStatus.STALE)


class Revocation(NamedTuple):
    """Whose words no longer count, since when, and how what is made anew is called.

    Without a source only single items are taken back, which nothing is named by.
    """

    source: str | None
    now: str
    windows: Windows
    new_id: Callable[[str, str], str]

    def means(self, sources: Sequence[str]) -> bool:
        """Tell whether it means, or may mean, one of some sources."""
        return self.source is not None and any(
            one == MORE or covers(self.source, one) for one in sources
        )

    @property
    def words(self) -> str:
        """Return what no longer counts, in words."""
        return "what was taken back" if self.source is None else f"words of {self.source}"


class Aftermath(NamedTuple):
    """What changes under one key, and the decision that says so where a claim is ended."""

    changes: tuple[BeliefChange, ...] = ()
    decision: BeliefDecision | None = None


def aftermath(under: Sequence[Observation], revocation: Revocation) -> Aftermath:
    """Return what changes among all observations of one key, oldest first.

    Evidence that no longer counts is marked as retracted at `revocation.now` already. What has
    ended stays so, with what follows from the evidence that is left.
    """
    after = _aftermath(under, revocation)
    changed = {change.observation.id for change in after.changes}
    ended = tuple(
        _resettled(one, revocation)
        for one in under
        if one.status not in HELD
        and one.id not in changed
        and any(each.retracted == revocation.now for each in one.evidence)
    )
    return after._replace(changes=(*ended, *after.changes))


def _aftermath(under: Sequence[Observation], revocation: Revocation) -> Aftermath:
    """Return what changes of what is held under a key, or held again."""
    current = next((one for one in under if one.status in HELD), None)
    if current is None:
        again = _to_believe_again(under, revocation)
        return Aftermath() if again is None else _again(again, under[-1], revocation)
    counted = _counting(current)
    if not revocation.means(current.sources) and _supports(counted):
        return Aftermath((_resettled(current, revocation),))
    gone = settled(
        msgspec.structs.replace(
            current, status=BeliefStatus.INVALIDATED, ended=revocation.now, contested=False
        ),
        now=revocation.now,
        windows=revocation.windows,
    )
    verb = "counts" if revocation.source is None else "count"
    why = f"{revocation.words} no longer {verb}"
    ended = BeliefChange(observation=gone, expected=current.version, why=why)
    kept = [one for one in _supports(counted) if one.value in (None, current.value)]
    again = current if kept else _to_believe_again(under, revocation)
    if again is None:
        return Aftermath((ended,), _decision(current, None, why, revocation))
    made = _again(again, current, revocation)
    return Aftermath((ended, *made.changes), made.decision)


def _resettled(held: Observation, revocation: Revocation) -> BeliefChange:
    """Return an observation as it stands, with what follows from the evidence that is left."""
    left = settled(held, now=revocation.now, windows=revocation.windows)
    contested = held.contested and left.components.contradiction_weight > 0
    return BeliefChange(
        observation=msgspec.structs.replace(left, contested=contested),
        expected=held.version,
        why=f"without {revocation.words}",
    )


def _to_believe_again(under: Sequence[Observation], revocation: Revocation) -> Observation | None:
    """Return what the revoked words had replaced or refuted, if it still has support.

    Going back in time, claims of the same words are passed over. A claim that was refuted is
    believed again only if words against it were revoked and none of those left weigh as much.
    """
    for one in reversed([each for each in under if each.status not in HELD]):
        if revocation.means(one.sources):
            continue
        counted = _counting(one)
        support, against = (
            sum(weight_of(each) for each in counted if each.stance == stance)
            for stance in ("support", "contradict")
        )
        freed = any(
            each.stance == "contradict" and each.retracted == revocation.now
            for each in one.evidence
        )
        replaced = one.status is BeliefStatus.SUPERSEDED and one is not under[-1]
        return one if support > against and (replaced or freed) else None
    return None


def _again(kept: Observation, before: Observation, revocation: Revocation) -> Aftermath:
    """Return a claim made anew of the evidence that counts, in the place of what came before."""
    made = settled(
        msgspec.structs.replace(
            kept,
            id=revocation.new_id("ob", before.id),
            evidence=tuple(
                msgspec.structs.replace(one, linked=revocation.now) for one in _counting(kept)
            ),
            status=BeliefStatus.ACTIVE,
            contested=False,
            learnt=revocation.now,
            ended=None,
            valid_to=None,
            sources=(),
            supersedes_observation_id=before.id,
        ),
        now=revocation.now,
        windows=revocation.windows,
    )
    why = f"without {revocation.words} this is what is left to believe"
    change = BeliefChange(observation=made, why=why)
    return Aftermath((change,), _decision(before, made, why, revocation))


def _decision(
    before: Observation, made: Observation | None, why: str, revocation: Revocation
) -> BeliefDecision:
    """Return the decision that a claim is retracted, and what is made in its place."""
    return BeliefDecision(
        id=revocation.new_id("de", before.id),
        agent=before.agent,
        call="retract",
        canonical_key=before.canonical_key,
        observation=before.id,
        made=None if made is None else made.id,
        old_value=before.value,
        new_value="" if made is None else made.value,
        old_weight=before.components.support_weight,
        new_weight=0.0 if made is None else made.components.support_weight,
        at=revocation.now,
        by=BY,
        why=why,
    )


def _counting(observation: Observation) -> tuple[Evidence, ...]:
    """Return the evidence that still counts."""
    return tuple(one for one in observation.evidence if one.retracted is None)


def _supports(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the evidence for a claim."""
    return [one for one in evidence if one.stance == "support"]


def revalidated(
    observation: Observation, *, now: str, windows: Windows
) -> tuple[Observation, Revalidated]:
    """Return an observation as it stands after another look, and what was found.

    It is invalidated where no support is left or what contradicts it weighs more, stale where its
    freshness is below 0.5 or it sounded as though it were over since, and active again where it is
    not. What is pinned is only invalidated where nothing supports it, and what has ended stays as
    it is. Untrusted words do not outweigh what trusted ones support.
    """
    made = settled(observation, now=now, windows=windows)
    status, why = _verdict(made, now)
    if status is not made.status:
        ended = now if status is BeliefStatus.INVALIDATED else None
        made = msgspec.structs.replace(made, status=made.status.to(status), ended=ended)
    if made.revalidation_due_at <= now:
        due = due_at(now, window=window_of(made, windows))
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
        weight_of(one)
        for one in observation.evidence
        if one.stance == "contradict"
        and one.retracted is None
        and (observation.sources or not one.sources)
    )


def _verdict(observation: Observation, now: str) -> tuple[BeliefStatus, str]:
    """Return what an observation is from now on, and why."""
    components = observation.components
    last = observation.last_supported_at
    if observation.ended is not None:
        return observation.status, f"it ended {observation.ended}"
    if last is None:
        return BeliefStatus.INVALIDATED, "nothing supports it any more"
    if observation.pinned:
        return BeliefStatus.ACTIVE, "an operator has pinned it"
    against = _weight_against(observation)
    if against > components.support_weight:
        return BeliefStatus.INVALIDATED, (
            f"what contradicts it weighs {against:g}, what supports it "
            f"{components.support_weight:g}"
        )
    since = f"last supported {last}" + (
        f", contradicted {observation.contradicted_at}"
        if observation.contradicted_at is not None and observation.contradicted_at > last
        else ""
    )
    doubted = is_doubted(observation) and not observation.operator_confirmed
    if doubted or observation.freshness < STALE_BELOW:
        old = f"freshness {observation.freshness:g} is below {STALE_BELOW}"
        return BeliefStatus.STALE, f"{DOUBTED_BY if doubted else old}: {since}"
    return BeliefStatus.ACTIVE, f"freshness {observation.freshness:g}: {since}"
