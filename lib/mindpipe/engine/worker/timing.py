"""How long a loop pauses between two iterations, and when its slow rhythms beat; pure.

pause = base x arrival factor x queue factor x load factor x mode factor, within bounds. The mode
factor is the mode's own interval over the base. Queue and load count as moving averages, which
start at their first value. Something urgent leaves no pause at all.

The slow rhythms are consolidation and development; the fast one is that of the observers, the
cognitive one that of the cycles.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from mindpipe.core.instants import seconds_between
from mindpipe.core.records import Positive, Record
from mindpipe.core.text import counted
from mindpipe.engine.worker.checkpoints import CONSOLIDATED, DEVELOPED
from mindpipe.workers.records import Checkpoint, LoopMode

INTERVALS: Mapping[LoopMode, float] = {
    LoopMode.NORMAL: 2.0,
    LoopMode.DEEP_FOCUS: 10.0,
    LoopMode.EXPLORATION: 5.0,
    LoopMode.OVERLOAD: 0.5,
    LoopMode.SLEEP: 60.0,
}
"""The pause of each mode from which timing starts, in seconds."""

RATE_WINDOW = 10.0
"""Arrivals are counted over so many seconds."""

_MANY, _SOME, _FEW = 10.0, 1.0, 0.1
_LONG_QUEUE, _QUEUE, _SHORT_QUEUE = 50.0, 20.0, 5.0
_SLOW, _FAST = 5.0, 0.5

Bound = Literal["formula", "least", "most", "urgent"]


class TimingRules(Record):
    """Bounds and intervals in seconds; `smoothing` (0-1) is the newest value's weight in averages.

    A mode without an interval of its own has the base.
    """

    least: float = 0.1
    most: float = 300.0
    base: float = 2.0
    smoothing: float = 0.3
    intervals: Mapping[LoopMode, float] = msgspec.field(default_factory=lambda: INTERVALS)


class Load(NamedTuple):
    """What a pause depends on: arrivals a second, moving averages of queue and of seconds.

    An average that has no value yet changes nothing, as does a rate of which nothing is known.
    """

    mode: LoopMode
    rate: float | None = None
    mean_queue: float | None = None
    mean_seconds: float | None = None
    urgent: bool = False


class LoopPace(Record):
    """A pause in seconds and how it came about: each value with its factor.

    `product` is what the formula gives, `by` what decided: the formula, a bound, or urgency.
    """

    mode: LoopMode
    base: float
    rate: float | None
    rate_factor: float
    mean_queue: float | None
    queue_factor: float
    mean_seconds: float | None
    load_factor: float
    mode_factor: float
    product: float
    seconds: float
    by: Bound


def pace(load: Load, rules: TimingRules) -> LoopPace:
    """Return the pause that follows an iteration, with every factor."""
    of_rate, of_queue = rate_factor(load.rate), queue_factor(load.mean_queue)
    of_load = load_factor(load.mean_seconds)
    of_mode = rules.intervals.get(load.mode, rules.base) / rules.base
    product = rules.base * of_rate * of_queue * of_load * of_mode
    seconds, by = _bounded(product, rules)
    return LoopPace(
        mode=load.mode,
        base=rules.base,
        rate=load.rate,
        rate_factor=of_rate,
        mean_queue=load.mean_queue,
        queue_factor=of_queue,
        mean_seconds=load.mean_seconds,
        load_factor=of_load,
        mode_factor=of_mode,
        product=product,
        seconds=0.0 if load.urgent else seconds,
        by="urgent" if load.urgent else by,
    )


def rate_factor(rate: float | None) -> float:
    """Return the factor of arrivals: more events a second, shorter pauses."""
    if rate is None:
        return 1.0
    if rate > _MANY:
        return 0.5
    if rate > _SOME:
        return 0.8
    return 2.0 if rate < _FEW else 1.0


def queue_factor(mean_queue: float | None) -> float:
    """Return the factor of what waits: more events, shorter pauses."""
    if mean_queue is None:
        return 1.0
    if mean_queue > _LONG_QUEUE:
        return 0.3
    if mean_queue > _QUEUE:
        return 0.6
    return 1.5 if mean_queue < _SHORT_QUEUE else 1.0


def load_factor(mean_seconds: float | None) -> float:
    """Return the factor of load: the longer iterations take, the longer are the pauses."""
    if mean_seconds is None:
        return 1.0
    if mean_seconds > _SLOW:
        return 1.5
    return 0.8 if mean_seconds < _FAST else 1.0


def _bounded(seconds: float, rules: TimingRules) -> tuple[float, Bound]:
    """Return a pause within its bounds, and which of them it met."""
    if seconds < rules.least:
        return rules.least, "least"
    if seconds > rules.most:
        return rules.most, "most"
    return seconds, "formula"


DAY = 86_400.0


class RhythmRules(Record):
    """Consolidation comes every so many cycles or after so many idle seconds, development daily."""

    every: Positive = 20
    idle_seconds: float = 300.0
    developing_seconds: float = DAY


class RhythmsDue(NamedTuple):
    """Which slow rhythm is due, by the outcome of its iteration, and why."""

    beat: str
    why: str


def due(
    session: Checkpoint, *, idle_seconds: float, now: str, rules: RhythmRules
) -> RhythmsDue | None:
    """Return the slow rhythm that is due after so many idle seconds, or None."""
    why = consolidation(session, idle_seconds=idle_seconds, rules=rules)
    if why is not None:
        return RhythmsDue(CONSOLIDATED, why)
    why = development(session, now=now, rules=rules)
    return None if why is None else RhythmsDue(DEVELOPED, why)


def consolidation(session: Checkpoint, *, idle_seconds: float, rules: RhythmRules) -> str | None:
    """Return why memory is to be consolidated now, or None; without a new cycle it never is."""
    if session.since_consolidation >= rules.every:
        return f"{counted(session.since_consolidation, 'cycle')} since the last"
    if session.since_consolidation and idle_seconds >= rules.idle_seconds:
        return f"idle for {idle_seconds:.0f} s"
    return None


def development(session: Checkpoint, *, now: str, rules: RhythmRules) -> str | None:
    """Return why the agent is to develop now, or None: a day has passed since the last time.

    A clock that was set back before the last time counts as a day.
    """
    last = session.developed or session.began
    if not last:
        return None
    passed = seconds_between(last, now)
    return None if 0.0 <= passed < rules.developing_seconds else f"the last time was {last}"


def develops_in(session: Checkpoint, *, now: str, rules: RhythmRules) -> float | None:
    """Return in how many seconds the agent is to develop, None where its first life begins."""
    last = session.developed or session.began
    return rules.developing_seconds - seconds_between(last, now) if last else None


def idle_until(session: Checkpoint, rules: RhythmRules) -> float | None:
    """Return after how many idle seconds memory is consolidated, None where nothing is new."""
    return rules.idle_seconds if session.since_consolidation else None
