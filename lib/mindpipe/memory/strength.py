"""How strong a memory is: significance when it comes, fading, and what a lesson proved."""

import functools
import re
from collections.abc import Collection
from typing import NamedTuple

from mindpipe.core.instants import seconds_between
from mindpipe.core.records import Record
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.memory.records import ItemKind

HALF_LIFE_DAYS: dict[ItemKind, float] = {
    "episodic": 30.0,
    "note": 90.0,
    "semantic": 180.0,
    "procedural": 180.0,
}
MOST_DOUBLINGS = 6
"""Recalls beyond these make nothing last longer."""
ARCHIVE_BELOW = 0.05

_DAY = 86_400.0


class Fading(Record):
    """What the strength of an item follows from."""

    number: int
    kind: ItemKind
    significance: float
    learnt: str
    recalled: int = 0
    recalled_at: str | None = None


def strength(item: Fading, *, now: str) -> float:
    """Return significance/10 * 2^(-age/half-life), between 0 and 1.

    The age counts from the last recall or, without one, from learning; the half-life in days is
    `HALF_LIFE_DAYS[kind] * 2^min(recalled, 6)`. What lies in the future has not faded.
    """
    days = max(0.0, seconds_between(item.recalled_at or item.learnt, now) / _DAY)
    half_life = HALF_LIFE_DAYS[item.kind] * 2.0 ** min(item.recalled, MOST_DOUBLINGS)
    return float(item.significance / 10 * 2.0 ** (-days / half_life))


THRESHOLD = 5.0
"""From this significance on an item is kept unasked."""


class Signals(NamedTuple):
    """What makes words matter, each 0-1.

    Attributes:
        surprise: that they take something back or tell something unforeseen.
        relevance: that a memory is for such statements.
        emotion: that they are said with feeling.
        connection: that they tie names together: 1 - 2^-n for n names, or 1 for a relation.
        recurrence: which share of their words was said before.
        self_relevance: that they are about the speaker, or meant to be remembered.
    """

    surprise: float
    relevance: float
    emotion: float
    connection: float
    recurrence: float
    self_relevance: float


WEIGHTS = Signals(
    surprise=1.0, relevance=4.0, emotion=1.0, connection=1.0, recurrence=0.5, self_relevance=2.5
)
"""What each signal adds at most; together 10."""

_SURPRISING = (
    r"surpris\w*|unexpected\w*|suddenly|shock\w*|turns out|turned out|out of nowhere|unbelievable"
    r"|can['’]t believe|never thought|for the first time|first time|finally|no longer|instead"
)
_FEELING = (
    r"love\w*|hate\w*|happy|happier|happiest|sad\w*|afraid|scared|worr(?:y|ied)|anxious|excit\w+|thrill\w+"
    r"|proud|grateful|thankful|angry|upset|devastat\w+|amazing|awesome|terrible|horrible|awful"
    r"|terrified|heartbroken|cry|cried|crying|tears|stress\w*|overwhelm\w*|frustrat\w+|passion\w*|dream|powerful"
    r"|died|death|passed away|married|engaged|divorc\w+|pregnant|born|lost"
)
_MEANT = r"remember|important|keep in mind|note that|don['’]t forget|never forget|from now on"


_TAKEN_BACK = frozenset({"denied", "ended"})
_TELLING_WORDS = 3
"""So many words or numbers that say what a passage is about make it worth remembering."""


def relevance_of(text: str) -> float:
    """Return how much a passage that claims nothing matters to a memory, 0-1: by what it tells."""
    told = len(content_words(text)) + len(re.findall(r"\d[\d.,:]*", text))
    return min(1.0, told / _TELLING_WORDS)


def significance(signals: Signals) -> float:
    """Return the weighted sum of six signals, 0-10, with one decimal."""
    total = sum(
        weight * max(0.0, min(1.0, one)) for weight, one in zip(WEIGHTS, signals, strict=True)
    )
    return round(total, 1)


def signals_of(
    text: str,
    *,
    tags: Collection[str],
    relevance: float,
    names: int,
    own: bool,
    said: Collection[str],
) -> Signals:
    """Return the signals of a passage.

    Args:
        text: the passage.
        tags: what it is labelled as.
        relevance: how much it matters to a memory, 0-1.
        names: how many names it has.
        own: whether it is about who says it.
        said: the words that were said before, in small letters.
    """
    words = content_words(text)
    meant = _found(_MEANT, text) > 0 or "instruction" in tags
    related = any(tag.startswith("relation") for tag in tags)
    return Signals(
        surprise=1.0
        if not _TAKEN_BACK.isdisjoint(tags)
        else min(1.0, 0.6 * _found(_SURPRISING, text)),
        relevance=relevance,
        emotion=min(1.0, 0.5 * _found(_FEELING, text) + 0.2 * text.count("!")),
        connection=1.0 if related else 1 - 0.5**names,
        recurrence=sum(word in said for word in words) / len(words) if words else 0.0,
        self_relevance=1.0 if meant else (0.6 if own else 0.2),
    )


def content_words(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about, in small letters."""
    found = re.findall(r"[a-z][a-z'’-]{2,}", text.lower())
    return frozenset(word for word in found if word not in FUNCTION_WORDS)


def _found(pattern: str, text: str) -> int:
    """Return how often a wording occurs."""
    return len(_words(pattern).findall(text))


@functools.cache
def _words(pattern: str) -> re.Pattern[str]:
    """Return whole words, whatever their case."""
    return re.compile(rf"(?i)\b(?:{pattern})\b")


PRIOR_TRIALS = 2
"""How many outcomes the confidence weighs that a lesson is given with."""


def after_outcome(confidence: float, *, outcomes: int, good: bool) -> float:
    """Return the confidence (0-1) after one more outcome beyond `outcomes` earlier ones."""
    trials = PRIOR_TRIALS + outcomes
    return (confidence * trials + good) / (trials + 1)
