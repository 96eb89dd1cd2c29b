"""Sentences and clauses of what somebody says, with their places; code is left out."""

import re
from collections.abc import Iterator
from typing import NamedTuple

READ_CHARACTERS = 4_000
"""Of a longer text no more is read: what somebody tells of himself stands early."""

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_END = re.compile(r"(?<=[.!?…])\s+|\n+")
_BREAK = re.compile(
    r"[,;:–—]\s+|\s+[-–—]\s+|\.{3}\s*|\s+(?:and|but|so|because|cause|since|while|though|although)\s+"
    r"(?=(?:I|we|my|our|he|she|it|they|the)\b)|\s+(?=(?:because|although|though|whereas)\b)"
)


class Stretch(NamedTuple):
    """Some characters of a text: the first, the first that is out, and the words."""

    start: int
    end: int
    text: str


def prose_of(text: str) -> str:
    """Return what is read of a text: its beginning, with code as blanks, so that places stay."""
    return _CODE.sub(lambda code: " " * len(code[0]), text[:READ_CHARACTERS])


def sentences(text: str) -> Iterator[Stretch]:
    """Yield the sentences of a text outside of code."""
    yield from _split(prose_of(text), _END, 0)


def clauses(sentence: Stretch) -> Iterator[Stretch]:
    """Yield the clauses of a sentence: what stands between commas, dashes and conjunctions."""
    yield from _split(sentence.text, _BREAK, sentence.start)


def _split(text: str, end: re.Pattern[str], offset: int) -> Iterator[Stretch]:
    """Yield what stands between ends, without blanks around it."""
    start = 0
    for found in (*end.finditer(text), None):
        stop = found.start() if found else len(text)
        words = text[start:stop]
        if kept := words.strip():
            first = start + words.index(kept[0])
            yield Stretch(offset + first, offset + first + len(kept), kept)
        start = found.end() if found else stop
