"""Which memories come back: important ones, strong ones, and those of a body like the present."""

from collections.abc import Iterable
from math import sqrt

from mindpipe.person.records.state import Readouts
from mindpipe.person.records.thought import Memory, Snapshot

IMPORTANCE, SIMILARITY, INTENSITY = 0.35, 0.35, 0.30
"""The weights of a memory's score; they are those of the founding requirements."""
MOST = 5
DIMENSIONS = ("arousal", "valence", "body_temp_c", "pain", "fatigue", "hunger")
COLDEST_C, RANGE_C = 35.0, 5.0

Point = tuple[float | None, ...]
"""The six dimensions, each from 0 to 1, or None where one is missing."""


def snapshot_of(read: Readouts) -> Snapshot:
    """Return the six dimensions of whole readouts."""
    return Snapshot(
        arousal=read.arousal,
        valence=read.valence,
        body_temp_c=read.core_temp_c,
        pain=read.pain,
        fatigue=read.fatigue,
        hunger=read.hunger,
    )


def point_of(snapshot: Snapshot) -> Point:
    """Return the dimensions of a snapshot as shares; valence is -1 to 1, temperature in °C."""
    valence, warmth = snapshot.valence, snapshot.body_temp_c
    return (
        snapshot.arousal,
        None if valence is None else (valence + 1.0) / 2.0,
        None if warmth is None else min(1.0, max(0.0, (warmth - COLDEST_C) / RANGE_C)),
        snapshot.pain,
        snapshot.fatigue,
        snapshot.hunger,
    )


def similarity(query: Point, point: Point) -> float:
    """Return how alike two bodies are: 1 where they are the same, 0 in opposite corners.

    Dimensions that `point` lacks are left out; without any the two are not alike at all.
    """
    total, known = 0.0, 0
    for a, b in zip(query, point, strict=True):
        if a is not None and b is not None:
            total += (a - b) ** 2
            known += 1
    return 1.0 - sqrt(total / known) if known else 0.0


class ContextSelector:
    """Chooses at most `most` memories for a prompt, best first.

    `incomplete` counts the memories of the latest choice that lack a dimension.
    """

    def __init__(self, *, most: int = MOST) -> None:
        self.incomplete = 0
        self._most = most
        self._points: dict[str, tuple[Snapshot, Point]] = {}

    def select(
        self, query: Snapshot, memories: Iterable[Memory], *, shown: Iterable[str] = ()
    ) -> list[Memory]:
        """Return the memories of the highest score; of equal ones newer first, then by id.

        Args:
            query: The present body, whole.
            memories: All that is remembered.
            shown: Ids of thoughts whose memories would only say again what is said anyway.

        Raises:
            ValueError: the query lacks a dimension.
        """
        if missing := [name for name in DIMENSIONS if getattr(query, name) is None]:
            raise ValueError(f"the present body lacks {missing[0]}, which memories are chosen by")
        left_out, now = frozenset(shown), point_of(query)
        self.incomplete = 0
        ranked: list[tuple[float, int, str, Memory]] = []
        for memory in memories:
            if memory.thought in left_out:
                continue
            point = self._point(memory)
            self.incomplete += None in point
            ranked.append((-score(memory, similarity(now, point)), -memory.t_us, memory.id, memory))
        ranked.sort(key=lambda one: one[:3])
        return [memory for *_, memory in ranked[: self._most]]

    def _point(self, memory: Memory) -> Point:
        """Return the point of a memory, which is computed once."""
        known = self._points.get(memory.id)
        if known is None or known[0] is not memory.snapshot:
            known = self._points[memory.id] = (memory.snapshot, point_of(memory.snapshot))
        return known[1]


def score(memory: Memory, alike: float) -> float:
    """Return the score of a memory, from 0 to 1, for a likeness of bodies from 0 to 1."""
    return IMPORTANCE * memory.importance + SIMILARITY * alike + INTENSITY * abs(memory.valence)
