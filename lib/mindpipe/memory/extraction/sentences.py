"""Sentences of a text with their places, without code, tables and what only asks."""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_CHARACTERS = 600
"""A longer sentence is no sentence but a listing or pasted text."""
MIN_WORDS = 3


class Sentence(NamedTuple):
    """The characters of a text that make one statement: first, first after, and the words."""

    start: int
    end: int
    words: str


def sentences_of(text: str) -> Iterator[Sentence]:
    """Yield the statements of a text in its order.

    Fenced and indented code, tables, and what stands in brackets as a caption are left out, and of
    a sentence that ends in a question what is asked.
    """
    plain = _blanked(text)
    start = 0
    for mark in _end().finditer(plain):
        yield from _statement(plain, start, mark.end())
        start = mark.end()
    yield from _statement(plain, start, len(plain))


def _blanked(text: str) -> str:
    """Return a text in which what is no sentence is as many blanks, so that places stay."""
    return _no_prose().sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


@functools.cache
def _no_prose() -> re.Pattern[str]:
    """Return what is no prose: code, tables, headings' marks, captions, links."""
    return re.compile(
        r"(?ms)^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)|\Z)"
        r"|```[^\n]*?```"
        r"|^(?: {4}|\t)[^\n]*$"
        r"|^[ \t]*[|>][^\n]*$"
        r"|\[(?:shares|shared|photo|image|attachment)\b[^\[\]\n]{0,500}\]"
        r"|\bhttps?://[^\s)>\]]+"
        r"|^[ \t]*(?:[-*+•#]+|\d{1,2}[.)])[ \t]+"
    )


@functools.cache
def _end() -> re.Pattern[str]:
    """Return where a sentence ends: not within a number, a version or after a title or initial.

    A run of marks is tried where it begins alone, and as a whole: it may be as long as a text.
    """
    titles = r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bMrs)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)"
    return re.compile(rf"(?<![.!?…])(?:{titles}\.|[!?…])++[\"'”’)\]*]*+(?=\s|$)|\n+|;(?=\s)")


@functools.cache
def _question() -> re.Pattern[str]:
    """Return where a question begins within a sentence that ends in one."""
    verb = "can|could|would|will|do|does|did|is|are|was|were|should|shall|have|has|had|may|might"
    who = r"you|i|we|it|he|she|they|there|this|that|anyone|anybody|any|the|my|your"
    words = "what|how|why|when|where|which|who|whose|any|got any|is there|are there|right|okay|ok"
    return re.compile(
        rf"(?i)(?:^|[,;:–—-]\s+|\s(?:and|but|so)\s+)"
        rf"(?:(?:and|but|so|or|also|then|please)\s+)*(?:(?:{verb})(?:n't)?\s+(?:{who})\b|(?:{words})\b)"
    )


def _statement(text: str, start: int, end: int) -> Iterator[Sentence]:
    """Yield what a stretch of a text states, if it states something."""
    while start < end and (text[start].isspace() or text[start] in "*_\"“'‘(-–—,"):
        start += 1
    if text[start:end].rstrip("\"'”’)]* \n").endswith("?"):
        asked = _question().search(text, start, end)
        if asked is None:
            return
        end = asked.start()
    while end > start and (text[end - 1].isspace() or text[end - 1] in '*_"”;,'):
        end -= 1
    words = text[start:end]
    if len(words) <= MAX_CHARACTERS and len(words.split()) >= MIN_WORDS:
        yield Sentence(start, end, words)
