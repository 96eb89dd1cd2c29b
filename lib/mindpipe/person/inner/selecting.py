"""Which memories come back: important ones, strong ones, and those of a body like the present."""

from collections.abc import Iterable
from heapq import nsmallest
from math import dist, isnan, nan, sqrt
from operator import itemgetter
from typing import NamedTuple

from mindpipe.person.records.state import Readouts
from mindpipe.person.records.thought import Memory, Snapshot

IMPORTANCE, SIMILARITY, INTENSITY = 0.35, 0.35, 0.30
"""The weights of a memory's score; they are those of the founding requirements."""
MOST = 5
MEASURED = 4_000
"""How many memories are measured before all are measured anew, so that forgotten ones go."""
DIMENSIONS = ("arousal", "valence", "body_temp_c", "pain", "fatigue", "hunger")
COLDEST_C, RANGE_C = 35.0, 5.0

Point = tuple[float, ...]
"""The six dimensions, each from 0 to 1, or NaN where one is missing."""


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
    shares = {name: getattr(snapshot, name) for name in DIMENSIONS}
    if (valence := snapshot.valence) is not None:
        shares["valence"] = (valence + 1.0) / 2.0
    if (warmth := snapshot.body_temp_c) is not None:
        shares["body_temp_c"] = min(1.0, max(0.0, (warmth - COLDEST_C) / RANGE_C))
    return tuple(nan if share is None else share for share in shares.values())


def similarity(query: Point, point: Point) -> float:
    """Return how alike two bodies are: 1 where they are the same, 0 in opposite corners.

    Dimensions that one of them lacks are left out; without any the two are not alike at all.
    """
    apart = dist(query, point)
    if not isnan(apart):
        return 1.0 - apart / sqrt(len(point))
    both = [pair for pair in zip(query, point, strict=True) if not isnan(sum(pair))]
    if not both:
        return 0.0
    return similarity(*zip(*both, strict=True))


class ContextSelector:
    """Chooses at most `most` memories for a prompt, best first.

    `incomplete` counts the memories of the latest choice that lack a dimension.
    """

    def __init__(self, *, most: int = MOST) -> None:
        self.incomplete = 0
        self._most = most
        self._measured: dict[str, _Measured] = {}

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
        if len(self._measured) > MEASURED:
            self._measured.clear()
        ranked: list[tuple[float, int, str, Memory]] = []
        for memory in memories:
            if memory.thought in left_out:
                continue
            known = self._measured.get(memory.id)
            if known is None or known.memory is not memory:
                known = self._measured[memory.id] = _measured(memory)
            self.incomplete += not known.whole
            alike = similarity(now, known.point)
            worth = known.important + SIMILARITY * alike + known.intense
            ranked.append((-worth, -memory.t_us, memory.id, memory))
        return [memory for *_, memory in nsmallest(self._most, ranked, key=itemgetter(0, 1, 2))]


class _Measured(NamedTuple):
    """What of a memory's score stays the same, computed once."""

    memory: Memory
    point: Point
    whole: bool
    important: float
    intense: float


def _measured(memory: Memory) -> _Measured:
    """Return what of the score of a memory stays the same."""
    point = point_of(memory.snapshot)
    important, intense = IMPORTANCE * memory.importance, INTENSITY * abs(memory.valence)
    return _Measured(memory, point, not isnan(sum(point)), important, intense)


def score(memory: Memory, alike: float) -> float:
    """Return the score of a memory, from 0 to 1, for a likeness of bodies from 0 to 1."""
    measured = _measured(memory)
    return measured.important + SIMILARITY * alike + measured.intense
