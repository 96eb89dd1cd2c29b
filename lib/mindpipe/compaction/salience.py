"""How much a clause tells: the rarity of its words, and what in it can be looked up later."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from mindpipe.compaction.clauses import Clause, clauses
from mindpipe.compaction.english import BINDING, FUNCTION, TIMES

_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"\w[A-Z]|\w_\w")
# A word that stands in over a third of all texts is not rare.
_FREQUENT = 1.0
# What words of time and numbers, names, and words that bind add to a clause, and the most of it.
_TIME = 0.5
_NAMED = 1.0
_BINDING = 1.0
_MOST_ADDED = 3.0
_QUESTION = 0.4
_CODE = 0.5


class Weighed(NamedTuple):
    """A clause with what it adds to its message.

    `rare` is the rarity of the words it is the first to hold, `weight` that times what tells in it;
    `timed` says that it names a time or a number.
    """

    clause: Clause
    rare: float
    weight: float
    timed: bool


class _Known(NamedTuple):
    """All words of some texts: the rarity of each; of those that tell, what they add."""

    rarity: dict[str, float]
    added: dict[str, float]
    telling: frozenset[str]
    times: frozenset[str]


def weighed(texts: Sequence[str]) -> list[list[Weighed]]:
    """Return the clauses of each text with their weight among all the texts.

    A word weighs the logarithm of texts over texts that hold it (Sparck Jones 1972), less 1.
    """
    find = _WORD.findall
    cut = [[(clause, find(clause.text)) for clause in clauses(text)] for text in texts]
    standing: Counter[str] = Counter()
    for pieces in cut:
        standing.update(set().union(*[words for _, words in pieces]))
    known = _known(standing, len(texts))
    return [_weigh(pieces, known) for pieces in cut]


def _known(standing: Counter[str], texts: int) -> _Known:
    """Return what is known of words from the number of texts that each stands in."""
    together: dict[str, int] = {}
    for word, times in standing.items():
        lower = word.lower()
        together[lower] = together.get(lower, 0) + times
    most = log(1 + texts) - _FREQUENT
    weight = {
        word: 0.0 if word in FUNCTION else max(0.0, most - log(times))
        for word, times in together.items()
    }
    rarity: dict[str, float] = {}
    added: dict[str, float] = {}
    times_of: set[str] = set()
    for word in standing:
        lower = word.lower()
        rarity[word] = weight[lower]
        if lower in TIMES or _DIGIT.search(word):
            times_of.add(word)
            added[word] = _TIME
        elif _NAME.search(word) or (word.istitle() and len(word) > 1):
            added[word] = _NAMED
        elif lower in BINDING:
            added[word] = _BINDING
    return _Known(rarity, added, frozenset(added), frozenset(times_of))


def _weigh(pieces: list[tuple[Clause, list[str]]], known: _Known) -> list[Weighed]:
    """Return the clauses of one text with their weight; a word counts where it comes first."""
    told: set[str] = set()
    found: list[Weighed] = []
    rarity, added, telling, times = known
    for clause, words in pieces:
        own = set(words)
        fresh = own - told
        told |= own
        rare = weight = sum([rarity[word] for word in fresh])
        timed = False
        marks = own & telling
        if marks:
            timed = not marks.isdisjoint(times)
            more = sum([added[word] for word in marks])
            # A capital that opens a clause is no sign of a name.
            if words[0].istitle():
                more -= added.get(words[0], 0.0)
            weight *= 1 + min(_MOST_ADDED, more)
        if clause.text[-1] == "?":
            weight *= _QUESTION
        if clause.code:
            weight *= _CODE
        found.append(Weighed(clause, rare, weight, timed))
    return found
