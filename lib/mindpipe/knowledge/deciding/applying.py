"""Do what a verdict says: to the observation, its evidence, and the items that it stands on."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from mindpipe.core.sources import attribution, joined
from mindpipe.knowledge.claims.claim import PLAN, Claim
from mindpipe.knowledge.confidence import DOUBTED_BY, DOUBTS, WINDOWS, Windows, settled
from mindpipe.knowledge.deciding.beliefs import Belief, Beliefs
from mindpipe.knowledge.deciding.slots import SlotPlace
from mindpipe.knowledge.deciding.weights import WeightVerdict
from mindpipe.knowledge.keys import SLOTS, SUBJECT_TYPES, Slots
from mindpipe.knowledge.records import (
    BeliefDecision,
    BeliefMark,
    BeliefStatus,
    Call,
    Components,
    Evidence,
    Observation,
    Stance,
)
from mindpipe.providers.items import import_id

TAG_CHARACTERS = 200
"""What is longer is no word by which a figure could be told from another."""
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


class Terms(NamedTuple):
    """What claims are weighed by: the instant, windows and slots.

    `review` leaves every supersession to a person.
    """

    now: str
    windows: Windows = WINDOWS
    slots: Slots = SLOTS
    review: bool = False


def observation_of(
    claim: Claim, place: SlotPlace, terms: Terms, *, support: tuple[Evidence, ...] = ()
) -> Observation:
    """Return the observation that a claim makes in a place, `support` besides its own evidence.

    What follows from its evidence is settled where the beliefs are taken out.
    """
    first = msgspec.structs.replace(claim.evidence, linked=terms.now)
    evidence = (first, *support)
    return Observation(
        id=import_id("ob", place.key, claim.value, claim.evidence.ref, claim.evidence.at),
        kind=claim.kind,
        subject_type=SUBJECT_TYPES[claim.kind],
        subject_id=place.subject_id,
        slot=place.slot,
        canonical_key=place.key,
        value=claim.value,
        summary=claim.summary,
        # What is to be is nothing that is known yet.
        status=BeliefStatus.STALE if claim.word == PLAN else BeliefStatus.ACTIVE,
        tags=tuple(sorted(stem for stem in claim.about if len(stem) <= TAG_CHARACTERS)),
        confidence=0.0,
        components=_UNCOUNTED,
        freshness=0.0,
        valid_from=claim.since if claim.lasts_since else claim.evidence.at,
        valid_to=claim.until if claim.until > claim.evidence.at else None,
        learnt=terms.now,
        revalidation_due_at=terms.now,
        evidence=evidence,
        sources=joined(*(one.sources for one in evidence)),
    )


class Case(NamedTuple):
    """A claim, what is held in its slot, and the verdict."""

    claim: Claim
    belief: Belief
    verdict: WeightVerdict

    @property
    def why(self) -> str:
        """Return which evidence led to the verdict, and why."""
        evidence = self.claim.evidence
        return f"{evidence.ref}{said_by(evidence)}: {self.verdict.why}"


def said_by(evidence: Evidence) -> str:
    """Return by which way words came of which nobody knows who said them, in brackets."""
    unknown = evidence.speaker is None and (evidence.sources or evidence.claimed_speaker)
    return f" ({attribution(None, evidence.claimed_speaker, evidence.sources)})" if unknown else ""


def doubt(beliefs: Beliefs, belief: Belief, evidence: Evidence) -> None:
    """Let something be stale that may not be so, by evidence, until somebody says it again.

    Nothing is doubted that an operator stands for, nor what was supported since, nor by what came
    from an untrusted source what somebody trusted said.
    """
    held = belief.observation
    sure = held.pinned or held.operator_confirmed or (evidence.sources and not held.sources)
    active = held.status is BeliefStatus.ACTIVE
    if active and not sure and (held.last_supported_at or "") < evidence.at:
        belief.link(msgspec.structs.replace(evidence, stance="context", value=None))
        belief.change(status=BeliefStatus.STALE)
        because = DOUBTS.get(evidence.meant or "ended", DOUBTED_BY)
        beliefs.changed(belief, why=f"{evidence.ref}{said_by(evidence)}: {because}")


def apply(beliefs: Beliefs, case: Case, terms: Terms) -> None:
    """Do what a verdict on a claim says to what is held in its slot.

    Whatever it is, the claim's evidence is linked to what was held. Under review a supersession
    only waits as a decision, and what is held is contested meanwhile.
    """
    call, belief = case.verdict.call, case.belief
    against = call in ("supersede", "refine", "contradict")
    before = belief.all() if against else []
    stance = _STANCES.get(call, "context")
    belief.link(msgspec.structs.replace(case.claim.evidence, stance=stance, linked=terms.now))
    if call in ("supersede", "refine"):
        _replace(beliefs, case, before, terms)
    elif call is not None:
        if call == "retract":
            _end(case, BeliefStatus.INVALIDATED, terms)
        else:
            belief.change(contested=call == "contradict")
        if call == "corroborate":
            if case.claim.word != PLAN:
                belief.change(status=BeliefStatus.ACTIVE)
            if case.claim.until > case.claim.evidence.at:
                belief.change(valid_to=case.claim.until)
        beliefs.decide(_decision(case, call, terms))
    beliefs.changed(belief, why=case.why)
    if call == "contradict":
        _mark(beliefs, case, before, terms)


def _replace(beliefs: Beliefs, case: Case, before: Sequence[Evidence], terms: Terms) -> None:
    """Put what a claim says in the place of what was held, or propose it under review."""
    supersedes = case.verdict.call == "supersede"
    made = _successor(case, before, terms)
    decision = _decision(case, "supersede" if supersedes else "refine", terms)
    if supersedes and terms.review:
        case.belief.change(contested=True)
        beliefs.decide(
            msgspec.structs.replace(
                decision,
                state="queued",
                proposal=settled(made, now=terms.now, windows=terms.windows),
            )
        )
        return
    _end(case, BeliefStatus.SUPERSEDED, terms)
    beliefs.changed(case.belief, why=case.why)
    beliefs.begin(made, why=case.why)
    beliefs.decide(msgspec.structs.replace(decision, made=made.id))
    if supersedes:
        _mark(beliefs, case, before, terms)


def _end(case: Case, status: BeliefStatus, terms: Terms) -> None:
    """Believe something no more, since the claim was true."""
    held = case.belief.observation
    case.belief.change(
        status=status,
        valid_to=max(case.claim.evidence.at, held.valid_from),
        ended=max(terms.now, held.learnt),
    )


def _successor(case: Case, before: Sequence[Evidence], terms: Terms) -> Observation:
    """Return what comes in the place of what was held.

    What said the same before supports it too; a refinement keeps the support of what it refines.
    """
    claim, belief, verdict = case
    held = belief.observation
    refined = verdict.call == "refine"
    support = tuple(
        msgspec.structs.replace(one, stance="support", linked=terms.now)
        for one in before
        if (one.stance == "support" and refined)
        or (one.stance == "contradict" and not refined and one.value == claim.value)
    )
    place = SlotPlace(held.subject_id, held.slot, held.canonical_key)
    made = observation_of(claim, place, terms, support=support)
    return msgspec.structs.replace(made, supersedes_observation_id=held.id)


def _decision(case: Case, call: Call, terms: Terms) -> BeliefDecision:
    """Return a verdict as a decision."""
    claim, belief, verdict = case
    held = belief.observation
    return BeliefDecision(
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
        at=terms.now,
        why=verdict.why,
    )


def _mark(beliefs: Beliefs, case: Case, before: Sequence[Evidence], terms: Terms) -> None:
    """Mark the items that a replaced or contradicted observation stood on."""
    new = case.claim.evidence
    relation: Relation = "supersedes" if case.verdict.call == "supersede" else "contradicts"
    for one in before:
        if (one.source, one.stance, new.source) == ("memory_item", "support", "memory_item"):
            beliefs.mark(BeliefMark(relation=relation, old=one.ref, new=new.ref, at=terms.now))
