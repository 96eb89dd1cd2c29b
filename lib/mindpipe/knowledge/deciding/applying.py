"""Do what a verdict says: to the observation, its evidence, and the items that it stands on."""

from typing import Literal, NamedTuple

import msgspec

from mindpipe.core.records import Record
from mindpipe.core.sources import joined
from mindpipe.formats.import_ids import import_id
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.deciding.beliefs import Beliefs
from mindpipe.knowledge.deciding.slots import Place
from mindpipe.knowledge.deciding.verdicts import Verdict
from mindpipe.knowledge.freshness import WINDOWS, Windows
from mindpipe.knowledge.keys import SLOTS, SUBJECT_TYPES, Slots
from mindpipe.knowledge.records import (
    Call,
    Components,
    Decision,
    Evidence,
    Mark,
    Observation,
    Stance,
    Status,
)
from mindpipe.knowledge.standing import settled

Relation = Literal["supersedes", "contradicts"]
_STANCES: dict[str | None, Stance] = {
    "corroborate": "support",
    "contradict": "contradict",
    "retract": "contradict",
    "supersede": "contradict",
    "refine": "context",
}
_UNCOUNTED = Components(
    source_count=0,
    source_diversity=0,
    support_weight=0.0,
    contradiction_weight=0.0,
    recency_weight=0.0,
    operator_confirmed_boost=0.0,
)


class Rules(Record):
    """What a consolidation goes by; `review` leaves every supersession to a person."""

    now: str
    windows: Windows = msgspec.field(default_factory=lambda: WINDOWS)
    slots: Slots = msgspec.field(default_factory=lambda: SLOTS)
    review: bool = False


def observation_of(
    claim: Claim, place: Place, rules: Rules, *, support: tuple[Evidence, ...] = ()
) -> Observation:
    """Return the observation that a claim makes in a place, `support` besides its own evidence."""
    evidence = (claim.evidence, *support)
    made = Observation(
        id=import_id("ob", place.key, claim.value, claim.evidence.ref, claim.evidence.at),
        kind=claim.kind,
        subject_type=SUBJECT_TYPES[claim.kind],
        subject_id=place.subject_id,
        slot=place.slot,
        canonical_key=place.key,
        value=claim.value,
        summary=claim.summary,
        tags=tuple(sorted(claim.about)),
        confidence=0.0,
        components=_UNCOUNTED,
        freshness=0.0,
        valid_from=claim.evidence.at,
        learnt=rules.now,
        revalidation_due_at=rules.now,
        evidence=evidence,
        sources=joined(*(one.sources for one in evidence)),
    )
    return settled(made, now=rules.now, windows=rules.windows)


class Case(NamedTuple):
    """A claim, what is held in its slot, and the verdict."""

    claim: Claim
    held: Observation
    verdict: Verdict

    @property
    def why(self) -> str:
        """Return which evidence led to the verdict, and why."""
        return f"{self.claim.evidence.ref}: {self.verdict.why}"


def apply(beliefs: Beliefs, case: Case, rules: Rules) -> None:
    """Do what a verdict on a claim says to what is held in its slot.

    Whatever it is, the claim's evidence is linked to what was held. Under review a supersession
    only waits as a decision, and what is held is contested meanwhile.
    """
    claim, held, verdict = case
    linked = _linked(held, claim, _STANCES.get(verdict.call, "context"))
    if linked is held:
        return
    if verdict.call in ("supersede", "refine"):
        _replace(beliefs, case._replace(held=linked), rules)
        return
    contested = verdict.call == "contradict" or (held.contested and verdict.call != "corroborate")
    stands = msgspec.structs.replace(linked, contested=contested)
    if verdict.call == "retract":
        stands = _ended(stands, claim, rules, Status.INVALIDATED)
    elif verdict.call == "corroborate":
        stands = msgspec.structs.replace(stands, status=Status.ACTIVE)
    beliefs.change(settled(stands, now=rules.now, windows=rules.windows), why=case.why)
    if verdict.call is not None:
        beliefs.decide(_decision(case, verdict.call, rules))
    if verdict.call == "contradict":
        _mark(beliefs, case, "contradicts", rules)


def _replace(beliefs: Beliefs, case: Case, rules: Rules) -> None:
    """Put what a claim says in the place of what was held, or propose it under review."""
    claim, held, verdict = case
    place = Place(held.subject_id, held.slot, held.canonical_key)
    made = observation_of(claim, place, rules, support=_support(case))
    made = msgspec.structs.replace(made, supersedes_observation_id=held.id)
    decision = _decision(case, verdict.call or "refine", rules)
    if rules.review and verdict.call == "supersede":
        stands = msgspec.structs.replace(held, contested=True)
        beliefs.change(settled(stands, now=rules.now, windows=rules.windows), why=case.why)
        beliefs.decide(msgspec.structs.replace(decision, state="queued", proposal=made))
        return
    ended = _ended(held, claim, rules, Status.SUPERSEDED)
    beliefs.change(settled(ended, now=rules.now, windows=rules.windows), why=case.why)
    beliefs.change(made, why=case.why)
    beliefs.decide(msgspec.structs.replace(decision, made=made.id))
    if verdict.call == "supersede":
        _mark(beliefs, case, "supersedes", rules)


def _support(case: Case) -> tuple[Evidence, ...]:
    """Return what supports a successor besides the claim: what said the same before.

    A refinement keeps the support of what it refines.
    """
    claim, held, verdict = case
    stance = "support" if verdict.call == "refine" else "contradict"
    return tuple(
        msgspec.structs.replace(one, stance="support", linked=None)
        for one in held.evidence
        if one.stance == stance
        and one.retracted is None
        and (verdict.call == "refine" or one.value == claim.value)
        and (one.source, one.ref) != (claim.evidence.source, claim.evidence.ref)
    )


def _linked(held: Observation, claim: Claim, stance: Stance) -> Observation:
    """Return an observation with one more piece of evidence, itself if it has that already."""
    new = msgspec.structs.replace(claim.evidence, stance=stance)
    if any((one.source, one.ref) == (new.source, new.ref) for one in held.evidence):
        return held
    return msgspec.structs.replace(held, evidence=(*held.evidence, new))


def _ended(held: Observation, claim: Claim, rules: Rules, status: Status) -> Observation:
    """Return an observation that is believed no more."""
    return msgspec.structs.replace(
        held,
        status=status,
        valid_to=max(claim.evidence.at, held.valid_from),
        ended=max(rules.now, held.learnt),
    )


def _decision(case: Case, call: Call, rules: Rules) -> Decision:
    """Return a verdict as a decision."""
    claim, held, verdict = case
    return Decision(
        id=import_id("de", held.id, call, claim.evidence.ref, claim.value),
        call=call,
        canonical_key=held.canonical_key,
        observation=held.id,
        old_value=held.value,
        new_value=claim.value,
        old_weight=verdict.old,
        new_weight=verdict.new,
        margin=verdict.margin,
        evidence=(claim.evidence.ref,),
        at=rules.now,
        why=verdict.why,
    )


def _mark(beliefs: Beliefs, case: Case, relation: Relation, rules: Rules) -> None:
    """Mark the items that a replaced or contradicted observation stood on."""
    new = case.claim.evidence
    for one in case.held.evidence:
        stood = one.source == "memory_item" and one.stance == "support" and one.retracted is None
        if new.source == "memory_item" and stood and one.ref != new.ref:
            beliefs.mark(Mark(relation=relation, old=one.ref, new=new.ref, at=rules.now))
