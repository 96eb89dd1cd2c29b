"""Lives far from rest: row 33."""

import numpy as np

from mindpipe.person.validation.figures import Courses, Figures

HARD = ("at work by night", "worn and stressed", "stressed on waking", "stressed, sleepless")
_WAKING_H, _SLEEPLESS_H, _SPAN_H = 7.25, 31.25, 3.0


def hard_lives(courses: Courses) -> Figures:
    """Measure whether every readout of hard lives stays in range, and whether cortisol adds up.

    Stress on waking must add to the awakening response what the same stress adds to a morning
    after a night awake, which has none.
    """
    outside = sum(len(courses.out[name]) for name in HARD)
    apart = np.abs(
        _added(courses, "stressed on waking", _WAKING_H)
        - _added(courses, "stressed, sleepless", _SLEEPLESS_H)
    )
    return {
        "in_range": float(outside == 0),
        "adds_up": float(apart.max() < 1e-9),
        "most_nmol_l_apart": float(apart.max()),
    }


def _added(courses: Courses, trial: str, start_h: float) -> np.ndarray:
    """Return what stress adds to cortisol over somebody who is as long awake without it."""
    hours = (start_h, start_h + _SPAN_H)
    stressed = courses[trial].between("cortisol_nmol_l", *hours)
    return stressed.minus(courses["woken"].between("cortisol_nmol_l", *hours)).values
