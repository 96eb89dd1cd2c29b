"""The Chance port: the system's randomness, or ids and numbers that follow from a seed."""

import os

from mindpipe.core.base62 import base62
from mindpipe.core.ports import Chance

_LENGTH = 22


class SystemChance:
    """Randomness of the operating system."""

    def new_id(self, prefix: str, *_place: str | int) -> str:
        """Return a random id of 128 bits."""
        return f"{prefix}_{base62(int.from_bytes(os.urandom(16), 'big'), _LENGTH)}"

    def number_named(self, number: int) -> int:
        """Return the number."""
        return number

    def uniform(self) -> float:
        """Return a random number in [0, 1)."""
        return (int.from_bytes(os.urandom(7), "big") >> 3) / (1 << 53)


class SeededChance:
    """Ids and numbers that are the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn = 0

    def new_id(self, prefix: str, *place: str | int) -> str:
        """Return the id that seed, prefix and place name."""
        named = "\x1f".join(map(str, (self._seed, prefix, *place)))
        number = int.from_bytes(_sha256(named)[:16], "big")
        return f"{prefix}_{base62(number, _LENGTH)}"

    def number_named(self, number: int) -> int:
        """Return the number."""
        return number

    def uniform(self) -> float:
        """Return the next number in [0, 1) of this seed."""
        self._drawn += 1
        drawn = _sha256(f"{self._seed}/{self._drawn}")
        return (int.from_bytes(drawn[:7], "big") >> 3) / (1 << 53)


def _sha256(text: str) -> bytes:
    """Return the hash of a text; only seeded runs pay for loading hashlib."""
    import hashlib

    return hashlib.sha256(text.encode()).digest()


def make_chance(seed: int | None) -> Chance:
    """Return the system's chance, or the one that follows from `seed`."""
    return SystemChance() if seed is None else SeededChance(seed)
