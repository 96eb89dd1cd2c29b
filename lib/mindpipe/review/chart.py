"""Keep the chart of a person, look by look: its nights, its days, its meals and how it feels."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

import msgspec

from mindpipe.person.records.event import HOUR_US, MINUTE_US
from mindpipe.review.records import (
    Chart,
    ChartDay,
    ChartLook,
    ChartMark,
    ChartNight,
    ObservedState,
)

DAY_US = 24 * HOUR_US
LOOKS, NIGHTS, DAYS = 18, 14, 9
"""How many of the latest of each are kept; looks are ten minutes apart."""
SMOOTH = 3
"""So many looks together say how somebody feels."""
MARKS_US = 9 * DAY_US
"""For how long it is known when something was noted."""
SAME_NIGHT_US = 90 * MINUTE_US
"""Who is awake for less than this and sleeps again has the same night."""
NAP_US, NIGHT_US = 45 * MINUTE_US, 3 * HOUR_US
"""The least sleep that counts at all, and as a night."""
LOW, NOT_LOW = -0.3, -0.15
"""The mood from which on it counts as low, and until which it does."""


def charted(chart: Chart, seen: ObservedState) -> Chart:
    """Return a chart with one more look at the person."""
    chart = _with_sleep(chart, seen)
    chart = _with_meal(chart, seen)
    if seen.awake:
        chart = _with_feelings(chart, seen)
    marks = tuple(mark for mark in chart.marks if mark.t_us > seen.t_us - MARKS_US)
    return msgspec.structs.replace(chart, looked_us=seen.t_us, marks=marks)


def marked(chart: Chart, subject: str, t_us: int, value: float = 0.0) -> Chart:
    """Return a chart on which something is noted, in the place of any earlier mark of it."""
    marks = tuple(mark for mark in chart.marks if mark.subject != subject)
    mark = ChartMark(subject=subject, t_us=t_us, value=value)
    return msgspec.structs.replace(chart, marks=(*marks, mark))


def mark_of(chart: Chart, subject: str) -> ChartMark | None:
    """Return the latest mark of something, if there is one."""
    return next((mark for mark in chart.marks if mark.subject == subject), None)


class Feelings(NamedTuple):
    """How somebody feels over some looks, or over a day."""

    valence: float
    arousal: float
    energy: float


def present(chart: Chart) -> Feelings | None:
    """Return how the person feels over the latest looks, None where it was not seen awake."""
    return mean_of(chart.looks[-SMOOTH:])


def mean_of(looks: Sequence[ChartLook]) -> Feelings | None:
    """Return the mean of some looks, None without any."""
    if not looks:
        return None
    return Feelings(
        fmean(look.valence for look in looks),
        fmean(look.arousal for look in looks),
        fmean(look.energy for look in looks),
    )


def day_of(chart: Chart, day: int) -> Feelings | None:
    """Return how a person felt over a day, None where it was hardly seen."""
    found = next((one for one in chart.days if one.day == day), None)
    if found is None or found.looks < LOOKS:
        return None
    return Feelings(
        found.valence / found.looks, found.arousal / found.looks, found.energy / found.looks
    )


def usual_sleep_us(chart: Chart) -> float | None:
    """Return how long the nights before the latest one were in the mean, None without any."""
    before = [one.slept_us for one in chart.nights[:-1] if one.slept_us >= NIGHT_US]
    return fmean(before[-7:]) if before else None


def usual_bedtime_us(chart: Chart) -> int | None:
    """Return when the nights before the latest one began, as a time since midnight."""
    before = [one.asleep_us for one in chart.nights[:-1] if one.slept_us >= NIGHT_US]
    if not before:
        return None
    # Bedtimes are around midnight, so they are averaged as distances from the latest of them.
    first = before[-1] % DAY_US
    return (first + round(fmean(clock_distance(one, first) for one in before[-7:]))) % DAY_US


def clock_distance(t_us: int, other_us: int) -> int:
    """Return by how much one time of day is later than another one, at most half a day."""
    return (t_us - other_us + DAY_US // 2) % DAY_US - DAY_US // 2


def _with_sleep(chart: Chart, seen: ObservedState) -> Chart:
    """Return a chart with what a look shows of sleep."""
    since_us, night = seen.since_us, chart.night
    if since_us is None or since_us == chart.since_us:
        return chart
    if not seen.awake:
        slept = _night_from(chart, since_us)
        nights = tuple(one for one in chart.nights if one.asleep_us != slept.asleep_us)
        return msgspec.structs.replace(chart, night=slept, nights=nights, since_us=since_us)
    if night is None:
        return msgspec.structs.replace(chart, since_us=since_us)
    slept_us = night.slept_us + max(0, since_us - night.awake_us)
    night = msgspec.structs.replace(night, awake_us=since_us, slept_us=slept_us)
    nights = (*chart.nights, night) if slept_us >= NAP_US else chart.nights
    return msgspec.structs.replace(chart, night=None, nights=nights[-NIGHTS:], since_us=since_us)


def _night_from(chart: Chart, since_us: int) -> ChartNight:
    """Return the night of who sleeps since an instant: one that was interrupted, or a new one."""
    if chart.night is not None:  # it woke and slept again between two looks
        slept_us = chart.night.slept_us + since_us - chart.night.awake_us
        night = msgspec.structs.replace(chart.night, slept_us=slept_us)
    elif chart.nights and since_us - chart.nights[-1].awake_us <= SAME_NIGHT_US:
        night = chart.nights[-1]
    else:
        return ChartNight(asleep_us=since_us, awake_us=since_us, slept_us=0)
    return msgspec.structs.replace(night, breaks=night.breaks + 1, awake_us=since_us)


def _with_meal(chart: Chart, seen: ObservedState) -> Chart:
    """Return a chart with a meal that was eaten since the last look."""
    meal_us = seen.last_meal_us
    if meal_us is None or meal_us == chart.last_meal_us:
        return chart
    chart = msgspec.structs.replace(chart, last_meal_us=meal_us)
    if chart.looked_us is None or meal_us <= chart.looked_us:
        return chart
    day = _day(chart, _number_of(seen))
    return _with_day(chart, msgspec.structs.replace(day, meals=day.meals + 1))


def _with_feelings(chart: Chart, seen: ObservedState) -> Chart:
    """Return a chart with how a waking person feels; without the instruments it stays."""
    valence, arousal, energy = seen.valence, seen.arousal, seen.energy
    if valence is None or arousal is None or energy is None:
        return chart
    look = ChartLook(t_us=seen.t_us, valence=valence, arousal=arousal, energy=energy)
    day = _day(chart, _number_of(seen))
    day = msgspec.structs.replace(
        day,
        looks=day.looks + 1,
        valence=day.valence + valence,
        arousal=day.arousal + arousal,
        energy=day.energy + energy,
        isolation=day.isolation + (seen.isolation or 0.0),
    )
    chart = msgspec.structs.replace(chart, looks=(*chart.looks, look)[-LOOKS:])
    now, low_us = present(chart), chart.low_us
    if now is not None and now.valence < LOW and low_us is None:
        low_us = seen.t_us
    elif now is not None and now.valence > NOT_LOW:
        low_us = None
    return _with_day(msgspec.structs.replace(chart, low_us=low_us), day)


def _number_of(seen: ObservedState) -> int:
    """Return which day it is for a person: the one on which it woke, however late it is."""
    instant = seen.since_us if seen.awake and seen.since_us is not None else seen.t_us
    return max(instant, seen.t_us - DAY_US) // DAY_US


def _day(chart: Chart, day: int) -> ChartDay:
    """Return what is known of a day."""
    return next((one for one in chart.days if one.day == day), ChartDay(day=day))


def _with_day(chart: Chart, day: ChartDay) -> Chart:
    """Return a chart with one day as it is now."""
    days = sorted((*(one for one in chart.days if one.day != day.day), day), key=_number)
    return msgspec.structs.replace(chart, days=tuple(days[-DAYS:]))


def _number(day: ChartDay) -> int:
    return day.day
