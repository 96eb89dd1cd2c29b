"""Find items and entities in what was said."""

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from mindpipe.core.dates import Dated
from mindpipe.core.sources import USER
from mindpipe.memory.entities import slug
from mindpipe.memory.extraction.items import FoundItem, dates_of, told_item
from mindpipe.memory.extraction.records import SpeakerWords
from mindpipe.memory.extraction.relations import relations_in
from mindpipe.memory.extraction.sentences import Sentence, names_in, sentences_of, subject_of
from mindpipe.memory.extraction.wordings import patterns
from mindpipe.memory.records import EntityType, Item, NewEntity, Relation
from mindpipe.memory.strength import content_words, signals_of, significance

EVIDENCE = frozenset({"human", "operator", "tool", "program"})
"""Whose words may give items; the mind's own and what memory put into a prompt never do."""
_EVENT, _FACT, _RELATION = 0.6, 0.6, 0.9
MOST_STATEMENTS = 1_000
"""Of a longer text no more sentences are read: it is a document, and no talk."""
_REMEMBERED = 20_000
"""How many words that were said before are kept in mind."""


class _Read(NamedTuple):
    """What the rules make of a sentence: its tags, its names and how much such words matter."""

    tags: tuple[str, ...]
    names: tuple[str, ...]
    relevance: float


class Finder:
    """Read what was said in its order; what was said before makes words recur."""

    def __init__(self) -> None:
        self._said: dict[str, None] = {}

    def items_in(self, said: SpeakerWords) -> tuple[Item, ...]:
        """Return the items of one piece, in its order; none of what is no evidence."""
        if said.origin not in EVIDENCE:
            return ()
        found = tuple(
            item
            for sentence in islice(sentences_of(said.text), MOST_STATEMENTS)
            if (item := self._item(said, sentence)) is not None
        )
        self._said.update(dict.fromkeys(sorted(content_words(said.text))))
        while len(self._said) > _REMEMBERED:
            del self._said[next(iter(self._said))]
        return found

    def _item(self, said: SpeakerWords, sentence: Sentence) -> Item | None:
        """Return the item of one sentence, if it states something that is worth it."""
        dates = dates_of(sentence.words, said.at)
        read = _read(sentence.words, dates, said.at)
        if read is None:
            return None
        subject = subject_of(sentence.words, speaker=said.speaker)
        own = subject is not None and subject == said.speaker
        signals = signals_of(
            sentence.words,
            tags=read.tags,
            relevance=read.relevance,
            names=len(read.names),
            own=own or (said.speaker is None and subject is None),
            said=self._said,
        )
        return told_item(
            said,
            sentence.start,
            sentence.end,
            found=FoundItem(read.tags, subject, read.names, significance(signals)),
        )


def items_in(pieces: Iterable[SpeakerWords]) -> Iterator[Item]:
    """Yield the items of some pieces in their order."""
    finder = Finder()
    for said in pieces:
        yield from finder.items_in(said)


def _read(sentence: str, dates: tuple[Dated, ...], at: str) -> _Read | None:
    """Return what a sentence states, or None where it states nothing that rules know."""
    real = _supposed().sub(lambda found: " " * len(found[0]), sentence)
    matched = [
        wording
        for wording, pattern in patterns()
        if pattern.search(real if "state" in wording.tags else sentence)
        and (dates or "deadline" not in wording.tags)
    ]
    tags = dict.fromkeys(tag for wording in matched for tag in wording.tags)
    relevance = [wording.relevance for wording in matched]
    edges = relations_in(sentence)
    if edges:
        tags |= dict.fromkeys(["relation", *(f"relation:{edge.type}" for edge in edges)])
        relevance.append(_RELATION)
    happened = _happened().search(sentence) and any(one.since <= at for one in dates)
    if happened and not {"plan", "promise"} & set(tags):
        tags["event"] = None
        relevance.append(_EVENT)
    names = names_in(sentence)
    if not tags and _is_fact(sentence, names):
        tags["fact"] = None
        relevance.append(_FACT)
    if not tags or (set(tags) == {"correction"} and not _states().search(sentence)):
        return None
    if "experience" in tags and "negative" not in tags:
        tags["event"] = None
    edge_names = (name for edge in edges for name in (edge.source, edge.target) if name)
    return _Read(tuple(tags), tuple(dict.fromkeys([*edge_names, *names])), max(relevance))


def _is_fact(sentence: str, names: tuple[str, ...]) -> bool:
    """Tell whether a sentence says of something with a name what it is."""
    if not names:
        return False
    verb = r"\s+(?:is|are|was|were)\s+(?:an?|the|in|on|at|based)\b"
    return re.match(rf"(?:The\s+)?{re.escape(names[0])}{verb}", sentence) is not None


@functools.cache
def _happened() -> re.Pattern[str]:
    """Return what tells that something took place."""
    return re.compile(
        r"(?i)\b(?:went|got|had|met|was|were|ran|won|lost|made|bought|sold|saw|took|gave|came|left|began"
        r"|broke|built|caught|drove|fell|felt|flew|found|heard|held|kept|led|paid|put|rode|said|sent|sang"
        r"|spent|spoke|taught|told|thought|wrote|did|became|\w{2,}ed)\b"
    )


@functools.cache
def _supposed() -> re.Pattern[str]:
    """Return a clause that supposes or wishes, and so says of nothing how it is."""
    return re.compile(
        r"(?i)\b(?:if|unless|whether|suppos(?:e|ing)|imagine|I\s+wish(?:ed)?)\b[^,;:]*"
    )


@functools.cache
def _states() -> re.Pattern[str]:
    """Return what shows that a correction says how it is instead."""
    return re.compile(
        r"(?i)\b(?:is|are|was|were|am|has|have|had|will|runs?|uses?|lives?|works?|wants?|means?|needs?)\b"
        r"|['’](?:s|re|m|ve|ll)\b|\bnot\b.+\bbut\b|\w{2,}ed\b|\b\w{3,}s\b"
    )


def entities_of(items: Iterable[Item]) -> Iterator[NewEntity]:
    """Yield both ends of every relation that items state, the first with the edge.

    "My sister Eva" stands between the speaker and Eva, and between nobody where it is not known who
    speaks. A name without a letter stands for nobody.
    """
    for item in items:
        if "relation" not in item.tags:
            continue
        for found in relations_in(item.text):
            own = item.speaker or ("" if item.claimed_speaker or item.sources else USER)
            source = found.source or own
            if slug(source) and slug(found.target):
                edge = Relation(type=found.type, to=found.target, items=(item.id,))
                yield _entity(item, source, "thing", (edge,))
                yield _entity(item, found.target, found.target_type, ())


def _entity(item: Item, name: str, type: EntityType, relations: tuple[Relation, ...]) -> NewEntity:
    """Return an entity as an item tells of it."""
    return NewEntity(
        name=name,
        type=type,
        relations=relations,
        learnt=item.learnt,
        origin=item.origin,
        sources=item.sources,
        trusted=item.trusted,
    )
