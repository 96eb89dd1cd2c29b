"""Traits and chronotypes of persons who are made in great numbers, drawn by seed and id."""

import math
from statistics import NormalDist
from typing import NamedTuple

from mindpipe.person.chance import BITS, key_of, whole
from mindpipe.person.records.person import Traits

STREAM = 6
"""The stream of chance that traits are drawn from, at 0 µs: slots 0 to 4, and 5 for chronotype."""
MEAN, SPREAD = 0.5, 0.17
CHRONOTYPE_SPREAD_H, CHRONOTYPE_MOST_H = 0.7, 2.5
_NORMAL = NormalDist()


class Drawn(NamedTuple):
    """What a generated person is born with: traits, and a chronotype in hours."""

    traits: Traits
    chronotype_h: float


def drawn(seed: int, person: str) -> Drawn:
    """Return what a person of this id is born with: normal draws, clipped (section 10, chosen).

    Traits have mean 0.5 and standard deviation 0.17 between 0 and 1, chronotypes mean 0 and 0.7 h
    between -2.5 and 2.5 h.
    """
    o, c, e, a, n, late = normals(seed, person)
    o, c, e, a, n = (min(max(MEAN + SPREAD * one, 0.0), 1.0) for one in (o, c, e, a, n))
    hours = min(max(CHRONOTYPE_SPREAD_H * late, -CHRONOTYPE_MOST_H), CHRONOTYPE_MOST_H)
    return Drawn(Traits(o=o, c=c, e=e, a=a, n=n), hours)


def normals(seed: int, person: str) -> list[float]:
    """Return the six standard normal draws of a person."""
    key = key_of(seed, person)
    return [
        _NORMAL.inv_cdf(math.ldexp(whole(key, 0, STREAM, slot) + 0.5, -BITS)) for slot in range(6)
    ]
