"""Claims of one item: its statements and figures, each with the item as evidence."""

from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.sources import USER, hearsay, speakers
from mindpipe.knowledge.audit import NO_EVIDENCE, OBSERVATION_PREFIX, PERSONAL
from mindpipe.knowledge.claims.claim import Claim, is_operators
from mindpipe.knowledge.claims.figures import DAY, MEASURES, StatedFigure, figures
from mindpipe.knowledge.claims.prose import preferred, singular, stems, topic_words
from mindpipe.knowledge.claims.statements import Statement, statements
from mindpipe.knowledge.keys import SELF, normal_subject, normal_topic
from mindpipe.knowledge.records import Evidence
from mindpipe.memory.records import Item

NOBODY = USER
"""Whom an item without speaker and subject is of."""
ASSISTANTS = frozenset({"assistant", "agent", "model", "system", "tool"})
"""Speakers whose words are no evidence, whatever origin they were given with."""
OPERATOR_WEIGHT = 2.0
TOPIC_WORDS = 3
"""Words of a figure's surroundings that stand in its slot."""
LEAST_WORDS = 2
"""A figure with fewer words around it says nothing that could be found again."""

_NAMES = {"%": "percent", "$": "dollar", "€": "euro", "£": "pound"}
_SIZES = frozenset(["cm", "g", "kg", "km", "left", "m", "mm"])
_OPEN = frozenset(
    ["prefers", "likes", "dislikes", "instruction", "tendency", "strength", "weakness"]
)
_ONE = frozenset(
    [
        *("wife", "husband", "spouse", "partner", "girlfriend", "boyfriend", "fiance"),
        *("mother", "father", "boss", "manager", "landlord", "neighbor"),
    ]
)
"""Of whom somebody has one at a time; of all others there may be several."""


def claims_of_item(item: Item) -> list[Claim]:
    """Return what an item claims, in the order of its words; nothing where it is no evidence."""
    if (
        item.origin in NO_EVIDENCE
        or item.retracted
        or is_assistant(item.speaker or item.claimed_speaker)
    ):
        return []
    # Under such an id an item once came in, and would stop every consolidation after it.
    if item.id.startswith(OBSERVATION_PREFIX):
        return []
    found = [*_stated(item), *_counted(item)]
    kept = {(claim.word, claim.family, claim.topic, claim.value): claim for claim in found}
    return [
        claim for claim in kept.values() if not (claim.evidence.sources and claim.kind in PERSONAL)
    ]


def is_assistant(speaker: str | None) -> bool:
    """Tell whether a speaker is the model itself, or a program."""
    return speaker is not None and speaker.lower() in ASSISTANTS


def evidence_of(item: Item, *, value: str) -> Evidence:
    """Return an item as evidence for a value; an operator's word weighs twice."""
    said_by = speakers(item.speaker, item.claimed_speaker, item.sources)
    evidence = Evidence(
        source="memory_item",
        ref=item.id,
        stance="support",
        at=item.at,
        learnt=item.learnt,
        origin=item.origin,
        speaker=said_by.known,
        claimed_speaker=said_by.claimed,
        sources=item.sources,
        trusted=item.trusted,
        vouched=item.vouched,
        span=item.span,
        value=value,
    )
    weight = OPERATOR_WEIGHT if is_operators(evidence) else 1.0
    return msgspec.structs.replace(evidence, weight=weight)


def _stated(item: Item) -> Iterator[Claim]:
    """Yield the claims of what an item says in known wordings."""
    speaker = _voice(item) or item.subject or NOBODY
    for said in statements(item.text):
        evidence = evidence_of(item, value=said.value)
        own = said.wording.kind == "self_model"
        if own == (item.origin == "program") and (
            claim := claim_of(said, speaker=speaker, evidence=evidence)
        ):
            yield claim


def _voice(item: Item) -> str | None:
    """Return who says "I" in an item: its speaker, or where nobody knows him, its source."""
    said_by = speakers(item.speaker, item.claimed_speaker, item.sources)
    unknown = said_by.known is None and (said_by.claimed is not None or bool(item.sources))
    return hearsay(item.sources) if unknown else said_by.known


def claim_of(said: Statement, *, speaker: str, evidence: Evidence) -> Claim | None:
    """Return a statement as a claim, or None where it names nothing that could stand in a key."""
    kind = said.wording.kind
    try:
        topic = _topic_of(said)
        subject = said.subject or speaker
        normal_subject(subject)
    except UsageError:
        return None
    return Claim(
        kind=kind,
        subject=SELF if kind == "self_model" else subject,
        word=said.wording.word,
        value=said.value,
        summary=_sentence(subject, said),
        evidence=evidence,
        topic=topic,
        about=stems(topic_words(said.value)),
        sense=said.wording.sense,
        change=said.changes,
        bound=said.wording.bound or "neighbor" in topic,
        said=said.sentence,
    )


def _topic_of(said: Statement) -> tuple[str, ...]:
    """Return the topic of what is said: named by the wording, or the first words of the value.

    Raises:
        UsageError: the value has no word that could be a topic.
    """
    word = said.wording.word
    if word in _OPEN:
        words = tuple(dict.fromkeys(topic_words(said.value)))[: TOPIC_WORDS + 1]
        sides = preferred(said.value) if word == "prefers" else None
        told = [topic_words(side) for side in sides or ()]
        if told and all(told):
            words = tuple(sorted(side[0] for side in told))
        normal_topic(" ".join(words))
        return words
    if said.topic is None:
        return ()
    named = singular(said.topic).replace("neighbour", "neighbor").replace("ée", "e")
    several = word == "relation" and named not in _ONE
    return (named, said.value) if several else (named,)


def _sentence(who: str, said: Statement) -> str:
    """Return a claim in one sentence."""
    word = said.wording.word
    named = said.topic or ""
    sentences = {
        "residence": f"{who} lives in {said.value}",
        "workplace": f"{who} works at {said.value}",
        "job": f"{who} works as {said.value}",
        "age": f"{who} is {said.value} years old",
        "name": f"{who} is called {said.value}",
        "relation": f"{said.value} is {who}'s {singular(named) if named else 'relation'}",
        "communication_style": f"{who} responds best to {said.value}",
        "favourite": f"{who}'s favourite {named} is {said.value}",
        "routine": f"{who}'s {singular(named) if named else ''} routine is {said.value}",
        "version": f"{who} is at version {said.value}",
        "instruction": f"{who} asks: {said.value}",
        "tendency": said.value if said.value[0].isupper() else f"I tend to do this: {said.value}",
        "strength": f"I am good at {said.value}",
        "weakness": f"I struggle with {said.value}",
        "status": f"{who} is in {said.value}",
        "launch": f"{who} launches in {said.value}",
        "port": f"{who} is on port {said.value}",
        "mode": f"{who} uses {said.value} mode",
        "event": f"{who} was {named} {said.value}",
    }
    return sentences.get(word, f"{who} {word} {said.value}") + "."


def _counted(item: Item) -> Iterator[Claim]:
    """Yield the claims of the figures that an item states."""
    voice = _voice(item)
    whose = item.subject or voice or NOBODY
    own = item.subject is None or item.subject == voice
    try:
        normal_subject(whose)
    except UsageError:
        return
    for figure in figures(item.text, at=item.at):
        if len(figure.about) < LEAST_WORDS or (not figure.change and figure.unit in _SIZES | {""}):
            continue
        word = _word_of(figure, own=own)
        unit = _NAMES.get(figure.unit, figure.unit)
        yield Claim(
            kind="world_fact" if own else "project_state",
            subject=whose,
            word=word,
            value=figure.value,
            summary=f"{whose}: {figure.told}.",
            evidence=evidence_of(item, value=figure.value),
            family=unit,
            families=(unit,) if unit else tuple(map(singular, figure.words)),
            topic=figure.words[:TOPIC_WORDS],
            about=figure.about,
            change=figure.change,
            said=figure.sentence,
        )


def _word_of(figure: StatedFigure, *, own: bool) -> str:
    """Return the word of the slot that a figure fills."""
    if figure.unit == DAY:
        return "date" if own else "schedule"
    return "metric" if figure.unit in MEASURES or figure.unit == "%" else "count"
