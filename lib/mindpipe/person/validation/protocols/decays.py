"""How fast hormones, sugar and feelings go: rows 10, 11, 19 and 20."""

from math import exp, log

from mindpipe.person.body.emotions import DURATIONS_H, SPANS_H, shifted, weights
from mindpipe.person.validation.figures import Courses, Figures

GIVEN_H = 10.0
FLOOD_END_H = 10.5
_SHIFT = 0.3
"""The share of an emotion that a rumination of 1 moves to slower modes."""


def cortisol(courses: Courses) -> Figures:
    """Measure the half-life of given cortisol between half an hour and two hours later."""
    hours = (GIVEN_H + 0.5, GIVEN_H + 2.0)
    quantity = "cortisol_nmol_l"
    given = courses["given cortisol"].between(quantity, *hours)
    left = given.minus(courses["alone"].between(quantity, *hours)).values
    return {"half_life_min": 90 * log(2) / log(float(left[0] / left[-1]))}


def adrenaline(courses: Courses) -> Figures:
    """Measure the half-life of adrenaline once its source stops, and what is left after 30 min."""
    quantity = "adrenaline_pmol_l"
    hours = (FLOOD_END_H, FLOOD_END_H + 0.5)
    flooded = courses["flooded"].between(quantity, *hours)
    left = flooded.minus(courses["alone"].between(quantity, *hours))
    ended, later, last = (left.at(FLOOD_END_H + minutes / 60) for minutes in (0, 5, 30))
    return {
        "half_life_min": 5 * log(2) / log(ended / later),
        "left_percent_at_30": 100 * last / ended,
    }


def sugar(courses: Courses) -> Figures:
    """Measure glucose after 75 g of carbohydrate: when and how high it peaks, and how it ends."""
    quantity = "glucose_mmol_l"
    hours = (GIVEN_H, GIVEN_H + 3.0)
    fed = courses["fed sugar"].between(quantity, *hours)
    excess = fed.minus(courses["unfed"].between(quantity, *hours))
    hour, _ = fed.peak()
    return {
        "peak_min": 60 * (hour - GIVEN_H),
        "peak_mmol_l": fed.peak()[1],
        "left_percent_at_180": 100 * float(excess.values[-1]) / excess.peak()[1],
    }


def emotions(_courses: Courses) -> Figures:
    """Measure for each class when 5 % of an impulse is left, and what rumination leaves."""
    apart = [100 * abs(_faded_h(name) / hours - 1) for name, hours in DURATIONS_H.items()]
    longer = [
        _left(shifted(weights(name), 0.3 * _SHIFT), hours) > _left(weights(name), hours)
        for name, hours in DURATIONS_H.items()
        if weights(name)[4] < 1
    ]
    sadness = weights("sadness")
    return {
        "most_percent_off": max(apart),
        "longer_with_rumination": float(all(longer)),
        "sadness_left_at_rum_0.3": _left(shifted(sadness, 0.3 * _SHIFT), DURATIONS_H["sadness"]),
        "sadness_left_at_rum_1": _left(shifted(sadness, _SHIFT), DURATIONS_H["sadness"]),
    }


def _left(shares: tuple[float, ...], hours: float) -> float:
    """Return what of an impulse is left after some hours."""
    return sum(share * exp(-hours / span) for share, span in zip(shares, SPANS_H, strict=True))


def _faded_h(emotion: str) -> float:
    """Return after how many hours 5 % of an impulse of a class is left."""
    shares = weights(emotion)
    least, most = 0.0, 1000.0
    for _ in range(60):
        middle = (least + most) / 2
        least, most = (middle, most) if _left(shares, middle) > 0.05 else (least, middle)
    return least
