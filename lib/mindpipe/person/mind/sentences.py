"""The sentences of a thought, and the marks by which one is known that was said before."""

from zlib import crc32

from mindpipe.core.patterns import late

_BETWEEN = late(r"(?<=[.!?…])\s+")


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, each with the mark that ends it."""
    return tuple(piece for piece in _BETWEEN().split(text.strip()) if piece)


def marks_of(text: str) -> tuple[int, ...]:
    """Return the CRC-32 of each sentence of a text, in any letters."""
    return tuple(crc32(sentence.casefold().encode()) for sentence in sentences_of(text))
