"""The seal of a file of Arrow: a hash in its metadata, by which changed octets are found.

Arrow looks at the shape of what it reads and at no number: of single bits that flip in a shard
three in four would give other persons without a word. The hash is of all octets but its own.
"""

import hashlib
from collections.abc import Callable, Mapping

SEAL = b"sha256"
"""Where the hash stands among the metadata."""
_TIMES = 2
"""A file has its metadata before its rows and behind them."""
_TRIES = 100


def sealed(made: Callable[[bytes], bytes]) -> bytes:
    """Return the octets of a file with its seal; the same file gets the same.

    `made` gives the octets of the file with a mark in its metadata, instead of which the seal is.
    """
    for number in range(_TRIES):
        mark = b"%064d" % number
        octets = made(mark)
        # A name in it could look like the mark.
        if octets.count(mark) == _TIMES:
            return octets.replace(mark, _seal_of(octets, mark))
    raise AssertionError("a file that has its metadata elsewhere cannot be sealed")


def require_seal(octets: bytes, metadata: Mapping[bytes, bytes] | None) -> None:
    """Raise ValueError where the octets of a file are not those that were sealed.

    One that was written before there were seals has none.
    """
    seal = (metadata or {}).get(SEAL)
    if seal is None:
        return
    if octets.count(seal) != _TIMES or _seal_of(octets, seal) != seal:
        raise ValueError("its octets have changed since it was written")


def _seal_of(octets: bytes, mark: bytes) -> bytes:
    """Return the hash of all octets but those of the mark."""
    return hashlib.sha256(octets.replace(mark, b"")).hexdigest().encode()
