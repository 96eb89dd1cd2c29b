"""How rare words are among messages: what a summary holds of them, what to search for."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import fsum, log
from typing import NamedTuple

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.task import SpokenWords

_WORD = re.compile(r"[^\W_]{3,}")
_TERM = re.compile(r"[^\W\d_]{5,}")


class Vocabulary(NamedTuple):
    """The words of messages by the number of each, and in how many messages a word stands.

    Of a message the places of its words among `names` are kept: texts would take ten times as much.
    """

    words: "Mapping[int, array[int]]"
    names: Sequence[str]
    standing: Counter[str]

    def of(self, seq: int) -> set[str]:
        """Return the words of a message."""
        return {self.names[place] for place in self.words.get(seq, ())}

    def weight(self, word: str) -> float:
        """Return how rare a word is: the logarithm of messages over messages that hold it."""
        return log(len(self.words) / self.standing[word])


def vocabulary(said_there: Iterable[SpokenWords]) -> Vocabulary:
    """Return the words of what was said; messages without a word are left out."""
    places: dict[str, int] = {}
    words: dict[int, array[int]] = {}
    for said in said_there:
        own = {places.setdefault(word, len(places)) for word in _WORD.findall(said.text.lower())}
        own.update(words.get(said.seq, ()))
        if own:
            words[said.seq] = array("I", own)
    names = tuple(places)
    standing = Counter(chain.from_iterable(words.values()))
    return Vocabulary(words, names, Counter({names[at]: times for at, times in standing.items()}))


def grounded_share(vocabulary: Vocabulary, lines: Iterable[SummaryLine]) -> float:
    """Return how much of what is rare in messages the lines hold, in the mean of all messages.

    A word of a line counts for one message only, so that naming a message is not enough.
    """
    if not vocabulary.words:
        return 1.0
    held: dict[int, set[str]] = {}
    for line in lines:
        left = set(_WORD.findall(line.text.lower()))
        for seq in line.seqs:
            found = left & vocabulary.of(seq)
            held.setdefault(seq, set()).update(found)
            left -= found
    shares = (
        _weight(vocabulary, words) / whole
        for seq, words in held.items()
        if (whole := _weight(vocabulary, vocabulary.of(seq)))
    )
    # A sum of floats may pass the count of messages by its last digit.
    return min(1.0, fsum(shares) / len(vocabulary.words))


def _weight(vocabulary: Vocabulary, words: Iterable[str]) -> float:
    # Exact in any order: words come out of sets, and a plan is hashed with what it measures.
    return fsum(map(vocabulary.weight, words))


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
