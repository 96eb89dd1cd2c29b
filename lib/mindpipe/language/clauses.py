"""Sentences and clauses of what somebody says, with their places; what is no prose is left out."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mindpipe.core.patterns import LatePattern, late

READ_CHARACTERS = 4_000
"""Of a longer text no more is read: what somebody tells of himself stands early."""

# Code, tables, quoted mail, and the marks of lists and of emphasis.
_NO_PROSE = late(
    r"(?ms)^[ \t]*~~~.*?(?:^[ \t]*~~~|\Z)|```.*?(?:```|\Z)|`[^`\n]*`|^(?: {4}|\t)[^\n]*$"
    r"|^[ \t]*[|>][^\n]*$|^[ \t]*(?:[-*+•#]+|\d{1,2}[.)])[ \t]+|\*{1,3}"
)
_TITLES = ("Mr", "Ms", "Mrs", "Dr", "St", "Prof", "[Ee].g", "i.e", "vs", "z.B", "bzw")
"""What a stop is part of, whatever follows."""
_SHORT = (
    "[Ss]tr", "Pl", "Ave", "Rd", "Blvd", "Co", "Inc", "Ltd", "[Cc]a", "approx", "etc", "incl", "bj",
    "[ap]\\.m", "U\\.S", "U\\.K",
)  # fmt: skip
"""What a stop is part of where a number or a small letter follows: `Lindauer Str. 5`."""
ABBREVIATIONS = (*_TITLES, *_SHORT)
"""Both as patterns, for those to whom a sentence that is too long is better than one too short."""
_BEFORE_NUMBERS = (
    "No", "Nr", "nos", "Apt", "Tel", "[Vv]ol", "pp?", "[Ff]ig", "max", "min",
    "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sept?", "Oct", "Nov", "Dec",
    "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
)  # fmt: skip
"""What a stop is part of where a number follows: `No. 27`, `Jan. 5`."""


def _not_behind(words: Iterable[str]) -> str:
    """Return a pattern that a place is behind none of some words and their stop."""
    spelt = [two for one in words for two in _each_length(one)]
    return "".join(rf"(?<!\b{one}\.)" if one[-3:] != "]tr" else rf"(?<!{one}\.)" for one in spelt)


def _each_length(spelling: str) -> tuple[str, ...]:
    """Return a spelling with its last letter and without, where that may be left out."""
    head, optional, _ = spelling.partition("?")
    return (head[:-1], head) if optional else (head,)


SENTENCE_END = late(
    rf"(?<=[.!?…]){_not_behind(_TITLES)}(?:(?!\s+[a-z\d])|"
    rf"{_not_behind(_SHORT)}(?:(?!\s+\d)|{_not_behind(_BEFORE_NUMBERS)}))\s+"
    r"|\n+"
)
"""Where a sentence ends; a stop behind an abbreviation ends none."""
_THEN_ASKED = late(
    r"(?i)[,;:–—-]\s+(?=(?:(?:and|but|so|or|also|then|please)\s+)*"
    r"(?:(?:can|could|would|will)\s+(?:you|someone|somebody|anyone|anybody)|what|how|why|which|"
    r"where|when|who|whose|any\s+(?:ideas?|tips?|thoughts?|advice|suggestions?))\b)"
)
_BREAK = late(
    r"[,;:–—]\s+|\s+[-–—]\s+|\.{3}\s*|\s+(?:and|but|so|because|cause|since|while|though|although)\s+"
    r"(?=(?:(?:now|nowadays|today|these days|currently) )?(?:I|we|my|our|he|she|it|they|the)\b)"
    r"|\s+(?=(?:because|although|though|whereas)\b)"
    r"|\s+(?:but|so|because|cause|though|although)\s+(?=[A-ZÀ-Þ][a-zß-ÿ]+\s+[a-z])"
)


_NEVER = late(r"(?!)")


class Stretch(NamedTuple):
    """Some characters of a text: the first, the first that is out, and the words."""

    start: int
    end: int
    text: str


def prose_of(text: str, *, most: int = READ_CHARACTERS) -> str:
    """Return what is read of a text: its beginning, with what is no prose as as many blanks."""
    return _NO_PROSE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text[:most])


def sentences(text: str, *, most: int = READ_CHARACTERS, whole: bool = False) -> Iterator[Stretch]:
    """Yield the sentences of a text outside of code, tables and quoted mail.

    A question that hangs on something told, as in `I moved, can you help?`, is one of its own,
    unless sentences are wanted `whole`.
    """
    for one in _split(prose_of(text, most=most), SENTENCE_END, 0):
        if not one.text.strip(".…!"):
            continue  # dots alone: "I'm vegan! ... no, hang on"
        asks = one.text.endswith("?") and not whole
        asked = _THEN_ASKED.search(one.text) if asks else None
        if asked is None:
            yield one
        else:
            yield from _split(one.text[: asked.start()], _NEVER, one.start)
            yield from _split(one.text[asked.end() :], _NEVER, one.start + asked.end())


def clauses(sentence: Stretch) -> Iterator[Stretch]:
    """Yield the clauses of a sentence: what stands between commas, dashes and conjunctions."""
    yield from _split(sentence.text, _BREAK, sentence.start)


def _split(text: str, end: LatePattern, offset: int) -> Iterator[Stretch]:
    """Yield what stands between ends, without blanks around it."""
    start = 0
    for found in (*end.finditer(text), None):
        stop = found.start() if found else len(text)
        words = text[start:stop]
        if kept := words.strip():
            first = start + words.index(kept[0])
            yield Stretch(offset + first, offset + first + len(kept), kept)
        start = found.end() if found else stop
