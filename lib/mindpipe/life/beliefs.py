"""Prove every cell of a belief: count again how it stood each time, and what was decided on it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from mindpipe.core.instants import seconds_between
from mindpipe.knowledge.audit import finding
from mindpipe.knowledge.claims.claim import PLAN
from mindpipe.knowledge.confidence import (
    DAY_SECONDS,
    STALE_BELOW,
    components_of,
    confidence_of,
    is_doubted,
    recency,
    weight_of,
    windows_in,
)
from mindpipe.knowledge.deciding.weights import margin_of, old_weight
from mindpipe.knowledge.records import (
    BeliefDecision,
    BeliefStatus,
    Evidence,
    Kind,
    KnowledgeFinding,
    Observation,
    RecordedStanding,
)
from mindpipe.knowledge.revision import BY as REVOKE

CONSOLIDATE = "consolidate"
"""Who weighs values against each other; all others decide whatever they weigh."""
_TOLERANCE = 1e-6
_TOLD = (1.0, 1.5, 2.0)
"""By what the weight of a new value is multiplied that is said to be new, at most twice."""
_ENDED = frozenset({BeliefStatus.SUPERSEDED, BeliefStatus.INVALIDATED})
_ENDING = frozenset({"refine", "supersede", "retract"})
_APPLIED = frozenset({"applied", "approved"})


class BeliefPast(NamedTuple):
    """An observation with all evidence it ever had, and how it stood, oldest first.

    `next` is what took its place, `decisions` are those on it.
    """

    now: Observation
    stood: Sequence[RecordedStanding]
    next: Observation | None
    decisions: Sequence[BeliefDecision]


def faults_of(past: BeliefPast) -> Iterator[KnowledgeFinding]:
    """Yield each standing and each decision that does not follow from what it stands on."""
    if not past.stood:
        yield finding("standing", past.now, "it is not kept how it ever stood")
        return
    first = past.stood[0].version
    if first != 1:
        yield finding("standing", past.now, f"version {first} is the first that is kept")
    for recorded, last in _with_last(past.stood):
        yield from _of_components(past.now, recorded, counted=last)
    for one, other in pairwise(past.stood):
        yield from _of_step(past.now, one, other)
    yield from _of_now(past)
    yield from _of_end(past)
    for decision in past.decisions:
        yield from _of_decision(past, decision)


def _with_last(stood: Sequence[RecordedStanding]) -> Iterator[tuple[RecordedStanding, bool]]:
    """Yield each standing, and whether it is the last one of its instant."""
    for place, one in enumerate(stood):
        yield one, place + 1 == len(stood) or stood[place + 1].recorded != one.recorded


def _of_components(
    now: Observation, recorded: RecordedStanding, *, counted: bool
) -> Iterator[KnowledgeFinding]:
    """Yield what of a confidence is not what its evidence then comes to."""
    stood, at = recorded.stood, recorded.recorded
    where = f"version {recorded.version}: "
    sure = confidence_of(stood.components)
    if abs(sure - stood.confidence) > _TOLERANCE:
        why = f"{where}confidence is kept as {stood.confidence:g}, its parts give {sure:g}"
        yield finding("confidence", now, why)
    fresh = recency(stood.last_supported_at, now=at)
    if abs(fresh - stood.components.recency_weight) > _TOLERANCE:
        kept = stood.components.recency_weight
        why = f"{where}recency_weight is kept as {kept:g}, its support gives {fresh:g}"
        yield finding("confidence", now, why)
    if not counted:
        return
    # Evidence says when it was linked by the second: of one second only the last can be counted.
    again = components_of(
        evidence_at(now.evidence, at),
        now=at,
        confirmed=stood.operator_confirmed,
        reinforced=stood.reinforced,
    )
    for name in again.__struct_fields__:
        kept, found = getattr(stood.components, name), getattr(again, name)
        if name != "recency_weight" and abs(kept - found) > _TOLERANCE:
            why = f"{where}{name} is kept as {kept:g}, its evidence had {found:g}"
            yield finding("confidence", now, why)


def evidence_at(evidence: Iterable[Evidence], at: str) -> list[Evidence]:
    """Return the evidence that was linked by an instant, as it was then."""
    return [
        one
        if one.retracted is None or one.retracted <= at
        else msgspec.structs.replace(one, retracted=None)
        for one in evidence
        if one.linked is None or one.linked <= at
    ]


def _of_step(
    now: Observation, before: RecordedStanding, after: RecordedStanding
) -> Iterator[KnowledgeFinding]:
    """Yield a version that is left out, and a status that may not follow the one before."""
    if after.version != before.version + 1:
        why = f"version {after.version} stands behind version {before.version}"
        yield finding("standing", now, why)
    one, other = before.stood.status, after.stood.status
    if one is not other and other not in one.successors():
        why = f"version {after.version}: {other.value} may not follow {one.value}"
        yield finding("standing", now, why)


def _of_now(past: BeliefPast) -> Iterator[KnowledgeFinding]:
    """Yield each field in which an observation is not as it stood last."""
    last = past.stood[-1].stood
    for name in last.__struct_fields__:
        if name == "evidence":
            continue
        kept, stood = getattr(past.now, name), getattr(last, name)
        if kept != stood:
            why = f"{name} is kept as {_word(kept)}, it stood last as {_word(stood)}"
            yield finding("standing", past.now, why)


def _word(value: object) -> str:
    return value.value if isinstance(value, BeliefStatus) else f"{value}"


def _of_end(past: BeliefPast) -> Iterator[KnowledgeFinding]:
    """Yield a status that nothing accounts for."""
    now, last = past.now, past.stood[-1]
    status = now.status
    ends = [one for one in past.decisions if one.call in _ENDING and one.state in _APPLIED]
    if status is BeliefStatus.SUPERSEDED and past.next is None and not ends:
        yield finding("standing", now, "it is superseded, and nothing took its place")
    if status not in _ENDED and past.next is not None:
        why = f"it is {status.value}, and {past.next.id} took its place"
        yield finding("standing", now, why, other=past.next.id)
    if status not in _ENDED and ends:
        why = f"it is {status.value}, and decision {ends[-1].id} ended it"
        yield finding("standing", now, why)
    fresh = now.freshness >= STALE_BELOW and not is_doubted(now)
    if status is BeliefStatus.STALE and fresh and _ages(past):
        why = f"it is stale with a freshness of {now.freshness:g}"
        yield finding("standing", now, why)
    against = now.components.contradiction_weight > now.components.support_weight
    alone = now.last_supported_at is None
    by_hand = last.by not in (CONSOLIDATE, REVOKE, "revalidate")
    is_over = now.valid_to is not None
    accounted = ends or against or alone or by_hand or is_over
    if status is BeliefStatus.INVALIDATED and not accounted:
        yield finding("standing", now, "it is invalidated, and nothing speaks against it")


def _ages(past: BeliefPast) -> bool:
    """Tell whether a belief is stale only where it is no longer fresh.

    An age is outgrown, and a figure or a plan may be stale from the first: one in passing is
    nothing that is known of anything yet.
    """
    word = past.now.slot.partition(".")[0]
    is_born_so = past.stood[0].stood.status is BeliefStatus.STALE
    may_be_born_so = word == PLAN or any(letter.isdigit() for letter in past.now.value)
    return word != "age" and not (is_born_so and may_be_born_so)


def _of_decision(past: BeliefPast, decision: BeliefDecision) -> Iterator[KnowledgeFinding]:
    """Yield the weights of a decision that its evidence does not come to, and its call."""
    now, named = past.now, f"decision {decision.id}: "
    if decision.by != CONSOLIDATE:
        kept = {one.stood.components.support_weight for one in past.stood}
        if not any(abs(one - decision.old_weight) <= _TOLERANCE for one in kept):
            why = f"{named}old_weight is kept as {decision.old_weight:g}, it never weighed that"
            yield finding("decision", now, why)
        return
    if not decision.new_weight or not decision.evidence:
        return
    margin = margin_of(now.slot.partition(".")[0])
    if abs(margin - decision.margin) > _TOLERANCE:
        why = f"{named}margin is kept as {decision.margin:g}, that of its slot is {margin:g}"
        yield finding("decision", now, why)
    yield from _of_weights(past, decision, named)
    wins = decision.new_weight + _TOLERANCE >= decision.old_weight + decision.margin
    if decision.call == "supersede" and decision.why.startswith("it is later") and not wins:
        yield finding("decision", now, f"{named}it supersedes, and does not weigh enough for that")


def _of_weights(
    past: BeliefPast, decision: BeliefDecision, named: str
) -> Iterator[KnowledgeFinding]:
    """Yield the weights of a decision that are not those of the evidence for both values."""
    now, ref = past.now, decision.evidence[0]
    known = [*now.evidence, *(past.next.evidence if past.next else ())]
    claims = [one for one in known if one.ref == ref]
    if not claims:
        return
    claim = claims[0]
    before = [
        one
        for one in evidence_at(now.evidence, decision.at)
        if one.retracted is None and one.ref != ref
    ]
    same = [one for one in before if one.stance == "contradict" and one.value == decision.new_value]
    sums = sum(map(weight_of, [*same, claim]))
    if not any(abs(sums * told - decision.new_weight) <= _TOLERANCE for told in _TOLD):
        why = f"{named}new_weight is kept as {decision.new_weight:g}, its evidence gives {sums:g}"
        yield finding("decision", now, why)
    window = _window(past)
    if window is None:
        return
    windows: Mapping[Kind, float] = {now.kind: window}
    old = old_weight(before, kind=now.kind, at=claim.at, windows=windows)
    if abs(old - decision.old_weight) > _TOLERANCE:
        why = f"{named}old_weight is kept as {decision.old_weight:g}, its evidence gives {old:g}"
        yield finding("decision", now, why)


def _window(past: BeliefPast) -> float | None:
    """Return the window in days of a kind as it was then, by when a belief was due at first."""
    first = past.stood[0].stood
    if first.last_supported_at is None:
        return None
    due = first.revalidation_due_at
    return seconds_between(first.last_supported_at, due) / DAY_SECONDS / windows_in(past.now)
