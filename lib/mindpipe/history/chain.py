"""The chain of hashes over the log."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindpipe.core.ports import Cell


def digest(octets: bytes) -> str:
    """Return the SHA-256 of octets as hexadecimal text."""
    return hashlib.sha256(octets).hexdigest()


def row_octets(cells: "Sequence[Cell]") -> bytes:
    """Return the columns of a row as octets of which no two rows have the same.

    Each value has its kind before it and, where it needs one, its length. Text and its UTF-8
    octets count as the same, so that a row can be hashed without being read.
    """
    framed: list[bytes] = []
    for cell in cells:
        if cell is None:
            framed.append(b"-")
        elif isinstance(cell, (int, float)):
            framed.append(b"n%s;" % repr(cell).encode())
        else:
            octets = cell.encode() if isinstance(cell, str) else cell
            framed += (b"t%d:" % len(octets), octets)
    return b"".join(framed)


def link(previous: str, octets: bytes) -> str:
    """Return h_n = sha256(h_(n-1), row) as hexadecimal text."""
    return digest(previous.encode() + octets)
