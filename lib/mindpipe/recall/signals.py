"""What may answer a question, and the signals that it is ranked by, each with its weight.

Every signal lies between 0 and 1. Words and vectors are carried over to neighbours and sessions,
then each is divided by its best candidate's; the others are there or not. A row's words, its
neighbours' and its session's are one signal in three parts, as are those of its vector.
"""

import functools
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from mindpipe.core.sources import Sources
from mindpipe.recall.query import WORD, ParsedQuery, QueryWord
from mindpipe.recall.records import EntrySource
from mindpipe.recall.words import folded, row_words, stem

WEIGHTS = {
    "these days": 2.0,
    "words": 1.0,
    "vector": 1.0,
    "named": 0.5,
    "not the person's": -0.3,
    "quoted": 0.2,
    "days": 0.2,
    "graph": 0.2,
    "believed": 0.5,
    "was so": 0.5,
    "still so": -0.5,
    "newest": 1.0,
    "older": 0.25,
    "mere question": -0.1,
    "tells when": 0.05,
    "significance": 0.02,
    "recency": 0.01,
}
"""What each signal counts for; `words` and `vector` stand for their three parts together."""
MARKED: frozenset[EntrySource] = frozenset(["item", "observation"])
"""What may be superseded or contradicted by its like; nothing else has marks."""


class Candidate(NamedTuple):
    """One row of the index that may answer a question.

    `ref` is the id that it has where it rests. `place` is one more than that of the row before it,
    so that neighbours stand side by side. `kind` is the kind of an item, an observation or an
    entity, the role of a message. Beside those that hold a word of the question come their
    neighbours (same source and session, `place` 1 or 2 away), and what vectors, marks or the graph
    found. `dense` is the cosine of its vector (of its best piece) to the question, None where no
    vector was compared.
    """

    number: int
    source: EntrySource
    ref: str
    place: int
    kind: str
    text: str
    at: str
    learnt: str
    speaker: str | None = None
    claimed_speaker: str | None = None
    subject: str | None = None
    session: str | None = None
    entities: tuple[str, ...] = ()
    significance: float = 5.0
    sources: Sources = ()
    dense: float | None = None
    held: bool = True


class Statistics(NamedTuple):
    """What the index knows of the words of a question: all its rows, and those with each word.

    `rows_with` counts by the word as `mindpipe.recall.query` spells it, lower case, unstemmed;
    a word that is missing is in no row.
    """

    rows: int
    rows_with: Mapping[str, int]


# A random walk with restarts (personalised PageRank), at the usual rate of them.
_AGAIN = 0.15
_ROUNDS = 50
_SETTLED = 1e-9


def nearness(
    edges: Iterable[tuple[str, str]], named: Collection[str], *, rounds: int = _ROUNDS
) -> dict[str, float]:
    """Return how near each entity is to the named ones: shares between 0 and 1, 1 in all.

    Args:
        edges: pairs of entities; they are walked both ways, as often as they are given.
        named: where the walk begins; with none, nothing is near.
        rounds: steps at most; it ends before them once nothing moves any more.
    """
    beside: dict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        beside[one].append(other)
        beside[other].append(one)
    start = {one: 1 / len(named) for one in named}
    found = dict(start)
    for _ in range(rounds):
        moved: dict[str, float] = defaultdict(float)
        for one, share in found.items():
            onward = beside.get(one)
            for other in onward or ():
                moved[other] += (1 - _AGAIN) * share / len(onward or ())
            if not onward:
                for other, begun in start.items():
                    moved[other] += (1 - _AGAIN) * share * begun
        for one, begun in start.items():
            moved[one] += _AGAIN * begun
        change = sum(abs(moved.get(one, 0.0) - found.get(one, 0.0)) for one in {*moved, *found})
        found = dict(moved)
        if change < _SETTLED:
            break
    return found


_ROLES = frozenset(["user", "assistant", "system", "tool"])


def is_named(candidate: Candidate, words: AbstractSet[str]) -> bool:
    """Tell whether the words of a question name who speaks in a row, or whom it is about."""
    return _names(words, candidate.speaker) or _names(words, candidate.subject)


def is_of_whom_it_means(asked: ParsedQuery, candidate: Candidate) -> bool:
    """Tell whether a row is said by, about or of whom a question means, if it means somebody.

    Who is named besides is only where it begins: of Mia's brother Mia's own home says nothing.
    """
    if not asked.meant:
        return True
    meant = frozenset(asked.meant)
    return is_named(candidate, meant) or _names(meant, candidate.text)


def is_beside_the_person(asked: ParsedQuery, candidate: Candidate) -> bool:
    """Tell whether a row is an assistant's or a tool's words, and the question asks for no such.

    They are the longer ones and repeat what was asked; what happened, and what is wished, the
    person says.
    """
    return _role(candidate) in ("assistant", "tool") and asked.of != "assistant"


def _role(candidate: Candidate) -> str | None:
    """Return the role that a row's words were said in, if it is one of a conversation's."""
    said_by = candidate.kind if candidate.source == "message" else candidate.speaker
    role = folded(said_by or "")
    return role if role in _ROLES else None


def _names(words: AbstractSet[str], name: str | None) -> bool:
    """Tell whether a name is among words, whole or in part."""
    return name is not None and not words.isdisjoint(_parts(name))


@functools.lru_cache(maxsize=4096)
def _parts(name: str) -> frozenset[str]:
    """Return the words of a name; a role is none."""
    parts = frozenset(WORD.findall(folded(name)))
    return frozenset[str]() if parts & _ROLES else parts


_Session = tuple[str, str]
_SHARES = {1: 0.6, 2: 0.4}
"""What of a row's own weight its neighbours get, by how far away they are."""
_SESSION = 0.3
"""What of the best weight in a session each row of it gets."""


class CarriedSignals(NamedTuple):
    """What each row has of something: by itself, from the better neighbour, from its session."""

    own: Sequence[float]
    nearby: Sequence[float]
    session: Sequence[float]

    def totals(self) -> list[float]:
        """Return all of it for each row."""
        return [sum(each) for each in zip(*self, strict=True)]


class CandidateRelations:
    """How some candidates stand to each other."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._size = len(candidates)
        self._sessions: dict[_Session, list[int]] = defaultdict(list)
        self._session_of: list[_Session | None] = []
        self._beside: list[list[tuple[int, float]]] = []
        places: dict[tuple[_Session, int], int] = {}
        for index, one in enumerate(candidates):
            session: _Session | None = (one.source, one.session) if one.session else None
            self._session_of.append(session)
            if session:
                self._sessions[session].append(index)
                places[session, one.place] = index
        for index, one in enumerate(candidates):
            where = self._session_of[index]
            steps = [(sign * far, share) for far, share in _SHARES.items() for sign in (-1, 1)]
            self._beside.append(
                [
                    (places[where, one.place + step], share)
                    for step, share in steps
                    if where and (where, one.place + step) in places
                ]
            )

    def carried(self, layers: Sequence[Mapping[int, float]]) -> CarriedSignals:
        """Carry each layer over by itself and add them up; a layer has weights over 0 by index."""
        own, nearby, session = ([0.0] * self._size for _ in range(3))
        for layer in layers:
            best: dict[_Session, float] = {}
            near: dict[int, float] = {}
            for index, weight in layer.items():
                own[index] += weight
                for other, share in self._beside[index]:
                    near[other] = max(near.get(other, 0.0), share * weight)
                where = self._session_of[index]
                if where:
                    best[where] = max(best.get(where, 0.0), weight)
            for index, weight in near.items():
                nearby[index] += weight
            for where, weight in best.items():
                for index in self._sessions[where]:
                    session[index] += _SESSION * weight
        return CarriedSignals(own, nearby, session)


_WHEN = (
    r"(?i)\b(?:yesterday|today|tomorrow|tonight|last|next|ago|since|recently|soon|weekend"
    r"|(?:day|week|month|year)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    r"|(?:1[89]|20)\d\d)\b"
)
_SHORT = 200


def is_mere_question(text: str) -> bool:
    """Tell whether a text asks and says little else: it ends so, within some 200 characters."""
    return text.rstrip().endswith("?") and len(text) <= _SHORT


@functools.lru_cache(maxsize=4096)
def tells_when(text: str) -> bool:
    """Tell whether a text has words of time."""
    return re.search(_WHEN, text) is not None


KIN = 0.6
"""What a word of a topic that a question is about counts beside the question's own word."""
# Okapi BM25 with its usual constants (Robertson and Zaragoza, 2009).
_K1, _B = 1.2, 0.75


def row_texts(candidates: Sequence[Candidate]) -> list[str]:
    """Return what each candidate is found by, as the index has it."""
    return [
        row_words(one.text, at=one.at, speaker=one.speaker, subject=one.subject)
        for one in candidates
    ]


def word_weights(
    texts: Sequence[str], asked: ParsedQuery, statistics: Statistics
) -> Iterator[dict[int, float]]:
    """Yield for each word the rows that hold it, by index, and what it weighs there (over 0).

    The words of a topic count as one, and less than one of the question's own.
    """
    mean = sum(map(len, texts)) / max(1, len(texts))
    lengths = [_K1 * (1 - _B + _B * len(text) / mean) for text in texts]
    for share, word in (*((1.0, own) for own in asked.wanted), *((KIN, kin) for kin in asked.kin)):
        counts = _counts(texts, word.forms)
        holders = max(_holders(word, statistics), len(counts))
        weight = share * rarity(holders, max(statistics.rows, len(texts)))
        yield {
            index: weight * count * (_K1 + 1) / (count + lengths[index])
            for index, count in counts.items()
        }


def whole_weight(asked: ParsedQuery, statistics: Statistics) -> float:
    """Return what all words of a question weigh together by how rare they are."""
    return sum(rarity(_holders(word, statistics), statistics.rows) for word in asked.wanted)


def rarity(holders: int, rows: int) -> float:
    """Return what a word tells that so many of some rows hold."""
    # A row with two forms is counted twice: never more than there are, for the logarithm.
    holders = min(rows, holders)
    return math.log(1 + (rows - holders + 0.5) / (holders + 0.5))


def _holders(word: QueryWord, statistics: Statistics) -> int:
    """Return how many rows hold a form of a word, or more."""
    return sum(statistics.rows_with.get(form, 0) for form in word.forms)


def _counts(texts: Sequence[str], forms: Sequence[str]) -> dict[int, int]:
    """Return how often rows hold words of the stems of some forms, by index, where they do."""
    counts: dict[int, int] = {}
    for form in forms:
        sought = stem(form)
        begins = _beginning(sought)
        # Letters stand first, which are sought at once; what is before them is looked at there.
        letters = re.escape(begins)
        pattern = rf"{letters}(?<![^\W_]{letters})[^\W_]*"
        word = None
        for index, text in enumerate(texts):
            if begins in text:
                # Made where it is needed: most words of a question are in no row.
                word = word or re.compile(pattern)
                found = sum(stem(one) == sought for one in word.findall(text))
                if found:
                    counts[index] = counts.get(index, 0) + found
    return counts


def _beginning(sought: str) -> str:
    """Return how every word with a stem begins: suffixes change the last letter of few stems."""
    short = sought[:-1] if sought.endswith(("e", "i")) else sought
    return short[:-1] if short.endswith("bl") else short
