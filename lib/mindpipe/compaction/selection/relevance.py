"""How much texts bear on some words: by vectors of a model, or by the words alone."""

import math
import operator
import re
from collections import Counter
from collections.abc import Sequence

from mindpipe.compaction.task import Embed
from mindpipe.core.function_words import FUNCTION_WORDS
from mindpipe.history.query import stem

# Okapi BM25 with its usual constants (Robertson and Zaragoza, 2009).
_K1, _B = 1.2, 0.75
_WORD = re.compile(r"[^\W_]+")


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
    return _WORD.findall(text.lower())


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
