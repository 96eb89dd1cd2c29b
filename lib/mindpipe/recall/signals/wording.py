"""How often rows hold the words of a question, and what each word weighs in them.

The weights are those of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009,
with k1 = 1.2 and b = 0.75 as in SQLite's FTS5), for each word by itself. A word of most rows still
weighs a little: ln(1 + (N - n + 0.5) / (n + 0.5)). The length of a row is that in characters.
"""

import math
import re
from collections.abc import Iterator, Sequence

from mindpipe.recall.candidates import Candidate, Statistics
from mindpipe.recall.query import Wanted
from mindpipe.recall.row_words import row_words
from mindpipe.recall.stems import stem

_K1, _B = 1.2, 0.75


def row_texts(candidates: Sequence[Candidate]) -> list[str]:
    """Return what each candidate is found by, as the index has it."""
    return [
        row_words(one.text, at=one.at, speaker=one.speaker, subject=one.subject)
        for one in candidates
    ]


def word_weights(
    texts: Sequence[str], wanted: Sequence[Wanted], statistics: Statistics
) -> Iterator[dict[int, float]]:
    """Yield for each word the rows that hold it, by index, and what it weighs there (over 0)."""
    mean = sum(map(len, texts)) / max(1, len(texts))
    lengths = [_K1 * (1 - _B + _B * len(text) / mean) for text in texts]
    for word in wanted:
        counts = _counts(texts, word.forms)
        holders = sum(statistics.rows_with.get(form, 0) for form in word.forms)
        rows = max(statistics.rows, len(texts))
        holders = min(rows, max(holders, len(counts)))
        rarity = math.log(1 + (rows - holders + 0.5) / (holders + 0.5))
        yield {
            index: rarity * count * (_K1 + 1) / (count + lengths[index])
            for index, count in counts.items()
        }


def _counts(texts: Sequence[str], forms: Sequence[str]) -> dict[int, int]:
    """Return how often rows hold words of the stems of some forms, by index, where they do."""
    counts: dict[int, int] = {}
    for form in forms:
        sought = stem(form)
        begins = _beginning(sought)
        word = re.compile(rf"(?<![^\W_]){re.escape(begins)}[^\W_]*")
        for index, text in enumerate(texts):
            if begins in text:
                found = sum(stem(one) == sought for one in word.findall(text))
                if found:
                    counts[index] = counts.get(index, 0) + found
    return counts


def _beginning(sought: str) -> str:
    """Return how every word with a stem begins: suffixes change the last letter of few stems."""
    short = sought[:-1] if sought.endswith(("e", "i")) else sought
    return short[:-1] if short.endswith("bl") else short
