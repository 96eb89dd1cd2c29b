"""Claims of lessons, reflections and entities, each with its substrate as evidence."""

from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.knowledge.audit import NO_EVIDENCE, PERSONAL
from mindpipe.knowledge.claims.attributes import held, known_attribute
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.claims.of_items import claim_of
from mindpipe.knowledge.claims.prose import stems
from mindpipe.knowledge.keys import SELF
from mindpipe.knowledge.records import Evidence
from mindpipe.language.clauses import READ_CHARACTERS, sentences
from mindpipe.language.guards import clause_meant, sentence_meant
from mindpipe.language.records import Statement, StatementReader, Utterance
from mindpipe.language.topics import topic_words
from mindpipe.language.words import PETS, RELATIVES
from mindpipe.memory.records import WORKS_AT, Entity, Lesson, Reflection

TOPIC_WORDS = 4
OUTCOME_WEIGHT = 0.25
MOST_WEIGHT = 2.0
ONE_AT_A_TIME = frozenset(["employer", "manager", "partner", "spouse"])
"""Relations of which somebody has one at a time; of all others there may be several."""

_READ_OF_ITEMS = RELATIVES | PETS | {WORKS_AT}
"""Relations that readers of items know: what an item states of them is its own claim."""


def claims_of_lesson(lesson: Lesson) -> list[Claim]:
    """Return what a lesson says of the mind itself: how it does what, and that it works.

    Its evidence weighs 0.5 to 1 by its confidence, and a quarter more for every good outcome, less
    for every bad one, between 0 and 2. One that is quarantined says nothing of the mind.
    """
    words = list(dict.fromkeys(topic_words(f"{lesson.when or ''} {lesson.text}")))
    if lesson.origin in NO_EVIDENCE or lesson.retracted or lesson.sources or not words:
        return []
    balance = sum(1 if one.good else -1 for one in lesson.outcomes)
    weight = 0.5 + lesson.confidence / 2 + OUTCOME_WEIGHT * balance
    evidence = Evidence(
        source="lesson",
        ref=lesson.id,
        stance="support",
        weight=min(max(weight, 0.0), MOST_WEIGHT),
        at=lesson.learnt,
        learnt=lesson.learnt,
        origin=lesson.origin,
        value=lesson.text[:READ_CHARACTERS],
    )
    when = f"When {lesson.when}: " if lesson.when else ""
    return [
        Claim(
            kind="self_model",
            subject=SELF,
            word="procedure",
            value=lesson.text[:READ_CHARACTERS],
            summary=f"{when}{lesson.text[:READ_CHARACTERS]}",
            evidence=evidence,
            topic=tuple(words[:TOPIC_WORDS]),
            about=stems(words),
            said=lesson.text[:READ_CHARACTERS],
        )
    ]


def claims_of_reflections(
    reflections: Sequence[Reflection], reader: StatementReader
) -> list[Claim]:
    """Return what reflections say of the mind itself, and of whom they name in the third person.

    Who says "I" in them is the mind, so that nothing of anybody else begins so.
    """
    told = [
        one
        for one in reflections
        if not (one.origin in NO_EVIDENCE or one.retracted or one.sources)
    ]
    read = reader.read([Utterance(one.text, SELF, one.until) for one in told])
    return [claim for one, said in zip(told, read, strict=True) for claim in _reflected(one, said)]


def _reflected(reflection: Reflection, read: Sequence[Statement]) -> Iterator[Claim]:
    """Yield what was read in a reflection."""
    for said in read:
        own = known_attribute(said.attribute).kind == "self_model"
        if not said.holds or (said.subject == SELF and not own):
            continue
        evidence = Evidence(
            source="reflection",
            ref=reflection.id,
            stance="support",
            at=reflection.until,
            learnt=reflection.learnt,
            origin=reflection.origin,
            value=held(said),
        )
        claim = claim_of(said, evidence=evidence, text=reflection.text)
        if claim is not None:
            # What it sums up is one source with what it was made from.
            yield claim._replace(items=reflection.items)


def claims_of_entities(entities: Sequence[Entity], reader: StatementReader) -> list[Claim]:
    """Return what the relations of entities and their profiles say.

    The first sentence of a profile defines its entity, unless readers make something else of it:
    then it supports that, and is not believed twice.
    """
    told = [one for one in entities if not (one.origin in NO_EVIDENCE or one.retracted)]
    profiles = [one.profile[:READ_CHARACTERS] for one in told]
    read = reader.read(
        [Utterance(profile, SELF, one.learnt) for profile, one in zip(profiles, told, strict=True)]
    )
    return [
        claim
        for entity, said in zip(told, read, strict=True)
        for claim in (*_related(entity), *_defined(entity, said), *_profiled(entity, said))
    ]


def _related(entity: Entity) -> Iterator[Claim]:
    """Yield an entity's relations, those that have ended as ended.

    Of a kind that is read from items these say it themselves, and that it is over.
    """
    for relation in entity.relations:
        if relation.items and relation.type in _READ_OF_ITEMS:
            continue
        at = relation.until or relation.since or entity.learnt
        if relation.since is None:  # it is held since it was learnt, so it cannot end before
            at = max(at, entity.learnt)
        alone = relation.type in ONE_AT_A_TIME
        yield Claim(
            kind="relationship_fact",
            subject=entity.name,
            word=relation.type if alone else "relation",
            value=relation.to,
            summary=f"{entity.name}: {relation.type} {relation.to}.",
            evidence=_evidence(entity, at=at, value=relation.to),
            topic=() if alone else (relation.type, relation.to),
            sense="ends" if relation.until else "states",
            said=f"{entity.name}: {relation.type} {relation.to}.",
            items=relation.items,
        )


def _defined(entity: Entity, read: Sequence[Statement]) -> Iterator[Claim]:
    """Yield what a profile says first, where nothing is read there and it is said to be so."""
    first = next(sentences(entity.profile), None)
    if first is None or sentence_meant(first.text) or clause_meant(first.text):
        return
    if any(said.start < first.end and said.unit is None for said in read):
        return
    value = first.text.strip()
    yield Claim(
        kind="world_fact",
        subject=entity.name,
        word="definition",
        value=value,
        summary=value,
        evidence=_evidence(entity, at=entity.learnt, value=value),
        about=stems(topic_words(value)),
        said=value,
    )


def _profiled(entity: Entity, read: Sequence[Statement]) -> Iterator[Claim]:
    """Yield what a profile states of its entity, which it calls by its name or an alias."""
    own = {name.casefold() for name in (entity.name, *entity.aliases)}
    for said in read:
        if said.holds and said.subject.casefold() in own:
            evidence = _evidence(entity, at=entity.learnt, value=held(said))
            of_entity = msgspec.structs.replace(said, subject=entity.name)
            claim = claim_of(of_entity, evidence=evidence, text=entity.profile)
            if claim is not None and not (entity.sources and claim.kind in PERSONAL):
                yield claim


def _evidence(entity: Entity, *, at: str, value: str | None) -> Evidence:
    """Return an entity as evidence for a value."""
    return Evidence(
        source="entity",
        ref=entity.id,
        stance="support",
        at=at,
        learnt=entity.learnt,
        origin=entity.origin,
        sources=entity.sources,
        trusted=entity.trusted,
        vouched=not entity.sources,
        value=value,
    )
