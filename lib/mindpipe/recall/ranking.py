"""Put what may answer a question in order: one sum of signals, each with a published weight.

Every signal lies between 0 and 1. Words and vectors are carried over to neighbours and sessions,
then each is divided by its best candidate's; the others are there or not. The score is the sum of
WEIGHTS times signals, so that a signal which is silent for all changes no order, and vectors that
are missing take nothing away. A row's words, its neighbours' and its session's are one signal in
three parts, as are those of its vector.
"""

import datetime
import functools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mindpipe.core.instants import parse_instant
from mindpipe.memory.entities import slug
from mindpipe.recall.candidates import Candidate, Statistics
from mindpipe.recall.naming import names_any
from mindpipe.recall.query import Understood, falls_in
from mindpipe.recall.signals import (
    CandidateRelations,
    Carried,
    is_beside_the_person,
    is_mere_question,
    is_named,
    is_standing,
    row_texts,
    tells_when,
    wishes_always,
    word_weights,
)

WEIGHTS = {
    "these days": 2.0,
    "words": 1.0,
    "vector": 1.0,
    "named": 0.5,
    "not the person's": -0.3,
    "standing wish": 0.2,
    "procedure": 0.2,
    "quoted": 0.2,
    "days": 0.2,
    "graph": 0.2,
    "mere question": -0.1,
    "tells when": 0.05,
    "significance": 0.02,
    "recency": 0.01,
}
"""What each signal counts for; `words` and `vector` stand for their three parts together."""
_LEADING = frozenset(["words", "vector", "graph", "days"])
_RECENT_DAYS = 30.0
_PARTS = ("", " nearby", " in its session")


class Ranked(NamedTuple):
    """A candidate in its place, its score, and what each signal added to it or took from it."""

    candidate: Candidate
    score: float
    signals: dict[str, float]

    @property
    def speaks(self) -> bool:
        """Return whether words, vectors, the graph or days lead to it, or to what is beside it."""
        return any(_base(name) in _LEADING for name in self.signals)


def rank(
    asked: Understood,
    candidates: Sequence[Candidate],
    statistics: Statistics,
    *,
    at: str,
    near: Mapping[str, float] | None = None,
) -> list[Ranked]:
    """Return candidates, best first; of equal ones the newer first.

    Args:
        asked: the question.
        candidates: rows that hold its words, that are near in meaning, and those beside them.
        statistics: how many rows the index has, and how many with each word of the question.
        at: the instant at which it is asked; what is newer counts a trifle more.
        near: how near entities are to those that the question names, by id.
    """
    around = CandidateRelations(candidates)
    words = around.carried(list(word_weights(row_texts(candidates), asked.wanted, statistics)))
    cosines = {n: one.dense for n, one in enumerate(candidates) if one.dense and one.dense > 0}
    vector = around.carried([cosines])
    found: list[dict[str, float]] = [{} for _ in candidates]
    for name, carried in (("words", words), ("vector", vector)):
        _add_parts(found, name, carried)
    now = parse_instant(at)
    nearest = max((near or {}).values(), default=0.0)
    spelled = frozenset(asked.words)
    ranked: list[Ranked] = []
    for one, signals in zip(candidates, found, strict=True):
        signals |= _there(asked, one, spelled)
        if near:
            signals["graph"] = max(near.get(name, 0.0) for name in names_in(one)) / nearest
        signals["significance"] = one.significance / 10
        signals["recency"] = _recency(one.at, now)
        parts = {name: WEIGHTS[_base(name)] * value for name, value in signals.items() if value}
        ranked.append(Ranked(one, sum(parts.values()), parts))
    return sorted(ranked, key=lambda each: (-each.score, -each.candidate.number))


def reasons(ranked: Ranked, *, most: int = 3) -> str:
    """Return why something is where it is, in a few words: what added most, most first."""
    added = sorted(ranked.signals.items(), key=lambda one: -one[1])
    return ", ".join(name for name, value in added[:most] if value > 0)


def _add_parts(found: Sequence[dict[str, float]], name: str, carried: Carried) -> None:
    """Add the three parts of a signal to each candidate's, as shares of the best sum of them."""
    most = max(carried.totals(), default=0.0)
    for signals, parts in zip(found, zip(*carried, strict=True), strict=True):
        for place, part in zip(_PARTS, parts, strict=True):
            if part:
                signals[name + place] = part / most


def _there(asked: Understood, candidate: Candidate, spelled: frozenset[str]) -> dict[str, float]:
    """Return the signals that are there or not, by name, as 0 or 1."""
    text = candidate.text
    standing = asked.wish and is_standing(candidate)
    return {
        "named": float(is_named(candidate, spelled)),
        "not the person's": float(is_beside_the_person(asked, candidate)),
        "standing wish": float(standing and wishes_always(text)),
        "procedure": float(asked.wish and _is_procedure(candidate)),
        "quoted": float(bool(asked.phrases) and names_any(text, asked.phrases)),
        "days": float(falls_in(asked, candidate.at)),
        "these days": float(asked.dated and falls_in(asked, candidate.at)),
        "mere question": float(is_mere_question(text)),
        "tells when": float(asked.when and tells_when(text)),
    }


def _is_procedure(candidate: Candidate) -> bool:
    """Tell whether a candidate says how something is done."""
    return candidate.source == "lesson" or candidate.kind == "procedural"


def names_in(candidate: Candidate) -> list[str]:
    """Return the ids of who and what a candidate is about or of; an empty one for nobody."""
    names = (*candidate.entities, candidate.subject or "", candidate.speaker or "")
    return [_id(name) for name in names]


@functools.lru_cache(maxsize=4096)
def _id(name: str) -> str:
    """Return the id that an entity of this name has."""
    return slug(name)


def _recency(at: str, now: datetime.datetime) -> float:
    """Return 1 for today or later, half of it every 30 days before."""
    days = now.toordinal() - _ordinal(at[:10])
    return float(2 ** -(max(0, days) / _RECENT_DAYS))


@functools.lru_cache(maxsize=4096)
def _ordinal(day: str) -> int:
    """Return the number of a day (`2023-05-08`)."""
    return datetime.date.fromisoformat(day).toordinal()


def _base(name: str) -> str:
    """Return the signal that a part belongs to."""
    return name.removesuffix(" nearby").removesuffix(" in its session")
