"""How much a clause tells: the rarity of its words, and what in it can be looked up later."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from math import fsum, log
from typing import NamedTuple

from mindpipe.compaction.selection.clauses import BINDING, FUNCTION, PERSONS, TIMES, Clause, clauses

_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"\w[A-Z]|\w_\w")
_QUOTES = re.compile('["“«„]')
# What words of time and numbers, names and quotations, and words that bind add to the worth of a
# clause, and the most of it.
_TIME = 0.5
_NAMED = 1.0
_BINDING = 0.5
_MOST_ADDED = 3.0
# A clause about a person is worth more; a question, code, a bare word of a list less.
_PERSON = 1.5
_QUESTION = 0.4
_CODE = 0.5
_ALONE = 0.3


class ClauseWeights(NamedTuple):
    """The clauses of a text with their spans in it, and of each how much it adds to the text.

    `rare` are the rarities of the words that a clause is the first to hold, `weights` those times
    what tells in it. `timed` says that the text names a time or a number.
    """

    texts: list[str]
    spans: list[tuple[int, int]]
    rare: list[float]
    weights: list[float]
    timed: bool


class Vocabulary(NamedTuple):
    """All words of some texts: the rarity of each; of those that tell, what they add.

    What is no word of theirs (a piece of one that was cut) is not rare.
    """

    rarity: defaultdict[str, float]
    added: dict[str, float]
    telling: set[str]
    times: set[str]
    persons: set[str]


def vocabulary(texts: Sequence[str]) -> Vocabulary:
    """Return what is known of the words of texts.

    The rarity of a word is the square of the logarithm of texts over texts that hold it (Sparck
    Jones 1972; squared as in the product of two such weights); that of a word that only joins
    others is 0.
    """
    standing = Counter(chain.from_iterable(map(set, map(_WORD.findall, texts))))
    together: dict[str, int] = {}
    for word, times in standing.items():
        lower = word.lower()
        together[lower] = together.get(lower, 0) + times
    all_texts = 1 + len(texts)
    rarity: defaultdict[str, float] = defaultdict(float)
    known = Vocabulary(rarity, {}, set(), set(), set())
    for word in standing:
        lower = word.lower()
        if lower not in FUNCTION:
            rarity[word] = log(max(1.0, all_texts / together[lower])) ** 2
        _mark(known, word, lower)
    known.telling.update(known.added)
    return known


def _mark(known: Vocabulary, word: str, lower: str) -> None:
    """Note of a word what it adds to a clause."""
    if lower in TIMES or _DIGIT.search(word):
        known.times.add(word)
        known.added[word] = _TIME
    elif (word.istitle() and len(word) > 1) or _NAME.search(word):
        known.added[word] = _NAMED
    elif lower in BINDING:
        known.added[word] = _BINDING
    if lower in PERSONS:
        known.persons.add(word)


def told(text: str, known: Vocabulary) -> ClauseWeights:
    """Return the clauses of a text with their weights; a word counts where it comes first."""
    rarity = known.rarity.__getitem__
    texts: list[str] = []
    spans: list[tuple[int, int]] = []
    rare: list[float] = []
    weights: list[float] = []
    before: set[str] = set()
    for clause in clauses(text):
        texts.append(clause.text)
        spans.append((clause.start, clause.end))
        words = _WORD.findall(clause.text)
        own = set(words)
        fresh = own - before if before else own
        new = fsum(map(rarity, fresh))
        rare.append(new)
        weights.append(new * _telling(clause, words[0], own, known))
        before |= own
    return ClauseWeights(texts, spans, rare, weights, not before.isdisjoint(known.times))


def _telling(clause: Clause, first: str, words: set[str], known: Vocabulary) -> float:
    """Return by how much a clause is worth more, or less, than its words are rare."""
    added = 0.0
    if telling := words & known.telling:
        added = sum(map(known.added.__getitem__, telling))
        # A capital that opens a clause is no sign of a name.
        if first.istitle():
            added -= known.added.get(first, 0.0)
    if _QUOTES.search(clause.text):
        added += _NAMED
    factor = 1 + min(_MOST_ADDED, added)
    if not words.isdisjoint(known.persons):
        factor *= _PERSON
    if clause.text[-1] == "?":
        factor *= _QUESTION
    if len(words) == 1:
        factor *= _ALONE
    return factor * _CODE if clause.code else factor
