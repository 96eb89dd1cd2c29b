"""How strong a memory still is: it fades with time, and more slowly the more often it was recalled.

A half-life that doubles with each success is the form of half-life regression (Settles and Meeder,
A Trainable Spaced Repetition Model for Language Learning, ACL 2016); the days are ours.
"""

from mindpipe.core.instants import seconds_between
from mindpipe.core.records import Record
from mindpipe.memory.records import ItemKind

HALF_LIFE_DAYS: dict[ItemKind, float] = {
    "episodic": 30.0,
    "note": 90.0,
    "semantic": 180.0,
    "procedural": 180.0,
}
MOST_DOUBLINGS = 6
"""Recalls beyond these make nothing last longer."""
ARCHIVE_BELOW = 0.05

_DAY = 86_400.0


class Fading(Record):
    """What the strength of an item follows from."""

    number: int
    kind: ItemKind
    significance: float
    learnt: str
    recalled: int = 0
    recalled_at: str | None = None


def strength(item: Fading, *, now: str) -> float:
    """Return significance/10 * 2^(-age/half-life), between 0 and 1.

    The age counts from the last recall or, without one, from learning; the half-life in days is
    `HALF_LIFE_DAYS[kind] * 2^min(recalled, 6)`. What lies in the future has not faded.
    """
    days = max(0.0, seconds_between(item.recalled_at or item.learnt, now) / _DAY)
    half_life = HALF_LIFE_DAYS[item.kind] * 2.0 ** min(item.recalled, MOST_DOUBLINGS)
    return float(item.significance / 10 * 2.0 ** (-days / half_life))
