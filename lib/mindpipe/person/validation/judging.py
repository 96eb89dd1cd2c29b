"""Judge what was measured by what was expected: good, fair or poor, and why where it is poor."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

Mark = Literal["good", "fair", "poor"]
Figures = Mapping[str, float]
"""What a protocol measured, by name; what is true or false is 1.0 or 0.0."""


class Band(NamedTuple):
    """Where one figure is good, and the wider band where it is fair; all ends belong to it."""

    figure: str
    least: float
    most: float
    fair_least: float
    fair_most: float


class Verdict(NamedTuple):
    """How measured figures are to be called, and a sentence about what is not good."""

    mark: Mark
    sentence: str


def around(figure: str, target: float, tolerance: float) -> Band:
    """Return a band that is good within a tolerance of the target and fair within twice of it."""
    return Band(
        figure,
        target - tolerance,
        target + tolerance,
        target - 2 * tolerance,
        target + 2 * tolerance,
    )


def between(
    figure: str, least: float, most: float, *, fair: tuple[float, float] | None = None
) -> Band:
    """Return a band of its own ends, fair where it is twice as wide or in `fair`."""
    half = (most - least) / 2
    outer = fair or (least - half, most + half)
    return Band(figure, least, most, *outer)


def below(figure: str, most: float) -> Band:
    """Return a band from 0 to a limit, fair up to twice the limit."""
    return Band(figure, 0.0, most, 0.0, 2 * most)


def true(figure: str) -> Band:
    """Return the band of a figure that must be true."""
    return Band(figure, 1.0, 1.0, 1.0, 1.0)


def judge(figures: Figures, bands: Sequence[Band]) -> Verdict:
    """Return the verdict of the worst figure; the sentence names every figure that is not good.

    A figure that is missing or no number is poor.
    """
    marks = [_mark(figures.get(band.figure, math.nan), band) for band in bands]
    off = [
        _words(figures.get(band.figure), band)
        for band, mark in zip(bands, marks, strict=True)
        if mark != "good"
    ]
    worst: Mark = "poor" if "poor" in marks else "fair" if "fair" in marks else "good"
    return Verdict(worst, f"{'; '.join(off)}." if off else "")


def _mark(value: float, band: Band) -> Mark:
    """Return the mark of one figure."""
    if band.least <= value <= band.most:
        return "good"
    return "fair" if band.fair_least <= value <= band.fair_most else "poor"


def _words(value: float | None, band: Band) -> str:
    """Return where a figure is, and where it should be."""
    if value is None or math.isnan(value):
        return f"{band.figure} was not found"
    if band.least == band.most:
        return f"{band.figure} is {value:.3g} and should be {band.most:.3g}"
    return f"{band.figure} is {value:.3g}, outside {band.least:.3g} to {band.most:.3g}"
