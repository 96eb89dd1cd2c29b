"""English sentences in clauses, and how much each tells: rare words, names, times, decisions."""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import fsum, log
from typing import NamedTuple

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
OPENERS = frozenset(
    re.findall(
        r"\w+",
        "absolutely actually ah also and anyway awesome btw but certainly cool definitely great "
        "haha hello hey hi honestly nice oh ok okay or plus right so sure thanks then totally "
        "well wow yeah yep yes yup",
    )
)
"""What opens a sentence and may be left out; a no may not, for it can reverse what follows."""
# Patterns are texts, compiled when they are first used: every plan loads this, few need it all.
_NOT = (
    r"\b(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|nope|nah|without|hardly|barely|"
    r"scarcely|rarely|seldom|cannot|(?:do|does|did|is|are|was|were|ai|has|have|had|ca|could|wo|"
    r"would|should|must|need|might)n['’]?t)\b"
)
NEGATION = f"(?i){_NOT}"
"""What reverses the sense of the words after it."""
DOUBTED = (
    rf"(?i){_NOT}\W+(?:\w+\W+){{0,2}}?(?:think|believe|say|said|claim|mean|suppose|true|agree|expect|"
    r"sure|mention|case)"
)
"""What reverses all that is told after it, in clauses of their own too."""
LEAST_WORDS = 3
"""A shorter piece goes with its neighbour in the sentence, for it says nothing alone."""
MOST_CHARACTERS = 240
"""A longer clause is cut at a blank, or where there is none right there."""
_SUBJECT = (
    "(?:I|we|you|he|she|it|they|this|that|there|these|those|my|our|your|his|her|its|their|the|an?|"
    r"not|just|also|then|had|has|have|was|were|is|are|am|been|being|did|do|got|made|let)\b"
)
_MARKERS = r"(?:(?:[-*+•>|]|#{1,6}|\d{1,3}[.)])\s+)*"
# Hard boundaries are the end of a sentence and of a line; soft ones a dash, a colon, and a blank
# before words that open a clause. What a bracket holds stays together. Every branch looks back at
# the one character that the class before it found, for so the search skips all others at once.
_BOUNDARY = (
    r"[\n .!?;…:—\[。！？；](?:"
    rf"(?<=[.!?;…])(?P<end>[.!?…]*[\"'”’»)\]*_`]*)(?:$|\s+{_MARKERS})"
    rf"|(?<=\n)(?P<line>)\s*{_MARKERS}"
    r"|(?<= )(?:(?<=[^\W\d] )[-–—]{1,2} (?=[^\W\d])"
    r"|(?=but (?!also )|because |'cause |which |while |although |though |since |until |whereas )"
    rf"|(?=(?:and|so|or|when|where|who|if|as|then|after|before) {_SUBJECT})"
    r"|(?<=, )(?=(?:(?:and|so|plus) )?(?:I|we|he|she|they|it|you|this|that|there)\b))"
    r"|(?<=:) "
    r"|(?<=—)"
    r"|(?<=\[)(?P<whole>[^\]\n]{0,200}\])"
    r"|(?<=[。！？；])(?P<stop>)\s*"
    r")"
)
# What tells something by itself, also after a clause with a "not" in it.
_ANEW = (
    r"(?:but|because|'cause|while|although|though|since|until|whereas) "
    r"|(?:(?:and|so|plus|then) )?(?:I|we|you|he|she|it|they|this|there|these|those)\b"
)
_START = rf"\s*{_MARKERS}"
_FENCES = ("```", "~~~")
_OPENER = r"[^\W\d_]+(?=[\s,.!:-])"
_BETWEEN = r"[\s,.!:-]+"
_ENDING = " \t\r\n.,;:-–—*|"


class Clause(NamedTuple):
    """A piece of a text: characters `start` to `end` of it, and its words without markup."""

    start: int
    end: int
    text: str
    code: bool


def clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of a text in their order; what has no letter or digit is left out."""
    code = False
    fenced = any(map(text.__contains__, _FENCES))
    for start, end in _spans(text):
        if fenced and text.startswith(_FENCES, start):
            code = not code
            continue
        if not code:
            start = _past_openers(text, start, end)
        while start < end:
            cut = end if end - start <= MOST_CHARACTERS else _cut(text, start)
            words = plain(text[start:cut])
            if words:
                yield Clause(start, cut, words, code)
            start = cut


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the pieces of a text between its boundaries, those that are too short joined."""
    spans: list[tuple[int, int]] = []
    # Whether the last piece ends at a soft boundary, so that a short one may be joined to it.
    open_end = False
    start = _after(re.match(_START, text))
    for end, following, hard in _boundaries(text, start):
        short = text.count(" ", start, end) < LEAST_WORDS - 1
        if not hard and (short or _reverses(text, start, end, following)):
            continue
        if short and open_end:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        open_end = not hard
        start = following
    return spans


def _reverses(text: str, start: int, end: int, following: int) -> bool:
    """Tell whether a "not" in a piece reverses what follows too, so that both stay together."""
    if re.compile(_ANEW).match(text, following) is None:
        return re.compile(NEGATION).search(text, start, end) is not None
    is_contrast = text.startswith("but ", following)
    return not is_contrast and re.compile(DOUBTED).search(text, start, end) is not None


def _after(match: re.Match[str] | None) -> int:
    return match.end() if match else 0


def _boundaries(text: str, start: int) -> list[tuple[int, int, bool]]:
    """Return where a piece ends, where the next begins, and whether the boundary is a hard one."""
    found: list[tuple[int, int, bool]] = []
    for match in re.compile(_BOUNDARY).finditer(text, start):
        kind = match.lastgroup
        if kind is None:
            found.append((*match.span(), False))
        elif kind != "whole":
            end = match.start() if kind == "line" else match.end(kind)
            found.append((end, match.end(), True))
    found.append((len(text), len(text), True))
    return found


def _past_openers(text: str, start: int, end: int) -> int:
    """Return where a piece begins to say something."""
    word = re.compile(_OPENER).match(text, start, end)
    while word and word[0].lower() in OPENERS:
        following = _after(re.compile(_BETWEEN).match(text, word.end(), end))
        if following >= end:
            break
        start = following
        word = re.compile(_OPENER).match(text, start, end)
    return start


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

    `sizes` are the characters of its words. `rare` are the rarities of the words that a clause is
    the first to hold, `weights` those times what tells in it. `timed` says that the text names a
    time or a number, `asks` that one of its last two clauses is a question.
    """

    sizes: Sequence[int]
    spans: Sequence[tuple[int, int]]
    rare: Sequence[float]
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
        self._rare = array("d")
        self._weights = array("d")
        self._marks = bytearray()

    def add(self, told: ClauseWeights) -> None:
        """Note the clauses of the next text."""
        self._sizes.extend(told.sizes)
        self._starts.extend(start for start, _ in told.spans)
        self._stops.extend(stop for _, stop in told.spans)
        self._rare.extend(told.rare)
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
            rare=self._rare[own],
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


def told(text: str, known: ClauseVocabulary) -> ClauseWeights:
    """Return the clauses of a text with their weights; a word counts where it comes first."""
    rarity = known.rarity.__getitem__
    sizes: list[int] = []
    asking: list[bool] = []
    spans: list[tuple[int, int]] = []
    rare: list[float] = []
    weights: list[float] = []
    before: set[str] = set()
    for clause in clauses(text):
        sizes.append(len(clause.text))
        asking.append(clause.text[-1] == "?")
        spans.append((clause.start, clause.end))
        words = _WORD.findall(clause.text)
        own = set(words)
        fresh = own - before if before else own
        new = fsum(map(rarity, fresh))
        rare.append(new)
        weights.append(new * _telling(clause, words[0], own, known))
        before |= own
    timed = not before.isdisjoint(known.times)
    return ClauseWeights(
        tuple(sizes), tuple(spans), tuple(rare), tuple(weights), timed, any(asking[-2:])
    )


def as_one(told: ClauseWeights) -> ClauseWeights:
    """Return the clauses of a text as one: what is quoted in it is taken whole, or not at all."""
    if len(told.sizes) < 2:
        return told
    return ClauseWeights(
        sizes=(sum(told.sizes) + len("; ") * (len(told.sizes) - 1),),
        spans=((told.spans[0][0], told.spans[-1][1]),),
        rare=(fsum(told.rare),),
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
