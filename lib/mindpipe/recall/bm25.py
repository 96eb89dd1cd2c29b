"""How well a row fits words: the formula of SQLite's FTS5, over the rows of one agent.

FTS5 itself counts over all rows of its table, so that what one agent finds would depend on what
others remember; the formula and its constants are those of its `bm25()`
(https://www.sqlite.org/fts5.html#the_bm25_function).
"""

import math
from collections.abc import Sequence

_K1, _B = 1.2, 0.75
_LEAST = 1e-6


def rarity(rows: int, holders: int) -> float:
    """Return what a word counts for that `holders` of `rows` rows hold; over 0."""
    weight = math.log((rows - holders + 0.5) / (holders + 0.5)) if holders < rows else 0.0
    return weight if weight > 0 else _LEAST


def fit(counts: Sequence[int], rarities: Sequence[float], *, words: int, mean: float) -> float:
    """Return how well a row fits: 0 or more, more is better.

    `counts` says how often it holds each word, `words` how many it has in all, `mean` how many
    rows have on average.
    """
    length = _K1 * (1 - _B + _B * words / mean)
    return sum(
        rarity * count * (_K1 + 1) / (count + length)
        for count, rarity in zip(counts, rarities, strict=True)
    )
