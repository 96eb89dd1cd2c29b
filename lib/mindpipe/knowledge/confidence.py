"""How well an observation is supported: six components and the one formula over them.

    clamp01(0.28 + 0.22 min(ln(1+n)/ln 7, 1) + 0.18 min(d/4, 1) + 0.20 min(S/4, 1)
            + 0.12 r + 0.12 c - 0.35 min(C/3, 1))

n is the number of supporting sources, d of their distinct kinds, S and C the weight of support and
of contradiction, r how recent the support is and c whether the operator confirmed it. Support never
lowers it, contradiction never raises it, and contradicting evidence is no diversity.
"""

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple

from mindpipe.core.instants import seconds_between
from mindpipe.knowledge.records import Components, Evidence

BASE = 0.28
RECENT_DAYS = 60.0
LEAST_RECENCY = 0.1
NEVER_SUPPORTED = 0.35
DAY_SECONDS = 86_400.0

Name = Literal[
    "source_count",
    "source_diversity",
    "support_weight",
    "recency_weight",
    "operator_confirmed_boost",
    "contradiction_weight",
]
_WEIGHTS: dict[Name, float] = {
    "source_count": 0.22,
    "source_diversity": 0.18,
    "support_weight": 0.20,
    "recency_weight": 0.12,
    "operator_confirmed_boost": 0.12,
    "contradiction_weight": -0.35,
}
_WORDS = ((0.8, "high"), (0.6, "good"), (0.4, "fair"), (0.0, "low"))


class Part(NamedTuple):
    """One component: as it was counted, as a share of 0 to 1, and the points that it gives."""

    name: Name
    value: float
    share: float
    points: float


def components_of(
    evidence: Iterable[Evidence], *, now: str, confirmed: bool = False, reinforced: float = 0.0
) -> Components:
    """Return what the confidence in a claim is made of; the order of the evidence is no matter.

    What is retracted does not count. `reinforced` (0-1) is support weight beyond the evidence's.
    A source that is linked twice is one source.
    """
    counted = [one for one in evidence if one.retracted is None]
    support = [one for one in counted if one.stance == "support"]
    sources = {(one.source, one.ref) for one in support}
    return Components(
        source_count=len(sources),
        source_diversity=len({source for source, _ in sources}),
        support_weight=math.fsum([*(one.weight for one in support), reinforced]),
        contradiction_weight=math.fsum(one.weight for one in counted if one.stance == "contradict"),
        recency_weight=recency(max((one.at for one in support), default=None), now=now),
        operator_confirmed_boost=1.0 if confirmed else 0.0,
    )


def recency(last_supported_at: str | None, *, now: str) -> float:
    """Return clamp(1 - age in days/60, 0.1, 1), or 0.35 for what was never supported.

    It is rounded to six places, so that it reads well where it stands.
    """
    if last_supported_at is None:
        return NEVER_SUPPORTED
    days = seconds_between(last_supported_at, now) / DAY_SECONDS
    return round(min(max(1.0 - days / RECENT_DAYS, LEAST_RECENCY), 1.0), 6)


def parts_of(components: Components) -> tuple[Part, ...]:
    """Return every component with its share and its points, in the order of the formula."""
    shares: dict[Name, tuple[float, float]] = {
        "source_count": (
            components.source_count,
            math.log1p(components.source_count) / math.log(7),
        ),
        "source_diversity": (components.source_diversity, components.source_diversity / 4),
        "support_weight": (components.support_weight, components.support_weight / 4),
        "recency_weight": (components.recency_weight, components.recency_weight),
        "operator_confirmed_boost": (
            components.operator_confirmed_boost,
            components.operator_confirmed_boost,
        ),
        "contradiction_weight": (
            components.contradiction_weight,
            components.contradiction_weight / 3,
        ),
    }
    return tuple(
        Part(name, value, min(share, 1.0), _WEIGHTS[name] * min(share, 1.0))
        for name, (value, share) in shares.items()
    )


def confidence_of(components: Components) -> float:
    """Return the confidence of 0 to 1, rounded to six places so that every machine agrees."""
    points = math.fsum([BASE, *(part.points for part in parts_of(components))])
    return round(min(max(points, 0.0), 1.0), 6)


def word_of(confidence: float) -> str:
    """Return a confidence in one word: high from 0.8 on, good from 0.6, fair from 0.4, else low."""
    return next(word for least, word in _WORDS if confidence >= least)
