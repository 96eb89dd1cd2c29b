"""Patterns over lemmas, in the small language in which the lexicon is written."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from mindpipe.person.feedback.clauses import Clause, lemma
from mindpipe.person.feedback.lexicon.words import CLASSES, NEGATORS

_GAPS = {"~": 2, "~~": 5}
Words = tuple[str, ...]
Index = dict[str, list[tuple[str, str]]]
"""Labels and texts of patterns by a word that they begin with."""


class Step(NamedTuple):
    """One place of a pattern: words that may stand there, or a gap of up to `gap` other words.

    A word with a leading `=` is compared as it was written, others by their lemma.
    """

    words: tuple[Words, ...]
    gap: int
    optional: bool


class Pattern(NamedTuple):
    """Steps in order; the word behind may be none of `barred`, or none at all with `last`.

    `denies` is whether the pattern holds its own negation. One of the lemmas `needed` must stand in
    a clause, where there are any, so that most clauses are passed over at once.
    """

    steps: tuple[Step, ...]
    needed: frozenset[str]
    barred: frozenset[str]
    last: bool
    denies: bool


@cache
def pattern(text: str) -> Pattern:
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
    return Pattern(steps, _needed(steps), barred, last, denies)


def _needed(steps: Sequence[Step]) -> frozenset[str]:
    """Return the lemmas of which the last step that must match needs one, none if it has others."""
    must = next(step for step in reversed(steps) if step.words and not step.optional)
    found = frozenset(words[0] for words in must.words)
    return frozenset() if any(word.startswith("=") for word in found) else found


def _step(piece: str) -> Step:
    """Return one place of a pattern from its text."""
    if piece in _GAPS:
        return Step((), _GAPS[piece], optional=False)
    words = piece.removesuffix("?")
    return Step(tuple(_alternatives(words)), 0, optional=words != piece)


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


def matches(found: Pattern, clause: Clause, start: int) -> bool:
    """Tell whether a pattern stands in a clause from a word on."""
    if found.needed and found.needed.isdisjoint(clause.lemmas):
        return False
    return any(_may_end(found, clause, end) for end in _ends(found.steps, clause, start))


def _may_end(found: Pattern, clause: Clause, end: int) -> bool:
    """Tell whether what follows a match lets it stand."""
    if end == len(clause.lemmas):
        return True
    return not found.last and clause.lemmas[end] not in found.barred


def _ends(steps: Sequence[Step], clause: Clause, at: int) -> Iterator[int]:
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


def _over_gap(widest: int, rest: Sequence[Step], clause: Clause, at: int) -> Iterator[int]:
    """Yield where a match may end that lets some words out first."""
    yield from _ends(rest, clause, at)
    for word in clause.lemmas[at : at + widest]:
        if word in NEGATORS:
            return
        at += 1
        yield from _ends(rest, clause, at)


def _stands(words: Words, clause: Clause, at: int) -> bool:
    """Tell whether words stand in a clause from a place on."""
    if at + len(words) > len(clause.lemmas):
        return False
    return all(_is(word, clause, at + number) for number, word in enumerate(words))


def _is(word: str, clause: Clause, at: int) -> bool:
    """Tell whether a clause has a word at a place."""
    if word.startswith("=*"):
        return clause.words[at].endswith(word[2:])
    if word.startswith("="):
        return clause.words[at] == word[1:]
    return clause.lemmas[at] == word


def indexed(table: Mapping[str, Sequence[str]]) -> Index:
    """Return labels and texts of the patterns of a table by the words that they begin with."""
    index: Index = {}
    for label, texts in table.items():
        for text in texts:
            for word in first_words(text):
                index.setdefault(word, []).append((label, text))
    return index
