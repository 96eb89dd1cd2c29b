"""Claims of items: their statements and figures, each with its item as evidence."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.sources import USER, hearsay, speakers
from mindpipe.knowledge.audit import NO_EVIDENCE, OBSERVATION_PREFIX, PERSONAL
from mindpipe.knowledge.claims.attributes import ATTRIBUTES, NOT, held, told, told_ended
from mindpipe.knowledge.claims.claim import Claim, is_operators
from mindpipe.knowledge.claims.figures import DAY, MEASURES, StatedFigure, figures
from mindpipe.knowledge.claims.prose import preferred, singular, stems, topic_words
from mindpipe.knowledge.keys import SELF, normal_subject, normal_topic
from mindpipe.knowledge.records import Evidence
from mindpipe.language.records import Statement, StatementReader, Utterance
from mindpipe.memory.records import Item

NOBODY = USER
"""Whom an item without speaker and subject is of."""
ASSISTANTS = frozenset({"assistant", "agent", "model", "system", "tool"})
"""Speakers whose words are no evidence, whatever origin they were given with."""
OPERATOR_WEIGHT = 2.0
FIGURES = "figures/1"
"""Who reads figures: the same rules beside every reader of statements."""
TOPIC_WORDS = 3
"""Words of a figure's surroundings that stand in its slot."""
LEAST_WORDS = 2
"""A figure with fewer words around it says nothing that could be found again."""

_CHANGE = re.compile(
    r"\b(?:now|new|newly|recently|just|finally|moved|relocated|joined|promoted|started|switched|"
    r"upgraded|any ?more|no longer)\b"
)
_NAMES = {"%": "percent", "$": "dollar", "€": "euro", "£": "pound"}
_SIZES = frozenset(["cm", "g", "kg", "km", "left", "m", "mm"])
_ONE = frozenset({"mother", "father", "boss", "landlord"})
"""Of whom somebody has one at a time, as readers call them; of all others there may be several."""


def claims_of_items(items: Sequence[Item], reader: StatementReader) -> list[Claim]:
    """Return what items claim, in their order; those are left out that are no evidence.

    They are read together. What one person says of another who speaks for himself here supports
    what that one says, and nothing begins with it.
    """
    told = [one for one in items if _is_evidence(one)]
    voices = [_voice(one) or one.subject or NOBODY for one in told]
    here = {normal_subject(one) for one in voices if _has_key(one)}
    read = reader.read(
        [Utterance(one.text, voice, one.at) for one, voice in zip(told, voices, strict=True)]
    )
    found: list[Claim] = []
    for item, voice, said in zip(told, voices, read, strict=True):
        # What the program notes of itself, such as a crash, has figures that are nobody's facts.
        noted = item.origin == "program" and item.speaker is None and item.subject is None
        own = [*_stated(item, said, voice, here), *(() if noted else _counted(item))]
        kept = {(one.subject, one.word, one.family, one.topic, one.value): one for one in own}
        found += (
            one for one in kept.values() if not (one.evidence.sources and one.kind in PERSONAL)
        )
    return found


def _is_evidence(item: Item) -> bool:
    """Tell whether an item can be evidence."""
    return not (
        item.origin in NO_EVIDENCE
        or item.retracted
        or is_assistant(item.speaker or item.claimed_speaker)
        # Under such an id an item once came in, and would stop every consolidation after it.
        or item.id.startswith(OBSERVATION_PREFIX)
    )


def _has_key(name: str) -> bool:
    """Tell whether a name can stand in a key."""
    with contextlib.suppress(UsageError):
        return bool(normal_subject(name))
    return False


def is_assistant(speaker: str | None) -> bool:
    """Tell whether a speaker is the model itself, or a program."""
    return speaker is not None and speaker.lower() in ASSISTANTS


def evidence_of(item: Item, *, value: str | None) -> Evidence:
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


def _stated(
    item: Item, said: Iterable[Statement], voice: str, here: AbstractSet[str]
) -> Iterator[Claim]:
    """Yield the claims of what an item states."""
    for one in said:
        if not one.holds:
            continue
        own = ATTRIBUTES[one.attribute].kind == "self_model"
        if own != (item.origin == "program") or not _has_key(one.subject):
            continue
        subject = normal_subject(one.subject)
        heard = subject != normal_subject(voice) and subject in here
        for each in (one, *_follows(one)):
            claim = claim_of(each, evidence=evidence_of(item, value=held(each)), text=item.text)
            if claim is not None:
                yield claim._replace(begins=False) if heard else claim


def _follows(said: Statement) -> Iterator[Statement]:
    """Yield what follows from a statement: whoever has lost a workplace has lost the job."""
    if said.attribute == "workplace" and said.meant == "ended":
        yield msgspec.structs.replace(said, attribute="job", value=None)


def _voice(item: Item) -> str | None:
    """Return who says "I" in an item: its speaker, or where nobody knows him, its source."""
    said_by = speakers(item.speaker, item.claimed_speaker, item.sources)
    unknown = said_by.known is None and (said_by.claimed is not None or bool(item.sources))
    return hearsay(item.sources) if unknown else said_by.known


def claim_of(said: Statement, *, evidence: Evidence, text: str) -> Claim | None:
    """Return a statement as a claim, or None where it names nothing that could stand in a key."""
    attribute = ATTRIBUTES[said.attribute]
    try:
        topic = _topic_of(said)
    except UsageError:
        return None
    return Claim(
        kind=attribute.kind,
        subject=SELF if attribute.kind == "self_model" else said.subject,
        word=attribute.slot,
        value=held(said) or "",
        summary=told(said),
        evidence=msgspec.structs.replace(evidence, reader=said.reader, meant=said.meant),
        topic=topic,
        about=stems(topic_words(said.value or "")),
        change=len(_CHANGE.findall(text[said.start : said.end])),
        begins=said.value is not None and (said.meant != "ended" or not attribute.many),
        said=text[said.start : said.end],
    )


def naming(claim: Claim, value: str) -> Claim:
    """Return the claim that something not named has ended as one that ends a value."""
    ended = f"{NOT}{value}"
    return claim._replace(
        value=ended,
        summary=told_ended(claim.word, who=claim.subject, value=value),
        about=stems(topic_words(value)),
        evidence=msgspec.structs.replace(claim.evidence, value=ended),
    )


def _topic_of(said: Statement) -> tuple[str, ...]:
    """Return the topic of what is said: named by the statement, or the first words of the value.

    Raises:
        UsageError: the value has no word that could be a topic.
    """
    if not ATTRIBUTES[said.attribute].many or said.value is None:
        return ()
    if said.topic is not None:
        *before, last = said.topic.split()
        topic = (*before, singular(last))
        if said.attribute == "relation" and topic[-1] not in _ONE:
            topic = (*topic, said.value)
    else:
        topic = tuple(dict.fromkeys(topic_words(said.value)))[: TOPIC_WORDS + 1]
        sides = preferred(said.value) if said.attribute == "prefers" else None
        both = [topic_words(side) for side in sides or ()]
        if both and all(both):
            topic = tuple(sorted(side[0] for side in both))
    normal_topic(" ".join(topic))
    return topic


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
            evidence=msgspec.structs.replace(evidence_of(item, value=figure.value), reader=FIGURES),
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
