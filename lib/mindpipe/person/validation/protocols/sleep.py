"""Sleep, its need and alertness: rows 13, 14, 24, 25 and 30."""

from itertools import pairwise
from statistics import mean

from mindpipe.person.validation.figures import Courses, Figures
from mindpipe.person.validation.witness import curve

RESERVE = 9.7385
"""The alertness reserve at midnight of day 0, asleep."""
_SWITCHES = tuple(24.0 * day + hour for day in range(5) for hour in (7, 23))
_WAKE_H, _LONG_END_H = 127.0, 160.0
_AWAKE_H = 7 + 1 / 60
"""When somebody with its own habits wakes on day 0."""


def pressure(courses: Courses) -> Figures:
    """Measure sleep pressure on a schedule of 16 hours and 8, and after 24 hours awake."""
    course = courses["scheduled"]
    evening, morning, later = (
        course.value("sleep_pressure", hour) for hour in (119.0, 127.0, 151.0)
    )
    return {"evening": evening, "morning": morning, "awake_24_h": later}


def alertness(courses: Courses) -> Figures:
    """Measure how far alertness is from the three-process model over five days and 40 hours."""
    course = courses["scheduled"]
    read = course.between("alertness", 0, _WAKE_H + 40)
    expected = curve(RESERVE, (*_SWITCHES, _WAKE_H), read.hours.tolist())
    apart = [
        abs(value - known)
        for value, known in zip(read.values.tolist(), expected, strict=True)
        if known is not None
    ]
    return {"most_units_apart": max(apart)}


def free_running(courses: Courses) -> Figures:
    """Measure the sleep of two weeks: how long, from when on, and how far it drifts a day."""
    nights = courses["alone"].sleeps()
    onsets = [(began + 12) % 24 + 12 for began, _ in nights]
    steps = [later - earlier for earlier, later in pairwise(onsets)]
    return {
        "sleep_h": mean(ended - began for began, ended in nights),
        "onset_h": mean(onsets),
        "drift_min": 60 * abs(mean(steps)),
        "nights": float(len(nights)),
    }


def after_loss(courses: Courses) -> Figures:
    """Measure the sleep after 40 hours awake beside the usual one, and what of the loss it pays."""
    began, ended = courses["awake"].sleeps()[0]
    usual = mean(last - first for first, last in courses["alone"].sleeps())
    more = (ended - began) - usual
    return {
        "longer_min": 60 * more,
        "longer": float(more > 0),
        "repaid_percent": 100 * more / usual,
    }


def sleepiness(courses: Courses) -> Figures:
    """Measure sleepiness on the Karolinska scale after 24 hours awake."""
    return {"kss": courses["awake"].value("kss", _AWAKE_H + 24)}
