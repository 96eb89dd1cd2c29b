"""How two values of one slot stand to each other: the same, finer, coarser, or other."""

from typing import Literal

from mindpipe.history.query import stem
from mindpipe.knowledge.claims.prose import preferred, stems, topic_words

Comparison = Literal["same", "finer", "coarser", "other"]
ALIKE = 0.5
"""Share of the stems of two free texts from which on they say the same."""

_NAMED = frozenset({"residence", "workplace", "name", "job", "relation"})


def compare(word: str, *, old: str, new: str) -> Comparison:
    """Return how a new value of a slot stands to the old one, by the slot's word.

    Of places and names the one with more parts is finer, of versions the longer one; texts in
    somebody's own words are the same where half of their stems agree, unless the two sides of a
    preference have changed places.
    """
    if old.casefold() == new.casefold():
        return "same"
    if word == "version":
        return _nested(tuple(old.split(".")), tuple(new.split(".")))
    if word in _NAMED:
        return _within(_parts(old), _parts(new))
    if word == "prefers" and _is_reversed(preferred(old), preferred(new)):
        return "other"
    if word in ("count", "metric", "date", "schedule", "age"):
        return _days(old, new) if word in ("date", "schedule") else "other"
    one, other = set(map(stem, topic_words(old))), set(map(stem, topic_words(new)))
    alike = len(one & other) >= ALIKE * len(one | other) and one & other
    return "same" if alike else "other"


def _is_reversed(old: tuple[str, str] | None, new: tuple[str, str] | None) -> bool:
    """Tell whether of two sides the other one is preferred now."""
    if old is None or new is None:
        return False
    (liked, left), (likes, leaves) = (tuple(map(_stems, one)) for one in (old, new))
    return bool(liked & leaves and left & likes) and not liked & likes


def _stems(text: str) -> frozenset[str]:
    """Return the stems of the words that tell what a text is about."""
    return stems(topic_words(text))


def _parts(value: str) -> frozenset[str]:
    """Return the words of a name."""
    return frozenset(value.casefold().replace(",", " ").split())


def _within(old: frozenset[str], new: frozenset[str]) -> Comparison:
    """Compare by which has the parts of the other."""
    if old == new:
        return "same"
    if old < new:
        return "finer"
    return "coarser" if new < old else "other"


def _nested(old: tuple[str, ...], new: tuple[str, ...]) -> Comparison:
    """Compare by which begins with the other."""
    if new[: len(old)] == old:
        return "finer"
    return "coarser" if old[: len(new)] == new else "other"


def _days(old: str, new: str) -> Comparison:
    """Compare days, of which one with a time of day is finer."""
    if old[:10] != new[:10] or (len(old) > 10 and len(new) > 10):
        return "other"
    return "finer" if len(new) > len(old) else "coarser"
