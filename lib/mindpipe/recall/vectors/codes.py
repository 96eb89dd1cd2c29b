"""A vector as it rests: normalised halves to judge by, and one bit per number to look far with."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

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
