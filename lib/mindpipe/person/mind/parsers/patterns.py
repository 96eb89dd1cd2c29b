"""Patterns over the lemmas of a clause, in the small language in which the lexicon is written."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from mindpipe.person.mind.parsers.lexicon import CLASSES, NEGATORS, LexiconEntry
from mindpipe.person.mind.parsers.seed import plain, words_in

EXPANSIONS: tuple[tuple[str, str], ...] = (
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"'m\b", " am"),
    (r"'re\b", " are"),
    (r"'ve\b", " have"),
    (r"'ll\b", " will"),
    (r"\b(it|that|he|she|what|nothing|there)'s\b", r"\1 is"),
    (r"\blet's\b", "let us"),
    (r"'d\b", " would"),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\bim\b", "i am"),
    (r"\bive\b", "i have"),
    (r"\b(do|does|did|is|was|are|have|has|had|could|should|would)nt\b", r"\1 not"),
    (r"\bcant\b", "can not"),
    (r"\bwont\b", "will not"),
    (r", so ", " therefore "),
)
"""Contractions and what they stand for, in the order in which they are looked for."""
_EXPANSIONS = tuple((re.compile(found), put) for found, put in EXPANSIONS)
_BOUNDARY = re.compile(r"[.;!?\n]+|, (?:but|and|yet) | but | although | though | however | yet ")
_WORD = re.compile(r"[a-z']+|\d+")
LEMMAS: dict[str, str] = {
    **dict.fromkeys(("am", "is", "are", "was", "were", "been", "being"), "be"),
    **dict.fromkeys(("has", "had", "having"), "have"),
    **dict.fromkeys(("does", "did", "doing", "done"), "do"),
    **dict.fromkeys(("thought", "thinking"), "think"),
    **dict.fromkeys(("lost",), "lose"),
    **dict.fromkeys(("hid", "hidden"), "hide"),
    **dict.fromkeys(("made", "making"), "make"),
    **dict.fromkeys(("knew", "known"), "know"),
    **dict.fromkeys(("went", "gone", "goes"), "go"),
    **dict.fromkeys(("dying", "dies", "died"), "die"),
    **dict.fromkeys(("lets", "letting"), "let"),
    "felt": "feel",
    "feelings": "feeling",
    "kept": "keep",
    "said": "say",
    "got": "get",
    "ruined": "ruin",
    "ok": "okay",
    "happening": "happen",
    "used": "use",
}
"""Words whose lemma no rule finds."""
UNCHANGED = words_in(
    "going feeling thing this something anything everything nothing always less worthless"
    " useless pass during bring king evening morning need indeed"
)
"""Words that no rule may shorten."""
STEMS = words_in(
    "solv fac hid mak replac ignor refram ruminat blam hat tak leav believ imagin figur"
    " chang mov los catastrophiz minimiz notic judg despis escap settl get wast lov car"
    " liv giv com"
)
"""Stems that end in e before -ing or -ed was added."""
_LEAST = 3


class ThoughtClause(NamedTuple):
    """The words of one clause in plain form, and their lemmas, one each."""

    words: tuple[str, ...]
    lemmas: tuple[str, ...]


def clauses(text: str) -> list[ThoughtClause]:
    """Return the clauses of a thought that hold a word; lines, too, are parted."""
    said = "\n".join(plain(line) for line in text.splitlines())
    for found, put in _EXPANSIONS:
        said = found.sub(put, said)
    parts = (tuple(_WORD.findall(part)) for part in _BOUNDARY.split(said))
    return [ThoughtClause(written, tuple(map(lemma, written))) for written in parts if written]


@lru_cache(maxsize=10_000)
def lemma(word: str) -> str:
    """Return the form under which a word stands in patterns: without -ing, -ed, -s."""
    if word in LEMMAS:
        return LEMMAS[word]
    if word in UNCHANGED:
        return word
    if word.endswith(("ies", "ied")) and len(word) > _LEAST + 1:
        return f"{word[:-3]}y"
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST:
            return _stem(stem)
    if word.endswith("s") and len(word) > _LEAST and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _stem(stem: str) -> str:
    """Return what is left of a word without -ing or -ed as the verb it comes from."""
    if stem in STEMS:
        return f"{stem}e"
    if len(stem) > _LEAST and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return stem


_GAPS = {"~": 2, "~~": 5}
Words = tuple[str, ...]
Index = dict[str, list[LexiconEntry]]
"""Entries of the lexicon by a word that they begin with."""


class PatternStep(NamedTuple):
    """One place of a pattern: words that may stand there, or a gap of up to `gap` other words.

    A word with a leading `=` is compared as it was written, others by their lemma.
    """

    words: tuple[Words, ...]
    gap: int
    optional: bool


class LabelPattern(NamedTuple):
    """Steps in order; the word behind may be none of `barred`, or none at all with `last`.

    `denies` is whether the pattern holds its own negation. One of the lemmas `needed` must stand in
    a clause, where there are any, so that most clauses are passed over at once.
    """

    steps: tuple[PatternStep, ...]
    needed: frozenset[str]
    barred: frozenset[str]
    last: bool
    denies: bool


@cache
def pattern(text: str) -> LabelPattern:
    """Return a pattern from its text.

    Words are parted by spaces. `a|b` are alternatives, `a_b` is a sequence as one alternative,
    `@name` the words of a class, `=word` a word as it was written, `=*ed` one
    that ends so, `word?` may be absent, `~` and
    `~~` are gaps of up to 2 and 5 words, none of them a negator. At the end `!a|b` names words that
    must not follow, `$` demands the end of the clause, `¬` says that the pattern denies.
    """
    pieces = text.split()
    denies = pieces[-1] == "¬"
    if denies:
        pieces.pop()
    last = pieces[-1] == "$"
    if last:
        pieces.pop()
    barred: frozenset[str] = frozenset()
    if pieces[-1].startswith("!"):
        barred = frozenset(lemma(word) for word in pieces.pop()[1:].split("|"))
    steps = tuple(map(_step, pieces))
    return LabelPattern(steps, _needed(steps), barred, last, denies)


def _needed(steps: Sequence[PatternStep]) -> frozenset[str]:
    """Return the lemmas of which the last step that must match needs one, none if it has others."""
    must = next(step for step in reversed(steps) if step.words and not step.optional)
    found = frozenset(words[0] for words in must.words)
    return frozenset() if any(word.startswith("=") for word in found) else found


def _step(piece: str) -> PatternStep:
    """Return one place of a pattern from its text."""
    if piece in _GAPS:
        return PatternStep((), _GAPS[piece], optional=False)
    words = piece.removesuffix("?")
    return PatternStep(tuple(_alternatives(words)), 0, optional=words != piece)


def _alternatives(piece: str) -> Iterator[Words]:
    """Yield the words, and the words of the classes, that a piece names."""
    for word in piece.split("|"):
        if word.startswith("@"):
            for part in CLASSES[word[1:]].split():
                yield from _alternatives(part)
        else:
            yield tuple(part if part.startswith("=") else lemma(part) for part in word.split("_"))


def first_words(text: str) -> frozenset[str]:
    """Return the words, lemmas or `=word`, with which what a pattern's text names can begin."""
    found = set[str]()
    for step in map(_step, text.split()):
        found.update(words[0] for words in step.words)
        if not step.optional:
            break
    return frozenset(found)


def matches(found: LabelPattern, clause: ThoughtClause, start: int) -> bool:
    """Tell whether a pattern stands in a clause from a word on."""
    if found.needed and found.needed.isdisjoint(clause.lemmas):
        return False
    return any(_may_end(found, clause, end) for end in _ends(found.steps, clause, start))


def _may_end(found: LabelPattern, clause: ThoughtClause, end: int) -> bool:
    """Tell whether what follows a match lets it stand."""
    if end == len(clause.lemmas):
        return True
    return not found.last and clause.lemmas[end] not in found.barred


def _ends(steps: Sequence[PatternStep], clause: ThoughtClause, at: int) -> Iterator[int]:
    """Yield where a match of steps that begins at a word may end, nearest first."""
    if not steps:
        yield at
        return
    step, rest = steps[0], steps[1:]
    if step.gap:
        yield from _over_gap(step.gap, rest, clause, at)
        return
    for words in step.words:
        if _stands(words, clause, at):
            yield from _ends(rest, clause, at + len(words))
    if step.optional:
        yield from _ends(rest, clause, at)


def _over_gap(
    widest: int, rest: Sequence[PatternStep], clause: ThoughtClause, at: int
) -> Iterator[int]:
    """Yield where a match may end that lets some words out first."""
    yield from _ends(rest, clause, at)
    for word in clause.lemmas[at : at + widest]:
        if word in NEGATORS:
            return
        at += 1
        yield from _ends(rest, clause, at)


def _stands(words: Words, clause: ThoughtClause, at: int) -> bool:
    """Tell whether words stand in a clause from a place on."""
    if at + len(words) > len(clause.lemmas):
        return False
    return all(_is(word, clause, at + number) for number, word in enumerate(words))


def _is(word: str, clause: ThoughtClause, at: int) -> bool:
    """Tell whether a clause has a word at a place."""
    if word.startswith("=*"):
        return clause.words[at].endswith(word[2:])
    if word.startswith("="):
        return clause.words[at] == word[1:]
    return clause.lemmas[at] == word


def indexed(*tables: Mapping[str, Sequence[str]]) -> Index:
    """Return the entries of tables by the words that they begin with."""
    index: Index = {}
    for table in tables:
        for label, texts in table.items():
            for text in texts:
                for word in first_words(text):
                    index.setdefault(word, []).append(LexiconEntry(label, text))
    return index
