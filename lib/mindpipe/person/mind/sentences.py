"""The sentences of a thought, and the marks by which one is known that was said before."""

from collections.abc import Iterator
from typing import NamedTuple
from zlib import crc32

from mindpipe.core.patterns import late

_BETWEEN = late(r"(?<=[.!?…])\s+")
_CLAUSES = late(r"[,;:.!?…“”]+")
_NAMES = late(
    r"\b(?:[Tt]he|[Mm]y|[Oo]ur) [^\W\d_]+"
    r"|(?<![\w’'-])(?!I\b)[A-ZÀ-Þ][\w’'-]*(?: (?!I\b)[A-ZÀ-Þ][\w’'-]*)*"
)
_QUOTED = late(r"“([^”]*)”")
NAMED = "_"
"""What stands for a name, or for a thing, in a turn of phrase."""
TURN = 4
"""By how many words, its first or its last, a turn of phrase is known."""
LEAST = 2
"""How many words a clause has at least that is known again."""


class PhraseTurn(NamedTuple):
    """A clause of a sentence, in small letters, and the marks of how it begins and ends."""

    words: str
    begins: int
    ends: int


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, each with the mark that ends it."""
    return tuple(piece for piece in _BETWEEN.split(text.strip()) if piece)


def turns_of(text: str) -> Iterator[PhraseTurn]:
    """Yield the clauses of a text that are long enough to be known again, whatever is named."""
    for clause in _CLAUSES.split(_NAMES.sub(NAMED, text).casefold()):
        words = clause.split()
        if len(words) >= TURN:
            yield PhraseTurn(" ".join(words), _mark(words[:TURN]), _mark(words[-TURN:]))


def short_marks(text: str) -> tuple[int, ...]:
    """Return the marks of the clauses of a text that are too short for a turn of phrase."""
    clauses = (clause.split() for clause in _CLAUSES.split(_NAMES.sub(NAMED, text).casefold()))
    return tuple(_mark(words) for words in clauses if LEAST <= len(words) < TURN)


def sentence_marks(text: str) -> tuple[int, ...]:
    """Return the CRC-32 of each sentence of a text, in any letters."""
    return tuple(crc32(sentence.casefold().encode()) for sentence in sentences_of(text))


def marks_of(text: str) -> tuple[int, ...]:
    """Return the marks of the sentences of a text, and those of their clauses."""
    return sentence_marks(text) + turn_marks(text) + short_marks(text)


def turn_marks(text: str) -> tuple[int, ...]:
    """Return the marks of how the longer clauses of a text begin and end."""
    return tuple(mark for turn in turns_of(text) for mark in (turn.begins, turn.ends))


def quotes_of(text: str) -> tuple[str, ...]:
    """Return what a text quotes, in small letters and without the mark at its end."""
    return tuple(one.rstrip(".!?…").casefold() for one in _QUOTED.findall(text))


def _mark(words: list[str]) -> int:
    """Return the mark of a few words; no sentence has it, since it has no mark at its end."""
    return crc32(" ".join(words).encode())
