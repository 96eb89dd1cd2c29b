"""How rare words are, and how they bear on what waits."""

import math
import operator
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import log
from typing import NamedTuple

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.task import Embed, SpokenWords
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.history.query import stem

GROUNDED_SHARE = 0.25
"""A message is grounded where a summary holds this share of what is rare in it."""
_WORD = re.compile(r"[^\W_]{3,}")
_TERM = re.compile(r"[^\W\d_]{5,}")


class Vocabulary(NamedTuple):
    """The words of messages by the number of each, and in how many messages a word stands."""

    words: Mapping[int, set[str]]
    standing: Counter[str]

    def weight(self, word: str) -> float:
        """Return how rare a word is: the logarithm of messages over messages that hold it."""
        return log(len(self.words) / self.standing[word])


def vocabulary(said_there: Iterable[SpokenWords]) -> Vocabulary:
    """Return the words of what was said; messages without a word are left out."""
    spoken: dict[int, set[str]] = {}
    for said in said_there:
        own = set(_WORD.findall(said.text.lower()))
        if said.seq in spoken:
            spoken[said.seq] |= own
        else:
            spoken[said.seq] = own
    words = {seq: own for seq, own in spoken.items() if own}
    return Vocabulary(words, Counter(chain.from_iterable(words.values())))


def grounded_share(vocabulary: Vocabulary, lines: Iterable[SummaryLine]) -> float:
    """Return the share of messages of which the lines hold a quarter of what is rare.

    A word of a line counts for one message only, so that naming a message is not enough.
    """
    if not vocabulary.words:
        return 1.0
    held: dict[int, set[str]] = {}
    for line in lines:
        left = set(_WORD.findall(line.text.lower()))
        for seq in line.seqs:
            found = left & vocabulary.words.get(seq, set())
            held.setdefault(seq, set()).update(found)
            left -= found
    grounded = sum(
        _weight(vocabulary, words) >= GROUNDED_SHARE * _weight(vocabulary, vocabulary.words[seq])
        for seq, words in held.items()
        if words
    )
    return grounded / len(vocabulary.words)


def _weight(vocabulary: Vocabulary, words: Iterable[str]) -> float:
    """Return how rare some words are together."""
    return sum(map(vocabulary.weight, words))


def search_terms(vocabulary: Vocabulary, text: str, *, most: int) -> tuple[str, ...]:
    """Return up to `most` words that stand in several messages and not in the text, best first.

    What stands in more than a quarter of the messages finds too much. A word is worth as much as
    the messages that hold it, times the square of its rarity.
    """
    most_held = max(2, len(vocabulary.words) // 4)
    shown = set(_WORD.findall(text.lower()))
    worth = {
        word: times * vocabulary.weight(word) ** 2
        for word, times in vocabulary.standing.items()
        if 1 < times <= most_held and word not in shown and _TERM.fullmatch(word)
    }
    ordered: Sequence[str] = sorted(worth, key=lambda word: (-worth[word], word))
    return tuple(ordered[:most])


# Okapi BM25 with its usual constants (Robertson and Zaragoza, 2009).
_K1, _B = 1.2, 0.75
_ANY_WORD = re.compile(r"[^\W_]+")


def by_words(query: str, texts: Sequence[str]) -> list[float]:
    """Return the BM25 of each text for the words of a query, 0 where it holds none of them.

    Words are compared without their endings; function words do not count.
    """
    wanted = {stem(word) for word in _words(query) if word not in FUNCTION_WORDS}
    counted = [_words(text) for text in texts]
    usual = sum(map(len, counted)) / max(len(counted), 1) or 1.0
    known = {word for words in counted for word in words}
    roots = {word: root for word in known if (root := stem(word)) in wanted}
    held = [Counter(map(roots.__getitem__, filter(roots.__contains__, words))) for words in counted]
    holders = Counter(root for found in held for root in found)
    rarity = {
        root: math.log(1 + (len(texts) - number + 0.5) / (number + 0.5))
        for root, number in holders.items()
    }
    return [
        sum(
            rarity[root] * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * len(words) / usual))
            for root, times in found.items()
        )
        for words, found in zip(counted, held, strict=True)
    ]


def _words(text: str) -> list[str]:
    """Return the words of a text in small letters."""
    return _ANY_WORD.findall(text.lower())


def by_vectors(query: str, texts: Sequence[str], *, embed: Embed) -> list[float]:
    """Return the cosine of each text's vector and a query's, between -1 and 1; blank texts get -1.

    Raises:
        UnavailableError: the model is not there.
    """
    asked = [text for text in texts if text.strip()]
    first, *vectors = embed([query, *asked])
    found = iter(_cosine(first, vector) for vector in vectors)
    return [next(found) if text.strip() else -1.0 for text in texts]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two vectors, 0 where one has no length."""
    size = math.hypot(*one) * math.hypot(*other)
    return sum(map(operator.mul, one, other)) / size if size else 0.0
