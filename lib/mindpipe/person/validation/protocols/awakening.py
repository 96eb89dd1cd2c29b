"""Cortisol after waking: rows 1, 2, 6 and 31."""

from mindpipe.person.validation.courses import Courses
from mindpipe.person.validation.judging import Figures

WAKE_H, EARLY_H, NAP_END_H = 7.0, 4.0, 19.0
_CORTISOL = "cortisol_nmol_l"


def rise(courses: Courses) -> Figures:
    """Measure how far cortisol rises over its level at waking, and after how many minutes."""
    after = courses["woken"].between(_CORTISOL, WAKE_H, WAKE_H + 1.5)
    hour, peak = after.peak()
    return {
        "rise_percent": 100 * (peak / float(after.values[0]) - 1),
        "minutes": 60 * (hour - WAKE_H),
    }


def latency(courses: Courses) -> Figures:
    """Measure the highest rise within ten minutes of waking."""
    after = courses["woken"].between(_CORTISOL, WAKE_H, WAKE_H + 1 / 6)
    return {"rise_percent": 100 * (after.peak()[1] / float(after.values[0]) - 1)}


def nap(courses: Courses) -> Figures:
    """Measure what cortisol has more after a nap than without one."""
    hours = (NAP_END_H, NAP_END_H + 1.5)
    napped = courses["napping"].between(_CORTISOL, *hours)
    more = napped.minus(courses["woken"].between(_CORTISOL, *hours))
    return {"excess_nmol_l": max(0.0, more.peak()[1])}


def hour_of_waking(courses: Courses) -> Figures:
    """Measure the awakening responses at 4:00 and at 7:00 over a day without either."""
    found = {}
    for name, trial, wake in (
        ("early_nmol_l", "woken early", EARLY_H),
        ("usual_nmol_l", "woken", WAKE_H),
    ):
        response = courses[trial].between(_CORTISOL, wake, wake + 1.5)
        # On the next day both stay awake, so that its curve has no response.
        without = courses[trial].between(_CORTISOL, wake + 24, wake + 25.5)
        found[name] = float((response.values - without.values).max())
    smaller = found["early_nmol_l"] < found["usual_nmol_l"]
    return {**found, "smaller": float(smaller)}
