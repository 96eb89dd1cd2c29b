"""Cut what was said into clauses: pieces short enough to choose from, long enough to be read."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.compaction.selection.english import OPENERS

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
_BOUNDARY = re.compile(
    r"[\n .!?;…:—\[。！？；](?:"
    rf"(?<=[.!?;…])(?P<end>[.!?…]*[\"'”’»)\]*_`]*)(?:$|\s+{_MARKERS})"
    rf"|(?<=\n)(?P<line>)\s*{_MARKERS}"
    r"|(?<= )(?:(?<=[^\W\d] )[-–—]{1,2} (?=[^\W\d])"
    r"|(?=but |because |'cause |which |while |although |though |since |until |unless |whereas )"
    rf"|(?=(?:and|so|or|when|where|who|if|as|then|after|before) {_SUBJECT})"
    r"|(?<=, )(?=(?:(?:and|so|plus) )?(?:I|we|he|she|they|it|you|this|that|there)\b))"
    r"|(?<=:) "
    r"|(?<=—)"
    r"|(?<=\[)(?P<whole>[^\]\n]{0,200}\])"
    r"|(?<=[。！？；])(?P<stop>)\s*"
    r")"
)
_START = re.compile(rf"\s*{_MARKERS}")
_FENCES = ("```", "~~~")
_OPENER = re.compile(r"[^\W\d_]+(?=[\s,.!:-])")
_BETWEEN = re.compile(r"[\s,.!:-]+")
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
    start = _after(_START.match(text))
    for end, following, hard in _boundaries(text, start):
        short = text.count(" ", start, end) < LEAST_WORDS - 1
        if short and not hard:
            continue
        if short and open_end:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        open_end = not hard
        start = following
    return spans


def _after(match: re.Match[str] | None) -> int:
    """Return where a match ends, or 0."""
    return match.end() if match else 0


def _boundaries(text: str, start: int) -> list[tuple[int, int, bool]]:
    """Return where a piece ends, where the next begins, and whether the boundary is a hard one."""
    found: list[tuple[int, int, bool]] = []
    for match in _BOUNDARY.finditer(text, start):
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
    word = _OPENER.match(text, start, end)
    while word and word[0].lower() in OPENERS:
        following = _after(_BETWEEN.match(text, word.end(), end))
        if following >= end:
            break
        start = following
        word = _OPENER.match(text, start, end)
    return start


def _cut(text: str, start: int) -> int:
    """Return where a piece that is too long is cut."""
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
