"""Search vectors by their one-bit codes, then by what they are."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Embedder
from mindpipe.core.text import is_blank

Floats = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]
Words = npt.NDArray[np.uint64]
Whole = npt.NDArray[np.int64]
_BITS = 64
_NUMBER = np.dtype("<f2")
_WORD = np.dtype("<u8")
_OCTETS = np.arange(256, dtype=np.uint8)
_SIGNS = np.unpackbits(_OCTETS[np.newaxis], axis=0, bitorder="little") * np.float32(2) - 1


def normalised(vectors: Sequence[Sequence[float]]) -> Floats:
    """Return vectors as rows of length 1, so that a product of two is their cosine.

    A row of zeros stays one: it is near to nothing.

    Raises:
        ValueError: they differ in length, or hold what is no finite number.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValueError("vectors are rows of finite numbers")
    greatest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    # Scaled before they are squared, so that great numbers do not overflow.
    rows = rows / np.where(greatest > 0, greatest, 1.0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def halves_of(rows: Floats) -> bytes:
    """Return rows as half-precision numbers (IEEE 754 binary16, little-endian), one by one."""
    return rows.astype(_NUMBER).tobytes()


def from_halves(stored: bytes, size: int) -> Floats:
    """Return rows of `size` numbers out of what `halves_of` made."""
    return np.frombuffer(stored, dtype=_NUMBER).reshape(-1, size).astype(np.float32)


def words_of(rows: Floats) -> Words:
    """Return the signs of each row, bit by bit, as one column of words of 64 bits.

    The shape is (words of a vector, rows): the same word of all vectors lies side by side, which is
    the order in which they are compared.
    """
    bits = np.packbits(rows > 0, axis=1, bitorder="little")
    width = -(-rows.shape[1] // _BITS) * (_BITS // 8)
    padded = np.zeros((len(rows), width), dtype=np.uint8)
    padded[:, : bits.shape[1]] = bits
    return np.ascontiguousarray(padded.view(_WORD).T)


def from_words(stored: bytes, count: int) -> Words:
    """Return the words of `count` vectors out of the bytes of what `words_of` made."""
    return np.frombuffer(stored, dtype=_WORD).reshape(-1, count)


def distances(words: Words, question: Words) -> npt.NDArray[np.uint16]:
    """Return in how many bits each vector differs from the question, a single column of words."""
    found: npt.NDArray[np.uint16] = np.add.reduce(
        np.bitwise_count(words ^ question), axis=0, dtype=np.uint16
    )
    return found


def weights(words: Words, question: Floats) -> Floats:
    """Return the product of a question with the signs of each vector, each 1 or -1 by its bit.

    Eight numbers at a time: what they add up to is looked up in a table of all 256 signs of eight.
    """
    count = words.shape[0] * (_BITS // 8)
    padded = np.zeros(count * 8, dtype=np.float32)
    padded[: len(question)] = question
    table = padded.reshape(count, 8) @ _SIGNS
    octets = np.ascontiguousarray(words).view(np.uint8).reshape(words.shape[0], -1, _BITS // 8)
    found = np.zeros(words.shape[1], dtype=np.float32)
    for place in range(count):
        found += table[place][octets[place // 8, :, place % 8]]
    return found


WEIGHED = 10_000
"""So many of the vectors that differ from a question in the fewest bits are weighed by it. Of the
ten nearest by all-MiniLM-L6-v2, 98 of 100 are among the first 170, among 1,000 vectors as among
16,000: measured on talk of people and on documents."""
JUDGED = 500
"""So many of those that weigh most are compared exactly; 98 of 100 are among the first 50."""


class CodedVectors(NamedTuple):
    """Some vectors as they are looked through: what each is of, and their bits in that order."""

    entries: Whole
    words: Words


def prefilter(coded: Sequence[CodedVectors], question: Floats, *, most: int = JUDGED) -> list[int]:
    """Return the entries of the `most` vectors that seem nearest to a question, ascending.

    First by the Hamming distance of the signs, which costs one instruction for 64 numbers; what is
    left by the product of the question itself with the signs, which loses less of it.
    `question` is one normalised vector.
    """
    bits = words_of(question[np.newaxis])
    apart = [distances(block.words, bits) for block in coded]
    if not apart:
        return []
    counts = np.bincount(np.concatenate(apart), minlength=1)
    limit = int(np.searchsorted(np.cumsum(counts), WEIGHED))
    chosen = [np.flatnonzero(found <= limit) for found in apart]
    entries = np.concatenate(
        [block.entries[rows] for block, rows in zip(coded, chosen, strict=True)]
    )
    if len(entries) > most:
        words = [block.words[:, rows] for block, rows in zip(coded, chosen, strict=True)]
        order = np.argsort(-weights(np.concatenate(words, axis=1), question), kind="stable")
        entries = entries[order[:most]]
    found: list[int] = np.unique(entries).tolist()
    return found


MOST_CHARACTERS = 800
"""Characters of a piece: English of this length stays below the 256 tokens that all-MiniLM-L6-v2
and its kin read, about four characters each; what comes behind them would not exist for it."""
_ENDS = ("\n\n", "\n", ". ", "? ", "! ", "; ", ", ", " ")


def pieces(text: str) -> list[str]:
    """Return the text in pieces of at most MOST_CHARACTERS, in their order, no blank one.

    A piece ends where a paragraph does, else a line, a sentence, a clause or a word, if one of them
    ends in the second half of what fits; else in the middle of a word.
    """
    found: list[str] = []
    start = 0
    while start < len(text):
        end = _end(text, start)
        piece = text[start:end].strip()
        if not is_blank(piece):
            found.append(piece)
        start = end
    return found


def _end(text: str, start: int) -> int:
    last = start + MOST_CHARACTERS
    if last >= len(text):
        return len(text)
    for mark in _ENDS:
        place = text.rfind(mark, start + MOST_CHARACTERS // 2, last)
        if place >= 0:
            return place + len(mark)
    return last


def vectors_of(embedder: Embedder, texts: Sequence[str], *, size: int | None = None) -> Floats:
    """Return one normalised vector for each text, as rows of `size` numbers where that is given.

    Raises:
        UnavailableError: the model did not answer, or not with one finite vector for each text, all
            of one size, and that of the vectors which are kept.
    """
    try:
        found = normalised(embedder.vectors(texts))
    except ValueError:
        raise _unusable(embedder, "its vectors differ in length or hold no finite number") from None
    if len(found) != len(texts):
        raise _unusable(embedder, f"{len(found)} vectors came for {len(texts)} texts")
    if size is not None and found.shape[1] != size:
        raise _unusable(
            embedder, f"it gives vectors of {found.shape[1]} numbers, and those kept have {size}"
        )
    return found


def _unusable(embedder: Embedder, why: str) -> UnavailableError:
    """Return the error that names the model and what was wrong with its vectors."""
    return UnavailableError(f"the embedding model {embedder.name} cannot be used: {why}.")
