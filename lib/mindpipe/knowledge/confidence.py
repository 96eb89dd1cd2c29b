"""How sure and how fresh a belief is, part by part."""

import math
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import later, seconds_between
from mindpipe.core.sources import joined
from mindpipe.core.text import did_you_mean
from mindpipe.knowledge.records import BeliefStatus, Components, Evidence, Kind, Observation
from mindpipe.language.records import Meant

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


class ConfidencePart(NamedTuple):
    """One component: as it was counted, as a share of 0 to 1, and the points that it gives."""

    name: Name
    value: float
    share: float
    points: float


UNTRUSTED = 0.5
"""What a word counts that nobody vouches for, beside one of a trusted source."""


def trust_of(evidence: Evidence) -> float:
    """Return what the source of evidence counts: 1 where somebody vouches for it."""
    return UNTRUSTED if evidence.sources else 1.0


def weight_of(evidence: Evidence) -> float:
    """Return what evidence weighs, by the trust that travels with it.

    Hearsay is never weighed against a person's own word, so that authority is no factor here.
    """
    return evidence.weight * trust_of(evidence)


def components_of(
    evidence: Iterable[Evidence], *, now: str, confirmed: bool = False, reinforced: float = 0.0
) -> Components:
    """Return what the confidence in a claim is made of; the order of the evidence is no matter.

    What is retracted does not count, and what nobody vouches for counts half. `reinforced` (0-1) is
    support weight beyond the evidence's. A source that is linked twice is one source.
    """
    counted = [one for one in evidence if one.retracted is None]
    support = [one for one in counted if one.stance == "support"]
    sources = {(one.source, one.ref) for one in support}
    return Components(
        source_count=len(sources),
        source_diversity=len({source for source, _ in sources}),
        support_weight=math.fsum([*map(weight_of, support), reinforced]),
        contradiction_weight=math.fsum(
            weight_of(one) for one in counted if one.stance == "contradict"
        ),
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


def parts_of(components: Components) -> tuple[ConfidencePart, ...]:
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
        ConfidencePart(name, value, min(share, 1.0), _WEIGHTS[name] * min(share, 1.0))
        for name, (value, share) in shares.items()
    )


def confidence_of(components: Components) -> float:
    """Return the confidence of 0 to 1, rounded to six places so that every machine agrees."""
    points = math.fsum([BASE, *(part.points for part in parts_of(components))])
    return round(min(max(points, 0.0), 1.0), 6)


def standing_of(components: Components) -> float:
    """Return the confidence that the evidence would give today if it were new.

    How old it is, freshness tells by its window; recency counts the same days for all.
    """
    return confidence_of(msgspec.structs.replace(components, recency_weight=1.0))


def word_of(confidence: float) -> str:
    """Return a confidence in one word: high from 0.8 on, good from 0.6, fair from 0.4, else low."""
    return next(word for least, word in _WORDS if confidence >= least)


STALE_BELOW = 0.5
AHEAD_DAYS = 1.0
"""So far ahead may lie what somebody said by another clock."""
CONTRADICTED = 0.2
MOST_DAYS = 36_500.0

Windows = Mapping[Kind, float]
"""Days per kind."""

WINDOWS: Windows = {
    "operator_preference": 30.0,
    "project_state": 7.0,
    "world_fact": 90.0,
    "self_model": 14.0,
    "relationship_fact": 60.0,
    "tooling_state": 3.0,
}


def changed_windows(setting: str | None) -> Windows:
    """Return the windows with those of a setting, e.g. `tooling_state=1 world_fact=365`.

    Raises:
        UsageError: an entry is no KIND=DAYS of more than 0 and at most 36,500 days.
    """
    found: dict[Kind, float] = dict(WINDOWS)
    kinds: dict[str, Kind] = {kind: kind for kind in found}
    for entry in (setting or "").replace(",", " ").split():
        name, _, days = entry.partition("=")
        if (kind := kinds.get(name)) is None:
            near = did_you_mean(name, kinds)
            raise UsageError(
                f'knowledge.windows: no kind "{name}"; {near}there are {", ".join(kinds)}.'
            )
        found[kind] = _days(entry, days)
    return found


def _days(entry: str, text: str) -> float:
    """Return a number of days; raises UsageError if it is none."""
    try:
        days = float(text)
    except ValueError:
        days = 0.0
    if not 0.0 < days <= MOST_DAYS:
        raise UsageError(
            f'knowledge.windows: "{entry}" is no KIND=DAYS; write it like self_model=7.'
        )
    return days


DOUBTED_BY = "it sounds as though it were over"
DOUBTS: dict[Meant, str] = {
    "ended": DOUBTED_BY,
    "denied": "it was called wrong",
    "planned": "the day has come from which it was to be otherwise",
}
"""How evidence is meant that puts in doubt what it is linked to, and what is said of that."""


def doubt_by(evidence: Evidence) -> str | None:
    """Return by what evidence puts in doubt what it is linked to, None where it does not."""
    said = (evidence.stance, evidence.value, evidence.retracted)
    if said != ("context", None, None) or evidence.meant is None:
        return None
    return DOUBTS.get(evidence.meant)


LASTING_WINDOWS = 8.0
"""Windows of its kind for which what lasts is as fresh as other things are for one."""
LASTING = frozenset(
    {
        "allergy", "birthday", "children", "diet", "eats", "favourite", "hobby", "hometown",
        "name", "nationality", "partner", "pet", "relation", "skill", "spouse", "taste",
    }
)  # fmt: skip
"""Slots of what lasts for years, whoever moves or takes another job: no brother expires."""


def window_of(observation: Observation, windows: Windows) -> float:
    """Return the days of the window of an observation: that of its kind, or longer if it lasts."""
    return windows[observation.kind] * windows_in(observation)


def windows_in(observation: Observation) -> float:
    """Return how many windows of its kind an observation has, more than one if it lasts."""
    return LASTING_WINDOWS if observation.slot.partition(".")[0] in LASTING else 1.0


def is_doubted(observation: Observation) -> bool:
    """Tell whether it sounded as though it were over since it was last supported."""
    since = observation.last_supported_at or ""
    return any(doubt_by(one) and one.at > since for one in observation.evidence)


def freshness_of(
    last_supported_at: str | None, *, contradicted_at: str | None, now: str, window: float
) -> float:
    """Return the freshness of 0 to 1, rounded to six places; 0 for what was never supported.

    It is 0, too, until the day of what is of more than a day ahead: a clock that was set forward
    once let it begin.
    """
    if last_supported_at is None:
        return 0.0
    age = seconds_between(last_supported_at, now) / DAY_SECONDS
    if age < -AHEAD_DAYS:
        return 0.0
    age = max(age, 0.0)
    contradicted = contradicted_at is not None and contradicted_at > last_supported_at
    fresh = 1.0 - age / (2.0 * window) - (CONTRADICTED if contradicted else 0.0)
    return round(min(max(fresh, 0.0), 1.0), 6)


def due_at(last_supported_at: str, *, window: float) -> str:
    """Return when an observation is to be revalidated: a window after it was last supported."""
    return later(last_supported_at, seconds=window * DAY_SECONDS)


def settled(observation: Observation, *, now: str, windows: Windows) -> Observation:
    """Return an observation with all that follows from its evidence as of `now`.

    These are components, confidence, freshness, when it was last supported and contradicted, when
    it is due, and its untrusted sources, to which those of its support are joined. Its status is
    for others to decide. Evidence is put into one order, so that the order given is no matter.
    """
    evidence = tuple(sorted(observation.evidence, key=_place))
    counted = [one for one in evidence if one.retracted is None]
    supports = [one for one in counted if one.stance == "support"]
    last = max((one.at for one in supports), default=None)
    against = max((one.at for one in counted if one.stance == "contradict"), default=None)
    made = msgspec.structs.replace(
        observation,
        evidence=evidence,
        components=components_of(
            counted,
            now=now,
            confirmed=observation.operator_confirmed,
            reinforced=observation.reinforced,
        ),
        last_supported_at=last,
        contradicted_at=against,
        revalidation_due_at=due_at(
            last or observation.learnt, window=window_of(observation, windows)
        ),
        sources=joined(observation.sources, *(one.sources for one in supports)),
    )
    return aged(made, now=now, windows=windows)


def aged(observation: Observation, *, now: str, windows: Windows) -> Observation:
    """Return an observation with its confidence and freshness as of `now`, evidence unchanged."""
    components = msgspec.structs.replace(
        observation.components, recency_weight=recency(observation.last_supported_at, now=now)
    )
    return msgspec.structs.replace(
        observation,
        components=components,
        confidence=confidence_of(components),
        freshness=freshness_of(
            observation.last_supported_at,
            contradicted_at=observation.contradicted_at,
            now=now,
            window=window_of(observation, windows),
        ),
    )


def is_old(observation: Observation) -> bool:
    """Tell whether nobody ended what is held, and it is too old for a prompt to state it."""
    return (
        observation.status is BeliefStatus.ACTIVE
        and not observation.pinned
        and observation.freshness < STALE_BELOW
    )


def _place(evidence: Evidence) -> tuple[str, str, str, str]:
    """Return where a piece of evidence stands among others: by time, then by what it is."""
    return (evidence.at, evidence.source, evidence.ref, evidence.stance)
