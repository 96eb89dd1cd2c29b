"""Needs, moods, thoughts and what they do: rows 16, 18, 21 to 23, 26 and 32."""

import math

import numpy as np

from mindpipe.person.body.personality import TRAITS
from mindpipe.person.chance_arrays import keys_of, uniforms
from mindpipe.person.psyche.coping import STRATEGIES, probabilities
from mindpipe.person.validation.figures import Courses, Figures, Floats

CORTISOL_SD, HEART_SD = 3.0, 10.0
"""Spreads between persons in nmol/L and beats per minute, by which effects are divided."""
REGULATION_SD = math.hypot(0.08, 0.12)
"""Spread of regulation between persons at rest, from traits c and n."""
CHOOSING, CHOOSING_REGULATION = 20_000, 0.55
SIGNS = {
    "problem_solving": {"c": 1, "e": 1, "n": -1},
    "reappraisal": {"c": 1, "e": 1, "n": -1},
    "denial": {"n": 1, "c": -1, "a": -1},
    "rumination": {"n": 1},
}
"""How traits go with strategies (CF07)."""
_MULLED_H, _TASK_END_H, _FASTED_H, _LONELY_H = 15 + 1 / 6, 16.0, 17.75, 19.0
_ILL_H, _EXERCISE_H = 36.0, 15.0


def fever(courses: Courses) -> Figures:
    """Measure what a degree of fever adds to the heart rate."""
    beats, degrees = (
        courses["feverish"].value(quantity, _ILL_H) - courses["alone"].value(quantity, _ILL_H)
        for quantity in ("heart_rate_bpm", "core_temp_c")
    )
    return {"bpm_per_degree": beats / degrees}


def fasting(courses: Courses) -> Figures:
    """Measure ten hours without food and ten without people, also of one used to be alone."""
    fasted = courses["fasting"].value("hunger", _FASTED_H)
    then = courses.then["fasting"]
    drives, used = dict(then.drives), dict(courses.then["fasting, lonely by trait"].drives)
    return {
        "hunger": fasted,
        "lonely": float(then.isolation_phase in ("loneliness", "despair")),
        "contact_in_top_2": float("contact" in list(drives)[:2]),
        "lonely_by_trait_is_smaller": float(used.get("contact", 0.0) < drives["contact"]),
        "contact_drive": drives["contact"],
    }


def rumination(courses: Courses) -> Figures:
    """Measure ten minutes of rumination by the spread between persons."""
    mulling, alone = courses["mulling"], courses["alone"]
    cortisol, heart = (
        mulling.value(quantity, _MULLED_H) - alone.value(quantity, _MULLED_H)
        for quantity in ("cortisol_nmol_l", "heart_rate_bpm")
    )
    return {"cortisol_g": cortisol / CORTISOL_SD, "heart_rate_g": heart / HEART_SD}


def self_control(courses: Courses) -> Figures:
    """Measure what two hours of self-control take of regulation, by its spread."""
    before = courses["alone"].value("regulation", _TASK_END_H)
    after = courses["controlled"].value("regulation", _TASK_END_H)
    return {"d": (before - after) / REGULATION_SD}


def coping(_courses: Courses) -> Figures:
    """Measure how traits of 20,000 persons go with what they choose."""
    keys = keys_of((7, f"p{number:06d}") for number in range(1, CHOOSING + 1))
    drawn = uniforms(keys[:, None, :], 0, 1, np.arange(11)[:, None])
    z = np.sqrt(-2 * np.log1p(-drawn[:5])) * np.cos(2 * np.pi * drawn[5:10])
    chances = probabilities(z, np.zeros(CHOOSING), np.full(CHOOSING, CHOOSING_REGULATION))
    chosen = (chances.cumsum(axis=0) <= drawn[10]).sum(axis=0)
    names: list[str] = [strategy.name for strategy in STRATEGIES]
    slopes = [
        sign * _correlation(z[TRAITS.index(trait)], chosen == names.index(strategy))
        for strategy, signs in SIGNS.items()
        for trait, sign in signs.items()
    ]
    return {
        "signs": float(sum(slope > 0 for slope in slopes)),
        "smallest_r": min(slopes),
    }


def mood(courses: Courses) -> Figures:
    """Measure mean valence awake in three days with company."""
    course = courses["social"]
    days = course.between("valence", 0, 72)
    awake = course.awake[: len(days.values)]
    return {"valence": float(days.values[awake].mean())}


def exercise(courses: Courses) -> Figures:
    """Measure the highest heart rate in 20 minutes at 6 MET."""
    hours = (_EXERCISE_H, _EXERCISE_H + 1 / 3)
    return {"bpm": courses["exercised"].between("heart_rate_bpm", *hours).peak()[1]}


def _correlation(trait: Floats, chosen: np.ndarray) -> float:
    """Return how a trait goes with a choice, -1 to 1."""
    return float(np.corrcoef(trait, chosen)[0, 1])
