"""What an operator's word does to an observation: confirm it, correct it, refute it, pin it."""

from typing import NamedTuple

import msgspec

from mindpipe.knowledge.claims.prose import stems, topic_words
from mindpipe.knowledge.freshness import Windows
from mindpipe.knowledge.records import (
    Change,
    Changes,
    Decision,
    Evidence,
    Mark,
    Observation,
    Status,
)
from mindpipe.knowledge.standing import settled
from mindpipe.memory.records import Item

OPERATOR_WEIGHT = 2.0
"""An operator's own words weigh as much as two others."""
REINFORCEMENT = 0.1
"""Support weight of one successful recall; all of them together are one source's weight at most."""


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
        status=Status.ACTIVE,
    )
    return _changes(word, held, made, why=f"{word.by} confirmed it", windows=windows)


def pinned(held: Observation, *, by: str, now: str, pin: bool, windows: Windows) -> Changes:
    """Return the changes by which an observation is pinned, or is no longer."""
    made = settled(msgspec.structs.replace(held, pinned=pin), now=now, windows=windows)
    why = f"{by} {'pinned it' if pin else 'let it go'}"
    change = Change(observation=made, expected=held.version, why=why)
    return Changes(agent=held.agent or "", at=now, by=by, changes=(change,))


def reinforced(held: Observation, *, by: str, now: str, windows: Windows) -> Changes:
    """Return the changes by which a successful recall adds to the support of an observation."""
    more = round(min(held.reinforced + REINFORCEMENT, 1.0), 6)
    made = settled(msgspec.structs.replace(held, reinforced=more), now=now, windows=windows)
    change = Change(
        observation=made, expected=held.version, why="an answer that rests on it was used"
    )
    return Changes(agent=held.agent or "", at=now, by=by, changes=(change,))


def refuted(held: Observation, word: Word, *, decision: str, windows: Windows) -> Changes:
    """Return the changes by which an operator says that an observation is false."""
    gone = _ended(held, word, Status.INVALIDATED, value=None)
    changes = _changes(word, held, gone, why=f"{word.by} said that it is false", windows=windows)
    made = _decision(held, word, decision)
    return msgspec.structs.replace(changes, decisions=(made,))


def corrected(held: Observation, word: Word, to: Correction, *, windows: Windows) -> Changes:
    """Return the changes by which an operator puts another value in the place of one."""
    gone = msgspec.structs.replace(
        _ended(held, word, Status.SUPERSEDED, value=to.value),
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
        status=Status.ACTIVE,
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
    made = Change(observation=settled(new, now=word.now, windows=windows), why=f"{word.by} said so")
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


def replaced_by(held: Observation, ref: str, *, by: str, now: str) -> tuple[Mark, ...]:
    """Return the marks that an item supersedes those that an observation stood on."""
    return tuple(
        Mark(relation="supersedes", old=one.ref, new=ref, at=now, by=by)
        for one in held.evidence
        if (one.source, one.stance, one.retracted) == ("memory_item", "support", None)
        and one.ref != ref
    )


def _tags(held: Observation, value: str) -> tuple[str, ...]:
    """Return the tags of another value: its stems, unless they tell of what stands around it."""
    if set(held.tags) != stems(topic_words(held.value)):
        return held.tags
    return tuple(sorted(stems(topic_words(value))))


def _ended(held: Observation, word: Word, status: Status, *, value: str | None) -> Observation:
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
    change = Change(
        observation=settled(made, now=word.now, windows=windows), expected=held.version, why=why
    )
    return Changes(agent=held.agent or "", at=word.now, by=word.by, changes=(change,))


def _decision(held: Observation, word: Word, id: str) -> Decision:
    """Return the decision by which an operator retracts an observation."""
    return Decision(
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
