"""What texts have in common: the stems of their words, and the sides of a preference."""

import re

from mindpipe.history.query import stem

_RATHER = re.compile(r"\s+(?:over|to|than|rather than|instead of)\s+", re.IGNORECASE)


def preferred(value: str) -> tuple[str, str] | None:
    """Return what is preferred and to what, or None where a text names but one side."""
    sides = _RATHER.split(value, maxsplit=1)
    return (sides[0], sides[1]) if len(sides) == 2 else None


def stems(words: list[str]) -> frozenset[str]:
    """Return the stems of words."""
    return frozenset(map(stem, words))
