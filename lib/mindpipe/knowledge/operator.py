"""What a person says to a belief: confirmed, corrected, pinned, approved, denied."""

from typing import NamedTuple

import msgspec

from mindpipe.core.errors import RefusedError
from mindpipe.knowledge.claims.prose import stems
from mindpipe.knowledge.confidence import Windows, settled
from mindpipe.knowledge.records import (
    BeliefChange,
    BeliefDecision,
    BeliefMark,
    BeliefStatus,
    Changes,
    Evidence,
    Observation,
)
from mindpipe.language.topics import topic_words
from mindpipe.memory.records import Item

OPERATOR_WEIGHT = 2.0
"""An operator's own words weigh as much as two others."""
REINFORCEMENT = 0.1
"""Support weight of one accepted answer; all of them together are one source's weight at most."""


class Word(NamedTuple):
    """An operator's word: the item that holds it, who said it, and when."""

    item: Item
    by: str
    now: str

    def evidence(self, stance: str, value: str | None) -> Evidence:
        """Return it as evidence."""
        return msgspec.convert(
            {
                "source": "memory_item",
                "ref": self.item.id,
                "stance": stance,
                "weight": OPERATOR_WEIGHT,
                "at": self.item.at,
                "learnt": self.item.learnt,
                "origin": "operator",
                "value": value,
                "linked": self.now,
            },
            Evidence,
        )


class Correction(NamedTuple):
    """What holds instead: the value and the claim in one sentence, and ids for what is made."""

    value: str
    summary: str
    observation: str
    decision: str


def confirmed(held: Observation, word: Word, *, windows: Windows) -> Changes:
    """Return the changes by which an operator stands by an observation."""
    made = msgspec.structs.replace(
        held,
        evidence=(*held.evidence, word.evidence("support", held.value)),
        operator_confirmed=True,
        contested=False,
        status=BeliefStatus.ACTIVE,
    )
    return _changes(word, held, made, why=f"{word.by} confirmed it", windows=windows)


def pinned(held: Observation, *, by: str, now: str, pin: bool, windows: Windows) -> Changes:
    """Return the changes by which an observation is pinned, or is no longer."""
    made = settled(msgspec.structs.replace(held, pinned=pin), now=now, windows=windows)
    why = f"{by} {'pinned it' if pin else 'let it go'}"
    change = BeliefChange(observation=made, expected=held.version, why=why)
    return Changes(agent=held.agent or "", at=now, by=by, changes=(change,))


def reinforced(held: Observation, *, by: str, now: str, windows: Windows) -> Changes:
    """Return the changes by which an accepted answer adds to the support of an observation."""
    more = round(min(held.reinforced + REINFORCEMENT, 1.0), 6)
    made = settled(msgspec.structs.replace(held, reinforced=more), now=now, windows=windows)
    change = BeliefChange(
        observation=made, expected=held.version, why="an answer that rests on it was accepted"
    )
    return Changes(agent=held.agent or "", at=now, by=by, changes=(change,))


def refuted(held: Observation, word: Word, *, decision: str, windows: Windows) -> Changes:
    """Return the changes by which an operator says that an observation is false."""
    gone = _ended(held, word, BeliefStatus.INVALIDATED, value=None)
    changes = _changes(word, held, gone, why=f"{word.by} said that it is false", windows=windows)
    made = _decision(held, word, decision)
    return msgspec.structs.replace(changes, decisions=(made,))


def corrected(held: Observation, word: Word, to: Correction, *, windows: Windows) -> Changes:
    """Return the changes by which an operator puts another value in the place of one."""
    gone = msgspec.structs.replace(
        _ended(held, word, BeliefStatus.SUPERSEDED, value=to.value),
        valid_to=max(word.item.at, held.valid_from),
    )
    changes = _changes(word, held, gone, why=f"{word.by} corrected it", windows=windows)
    new = msgspec.structs.replace(
        held,
        id=to.observation,
        value=to.value,
        summary=to.summary,
        detail="",
        tags=_tags(held, to.value),
        status=BeliefStatus.ACTIVE,
        contested=False,
        operator_confirmed=True,
        reinforced=0.0,
        valid_from=word.item.at,
        valid_to=None,
        learnt=word.now,
        sources=(),
        supersedes_observation_id=held.id,
        evidence=(word.evidence("support", to.value),),
    )
    made = BeliefChange(
        observation=settled(new, now=word.now, windows=windows), why=f"{word.by} said so"
    )
    decision = msgspec.structs.replace(
        _decision(held, word, to.decision),
        call="supersede",
        made=to.observation,
        new_value=to.value,
    )
    return msgspec.structs.replace(
        changes,
        changes=(*changes.changes, made),
        decisions=(decision,),
        marks=replaced_by(held, word.item.id, by=word.by, now=word.now),
    )


def replaced_by(held: Observation, ref: str, *, by: str, now: str) -> tuple[BeliefMark, ...]:
    """Return the marks that an item supersedes those that an observation stood on."""
    return tuple(
        BeliefMark(relation="supersedes", old=one.ref, new=ref, at=now, by=by)
        for one in held.evidence
        if (one.source, one.stance, one.retracted) == ("memory_item", "support", None)
        and one.ref != ref
    )


def _tags(held: Observation, value: str) -> tuple[str, ...]:
    """Return the tags of another value: its stems, unless they tell of what stands around it."""
    if set(held.tags) != stems(topic_words(held.value)):
        return held.tags
    return tuple(sorted(stems(topic_words(value))))


def _ended(
    held: Observation, word: Word, status: BeliefStatus, *, value: str | None
) -> Observation:
    """Return an observation that an operator's word has ended, with that word against it."""
    return msgspec.structs.replace(
        held,
        evidence=(*held.evidence, word.evidence("contradict", value)),
        status=held.status.to(status),
        ended=word.now,
    )


def _changes(
    word: Word, held: Observation, made: Observation, *, why: str, windows: Windows
) -> Changes:
    """Return the one change of an observation by an operator's word."""
    change = BeliefChange(
        observation=settled(made, now=word.now, windows=windows), expected=held.version, why=why
    )
    return Changes(agent=held.agent or "", at=word.now, by=word.by, changes=(change,))


def _decision(held: Observation, word: Word, id: str) -> BeliefDecision:
    """Return the decision by which an operator retracts an observation."""
    return BeliefDecision(
        id=id,
        agent=held.agent,
        call="retract",
        canonical_key=held.canonical_key,
        observation=held.id,
        old_value=held.value,
        new_value="",
        old_weight=held.components.support_weight,
        new_weight=OPERATOR_WEIGHT,
        evidence=(word.item.id,),
        at=word.now,
        by=word.by,
        why="an operator's word decides, whatever weighs against it",
    )


def approved(
    decision: BeliefDecision, held: Observation | None, *, by: str, now: str, windows: Windows
) -> Changes:
    """Return the changes by which what was proposed takes the place of what is held.

    `held` is what stands under the key now, with its evidence; None where nothing does.

    Raises:
        RefusedError: the decision proposes nothing, or it was made on another observation.
    """
    proposal = decision.proposal
    if proposal is None:
        raise RefusedError(f"{decision.id} proposes no observation; deny it.")
    if (held.id if held else None) != decision.observation:
        now_held = held.id if held else "nothing"
        raise RefusedError(
            f"{decision.id} was made on {decision.observation}, but {now_held} is held under "
            f"{decision.canonical_key} now; deny it and consolidate again."
        )
    changes: list[BeliefChange] = []
    if held is not None:
        gone = msgspec.structs.replace(
            held,
            status=held.status.to(BeliefStatus.SUPERSEDED),
            ended=now,
            contested=False,
            valid_to=max(proposal.valid_from, held.valid_from),
        )
        changes.append(_change(gone, held.version, f"{by} approved {decision.id}", now, windows))
    made = msgspec.structs.replace(
        proposal,
        learnt=now,
        status=BeliefStatus.ACTIVE,
        ended=None,
        supersedes_observation_id=(held.id if held else None),
    )
    changes.append(_change(made, 0, f"{by} approved {decision.id}", now, windows))
    marks = () if held is None else _marks(decision, held, by=by, now=now)
    return Changes(agent=decision.agent or "", at=now, by=by, changes=tuple(changes), marks=marks)


def _marks(
    decision: BeliefDecision, held: Observation, *, by: str, now: str
) -> tuple[BeliefMark, ...]:
    """Return the marks that the items which led to a decision supersede what they replace."""
    proposal = decision.proposal
    items = (
        {one.ref for one in proposal.evidence if one.source == "memory_item"} if proposal else ()
    )
    return tuple(
        mark
        for ref in decision.evidence
        if ref in items
        for mark in replaced_by(held, ref, by=by, now=now)
    )


def denied(
    decision: BeliefDecision, held: Observation | None, *, by: str, now: str, windows: Windows
) -> Changes:
    """Return the changes by which what is held stays, and what led to the proposal counts no more.

    The evidence is kept, as retracted. It stays contested where other evidence is against it.
    """
    no_more = refused(decision, held)
    if held is None or held.id != decision.observation or not (held.contested or no_more):
        return Changes(agent=decision.agent or "", at=now, by=by)
    evidence = tuple(
        msgspec.structs.replace(one, retracted=now) if one in no_more else one
        for one in held.evidence
    )
    contested = held.contested and any(_counts_against(one) for one in evidence)
    kept = msgspec.structs.replace(held, contested=contested, evidence=evidence)
    change = _change(kept, held.version, f"{by} denied {decision.id}", now, windows)
    return Changes(agent=decision.agent or "", at=now, by=by, changes=(change,))


def refused(decision: BeliefDecision, held: Observation | None) -> tuple[Evidence, ...]:
    """Return the evidence against what is held that counts no more once a decision is denied."""
    if held is None or held.id != decision.observation:
        return ()
    return tuple(
        one for one in held.evidence if one.ref in decision.evidence and _counts_against(one)
    )


def _counts_against(evidence: Evidence) -> bool:
    """Tell whether a piece of evidence contradicts and was not taken back."""
    return evidence.stance == "contradict" and evidence.retracted is None


def _change(made: Observation, expected: int, why: str, now: str, windows: Windows) -> BeliefChange:
    """Return one change, settled."""
    return BeliefChange(
        observation=settled(made, now=now, windows=windows), expected=expected, why=why
    )
