"""The hash chain over a history's rows: what is hashed, and how one row follows another."""

import hashlib
from collections.abc import Sequence

from mindpipe.core.ports import Cell


def digest(octets: bytes) -> str:
    """Return the SHA-256 of octets as hexadecimal text."""
    return hashlib.sha256(octets).hexdigest()


def row_octets(cells: Sequence[Cell]) -> bytes:
    """Return the columns of a row as octets of which no two rows have the same.

    Text and its UTF-8 octets count as the same, so that a row can be hashed without being read.
    """
    return b"".join(map(_framed, cells))


def _framed(cell: Cell) -> bytes:
    """Return one value with its kind and, where it has one, its length."""
    if cell is None:
        return b"-"
    if isinstance(cell, (int, float)):
        return b"n%s;" % repr(cell).encode()
    octets = cell.encode() if isinstance(cell, str) else cell
    return b"t%d:%s" % (len(octets), octets)


def link(previous: str, octets: bytes) -> str:
    """Return h_n = sha256(h_(n-1), row) as hexadecimal text."""
    return digest(previous.encode() + octets)
