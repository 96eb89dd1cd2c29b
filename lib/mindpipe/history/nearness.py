"""Rank messages by the words of a question that they and the messages beside them hold."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

# A word counts for the message that holds it and, less with each step, for those beside it: an
# answer stands beside its question and repeats little of it.
_REACH = 8
_SHARES = tuple(1 / (1 + 0.4 * distance) for distance in range(_REACH + 1))


class Fit(NamedTuple):
    """A message, by its number, and how well it fits: more is better."""

    seq: int
    score: float


def ranked(words: Sequence[Mapping[int, float]], *, limit: int) -> list[Fit]:
    """Return the messages that fit a question best, at most `limit`.

    `words` maps, for each word of the question, the messages that hold it to what it counts for
    there (bm25, more is better). A word counts once for a message: from itself, or from the message
    nearby for which it gives most. Only messages that hold a word themselves are ranked; of equals
    the newer one comes first.
    """
    scores = dict.fromkeys((seq for word in words for seq in word), 0.0)
    for word in words:
        for seq, weight in _spread(word, scores.keys()).items():
            scores[seq] += weight
    best = sorted(scores.items(), key=lambda fit: (-fit[1], -fit[0]))
    return [Fit(seq, score) for seq, score in best[:limit]]


def _spread(word: Mapping[int, float], places: Set[int]) -> dict[int, float]:
    """Return what a word counts for in some messages."""
    weights: dict[int, float] = {}
    for seq, weight in word.items():
        for distance, share in enumerate(_SHARES):
            counted = weight * share
            for place in (seq - distance, seq + distance):
                if place in places and counted > weights.get(place, 0.0):
                    weights[place] = counted
    return weights
