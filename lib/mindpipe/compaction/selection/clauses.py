"""The passages of a text, and how much each tells: rare words, names, times, decisions."""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import fsum, log
from typing import NamedTuple

from mindpipe.compaction.selection.governing import governed
from mindpipe.compaction.selection.passages import passages

TIMES = frozenset(
    re.findall(
        r"\w+",
        "yesterday today tomorrow tonight ago days week weeks weekend weekends month months year "
        "years hours minutes decade century spring summer autumn winter monday tuesday wednesday "
        "thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun january february "
        "march april june july august september october november december two three four five six "
        "seven eight nine ten dozen hundred thousand million half twice",
    )
)
"""When something was, how long, how often, how many; digits tell it in any language."""
BINDING = frozenset(
    re.findall(
        r"\w+",
        "agreed always appointment cancelled canceled chose deadline decide decided decision "
        "error failed fails must never prefer prefers promise promised promises",
    )
)
"""What was decided, promised, asked for once and for all, or went wrong."""
PERSONS = frozenset(
    re.findall(
        r"\w+",
        "i me my mine we us our ours he him his she her hers they them their theirs",
    )
)
"""Who tells of themselves or of others, not of the one spoken to."""
FUNCTION = frozenset(
    re.findall(
        r"\w+",
        "a about all also am an and any are as at be been but by can could d did didn do does "
        "doesn don for from get got had has have haven he her here him his how i if in into is "
        "isn it its just ll m me more most much my no not of on or our out re really s she should "
        "so some t than that the their them then there these they this those to too up us ve very "
        "was wasn we were what when where which who why will with won would you your",
    )
)
"""Words that only join others."""
LONGEST = 1000
"""No sentence is longer; of what is, as a log or a table, that is cut in which nothing governs."""
MOST_CHARACTERS = 240
"""What is cut is cut so short, at a blank, or where there is none right there."""
_ENDING = " \t\r\n.,;:-–—*|"


class Clause(NamedTuple):
    """A piece of a text: characters `start` to `end` of it, and its words without markup."""

    start: int
    end: int
    text: str
    code: bool


def clauses(text: str, *, seams: bool = False) -> Iterator[Clause]:
    """Yield the passages of a text in their order; what has no letter or digit is left out.

    With `seams` it is a line of a summary, which has them.
    """
    for start, end, code in passages(text, seams=seams):
        whole = end - start <= LONGEST or governed(text[start:end])
        while start < end:
            cut = end if whole or end - start <= MOST_CHARACTERS else _cut(text, start)
            words = plain(text[start:cut])
            if words:
                yield Clause(start, cut, words, code)
            start = cut


def _cut(text: str, start: int) -> int:
    place = text.rfind(" ", start + MOST_CHARACTERS // 2, start + MOST_CHARACTERS)
    return start + MOST_CHARACTERS if place < 0 else place


def plain(text: str) -> str:
    """Return words as one line without markup; empty where there is no letter or digit."""
    if not text.isprintable() or not text.isascii() or "  " in text:
        text = " ".join(text.split())
    if "*" in text:
        text = text.replace("**", "")
    if text.endswith("|"):
        text = ", ".join(cell for cell in map(str.strip, text.split("|")) if cell)
    text = text.strip().rstrip(_ENDING)
    return text if text.isalnum() or any(map(str.isalnum, text)) else ""


_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"\w[A-Z]|\w_\w")
_QUOTES = '["“«„]'
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

    `sizes` are the characters of its words, `weights` the rarities of the words that a clause is
    the first to hold, times what tells in it. `timed` says that the text names a time or a number,
    `asks` that one of its last two clauses is a question.
    """

    sizes: Sequence[int]
    spans: Sequence[tuple[int, int]]
    weights: Sequence[float]
    timed: bool
    asks: bool


class ClauseTable:
    """The clauses of many texts, by the places of the texts.

    They stand in columns: records of them would take ten times as much memory, which a long
    conversation of short messages does not leave.
    """

    def __init__(self) -> None:
        self._ends = array("Q", [0])
        self._sizes = array("I")
        self._starts = array("I")
        self._stops = array("I")
        self._weights = array("d")
        self._marks = bytearray()

    def add(self, told: ClauseWeights) -> None:
        """Note the clauses of the next text."""
        self._sizes.extend(told.sizes)
        self._starts.extend(start for start, _ in told.spans)
        self._stops.extend(stop for _, stop in told.spans)
        self._weights.extend(told.weights)
        self._ends.append(len(self._sizes))
        self._marks.append(told.timed + 2 * told.asks)

    def __len__(self) -> int:
        """Return how many texts there are."""
        return len(self._marks)

    def __getitem__(self, place: int) -> ClauseWeights:
        """Return the clauses of a text."""
        own = slice(self._ends[place], self._ends[place + 1])
        return ClauseWeights(
            sizes=self._sizes[own],
            spans=tuple(zip(self._starts[own], self._stops[own], strict=True)),
            weights=self._weights[own],
            timed=bool(self._marks[place] & 1),
            asks=bool(self._marks[place] & 2),
        )


class ClauseVocabulary(NamedTuple):
    """All words of some texts: the rarity of each; of those that tell, what they add.

    What is no word of theirs (a piece of one that was cut) is not rare.
    """

    rarity: defaultdict[str, float]
    added: dict[str, float]
    telling: set[str]
    times: set[str]
    persons: set[str]


def clause_vocabulary(texts: Iterable[str], number: int) -> ClauseVocabulary:
    """Return what is known of the words of a `number` of texts.

    The rarity of a word is the square of the logarithm of texts over texts that hold it (Sparck
    Jones 1972; squared as in the product of two such weights); that of a word that only joins
    others is 0.
    """
    standing = Counter(chain.from_iterable(map(set, map(_WORD.findall, texts))))
    together: dict[str, int] = {}
    for word, times in standing.items():
        lower = word.lower()
        together[lower] = together.get(lower, 0) + times
    all_texts = 1 + number
    rarity: defaultdict[str, float] = defaultdict(float)
    known = ClauseVocabulary(rarity, {}, set(), set(), set())
    for word in standing:
        lower = word.lower()
        if lower not in FUNCTION:
            rarity[word] = log(max(1.0, all_texts / together[lower])) ** 2
        _mark(known, word, lower)
    known.telling.update(known.added)
    return known


def _mark(known: ClauseVocabulary, word: str, lower: str) -> None:
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


def told(text: str, known: ClauseVocabulary, *, seams: bool = False) -> ClauseWeights:
    """Return the clauses of a text with their weights; a word counts where it comes first."""
    rarity = known.rarity.__getitem__
    sizes: list[int] = []
    asking: list[bool] = []
    spans: list[tuple[int, int]] = []
    weights: list[float] = []
    before: set[str] = set()
    for clause in clauses(text, seams=seams):
        sizes.append(len(clause.text))
        asking.append(clause.text[-1] == "?")
        spans.append((clause.start, clause.end))
        words = _WORD.findall(clause.text)
        own = set(words)
        fresh = own - before if before else own
        new = fsum(map(rarity, fresh))
        weights.append(new * _telling(clause, words[0], own, known))
        before |= own
    timed = not before.isdisjoint(known.times)
    return ClauseWeights(tuple(sizes), tuple(spans), tuple(weights), timed, any(asking[-2:]))


def as_one(told: ClauseWeights) -> ClauseWeights:
    """Return the clauses of a text as one: what is quoted in it is taken whole, or not at all."""
    if len(told.sizes) < 2:
        return told
    return ClauseWeights(
        sizes=(sum(told.sizes) + len("; ") * (len(told.sizes) - 1),),
        spans=((told.spans[0][0], told.spans[-1][1]),),
        weights=(fsum(told.weights),),
        timed=told.timed,
        asks=told.asks,
    )


def _telling(clause: Clause, first: str, words: set[str], known: ClauseVocabulary) -> float:
    """Return by how much a clause is worth more, or less, than its words are rare."""
    added = 0.0
    if telling := words & known.telling:
        added = sum(map(known.added.__getitem__, telling))
        # A capital that opens a clause is no sign of a name.
        if first.istitle():
            added -= known.added.get(first, 0.0)
    if re.search(_QUOTES, clause.text):
        added += _NAMED
    factor = 1 + min(_MOST_ADDED, added)
    if not words.isdisjoint(known.persons):
        factor *= _PERSON
    if clause.text[-1] == "?":
        factor *= _QUESTION
    if len(words) == 1:
        factor *= _ALONE
    return factor * _CODE if clause.code else factor
