"""Stress before judges and without them: rows 7 to 9, 12, 27 to 29."""

import math

from mindpipe.person.validation.figures import Courses, CurveStretch, Figures

START_H, END_H = 16.0, 16.0 + 1 / 3
RESPONDERS = (0.34, 0.88, 1.0, 0.87, 0.57)
"""Saliva cortisol of nine responders over their level before, by its highest value."""
RESPONDERS_MINUTES = (30, 40, 50, 60, 70)
_CORTISOL, _ADRENALINE, _HEART = "cortisol_nmol_l", "adrenaline_pmol_l", "heart_rate_bpm"


def _over_rest(
    courses: Courses, trial: str, quantity: str, start_h: float = START_H
) -> CurveStretch:
    """Return what a quantity has more than at rest, for three hours from the start on."""
    hours = (start_h, start_h + 3)
    rest = courses["alone"].between(quantity, *hours)
    return courses[trial].between(quantity, *hours).minus(rest)


def peak(courses: Courses) -> Figures:
    """Measure how high cortisol rises, and how many minutes after the end."""
    hour, value = _over_rest(courses, "stressed at 16", _CORTISOL).peak()
    return {"rise_nmol_l": value, "minutes_after_end": 60 * (hour - END_H)}


def recovery(courses: Courses) -> Figures:
    """Measure what of the rise is left 60 and 90 minutes after the end."""
    rise = _over_rest(courses, "stressed at 16", _CORTISOL)
    highest = rise.peak()[1]
    return {
        f"left_percent_at_{minutes}": 100 * rise.at(END_H + minutes / 60) / highest
        for minutes in (60, 90)
    }


def placebo(courses: Courses) -> Figures:
    """Measure the same tasks without judges: cortisol, and adrenaline beside that with judges."""
    calm = _over_rest(courses, "placebo", _ADRENALINE).peak()[1]
    judged = _over_rest(courses, "stressed at 16", _ADRENALINE).peak()[1]
    return {
        "rise_nmol_l": _over_rest(courses, "placebo", _CORTISOL).peak()[1],
        "adrenaline_percent": 100 * calm / judged,
    }


def adrenaline(courses: Courses) -> Figures:
    """Measure how far adrenaline rises over its level at rest."""
    rise = _over_rest(courses, "stressed at 16", _ADRENALINE).peak()[1]
    return {"rise_percent": 100 * rise / courses["alone"].value(_ADRENALINE, START_H)}


def drive(courses: Courses) -> Figures:
    """Measure saliva after half an hour of the whole drive, against responders' curve."""
    course = courses["driven"]
    before = course.value(_CORTISOL, START_H - 1 / 60)
    rises = [
        course.value(_CORTISOL, START_H + minutes / 60) - before for minutes in RESPONDERS_MINUTES
    ]
    errors = [rise / max(rises) - target for rise, target in zip(rises, RESPONDERS, strict=True)]
    return {
        "rmse": math.sqrt(sum(error * error for error in errors) / len(errors)),
        **{
            f"at_{minutes}": rise / max(rises)
            for minutes, rise in zip(RESPONDERS_MINUTES, rises, strict=True)
        },
    }


def clock(courses: Courses) -> Figures:
    """Measure the net rise at 9, 16 and 20 o'clock, and how far they are apart."""
    rises = [
        _over_rest(courses, f"stressed at {hour}", _CORTISOL, float(hour)).peak()[1]
        for hour in (9, 16, 20)
    ]
    mean = sum(rises) / len(rises)
    return {
        "most_percent_apart": max(abs(100 * (rise / mean - 1)) for rise in rises),
        "mean_rise_nmol_l": mean,
    }


def heart(courses: Courses) -> Figures:
    """Measure how far the heart rate rises."""
    return {"rise_bpm": _over_rest(courses, "stressed at 16", _HEART).peak()[1]}
