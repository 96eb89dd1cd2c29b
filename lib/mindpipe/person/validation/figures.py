"""What was read of the persons of all trials, and how a figure of it is judged."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from mindpipe.person.records.state import Readouts
from mindpipe.person.validation.trials import HOUR_US

Floats = npt.NDArray[np.float64]
Instants = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class CurveStretch(NamedTuple):
    """A part of a curve: hours since midnight of day 0, and the values at them."""

    hours: Floats
    values: Floats

    def peak(self) -> tuple[float, float]:
        """Return the hour and the value of the highest point."""
        place = int(np.argmax(self.values))
        return float(self.hours[place]), float(self.values[place])

    def trough(self) -> tuple[float, float]:
        """Return the hour and the value of the lowest point."""
        place = int(np.argmin(self.values))
        return float(self.hours[place]), float(self.values[place])

    def at(self, hour: float) -> float:
        """Return the value at an hour, or at the next one that was read."""
        return float(self.values[int(np.searchsorted(self.hours, hour - 1e-9))])

    def minus(self, other: "CurveStretch") -> "CurveStretch":
        """Return the difference of two parts over the same hours."""
        return CurveStretch(self.hours, self.values - other.values)


class Course(NamedTuple):
    """The readings of one person at instants [T], ascending: one curve [T] for each quantity.

    `awake` and `since_us` say whether it was awake, and since when awake or asleep.
    """

    t_us: Instants
    curves: Mapping[str, Floats]
    awake: Flags
    since_us: Instants

    def between(self, quantity: str, first_h: float, last_h: float) -> CurveStretch:
        """Return a curve between two hours, both included."""
        first, last = (round(hour * HOUR_US) for hour in (first_h, last_h))
        inside = slice(
            int(np.searchsorted(self.t_us, first)), int(np.searchsorted(self.t_us, last, "right"))
        )
        return CurveStretch(self.t_us[inside] / HOUR_US, self.curves[quantity][inside])

    def value(self, quantity: str, hour: float) -> float:
        """Return the reading at an hour, or the next one after it."""
        place = int(np.searchsorted(self.t_us, round(hour * HOUR_US)))
        return float(self.curves[quantity][place])

    def sleeps(self) -> list[tuple[float, float]]:
        """Return the whole sleeps as hours of falling asleep and of waking."""
        switches = np.flatnonzero(np.diff(self.since_us)) + 1
        hours = (self.since_us[switches] / HOUR_US).tolist()
        wakes = self.awake[switches].tolist()
        first = 1 if wakes and wakes[0] else 0
        return list(zip(hours[first::2], hours[first + 1 :: 2], strict=False))


@dataclass(frozen=True, slots=True)
class Courses:
    """All persons by the names of their trials.

    `then` is all that could be read of each at 19:00 of day 0, `out` the readouts that ever left
    their range.
    """

    by_name: Mapping[str, Course]
    then: Mapping[str, Readouts]
    out: Mapping[str, tuple[str, ...]]

    def __getitem__(self, name: str) -> Course:
        """Return the readings of one person."""
        return self.by_name[name]


RowMark = Literal["good", "fair", "poor"]
Figures = Mapping[str, float]
"""What a protocol measured, by name; what is true or false is 1.0 or 0.0."""


class Band(NamedTuple):
    """Where one figure is good, and the wider band where it is fair; all ends belong to it."""

    figure: str
    least: float
    most: float
    fair_least: float
    fair_most: float


class RowVerdict(NamedTuple):
    """How measured figures are to be called, and a sentence about what is not good."""

    mark: RowMark
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


def judge(figures: Figures, bands: Sequence[Band]) -> RowVerdict:
    """Return the verdict of the worst figure; the sentence names every figure that is not good.

    A figure that is missing or no number is poor.
    """
    marks = [_mark(figures.get(band.figure, math.nan), band) for band in bands]
    off = [
        _words(figures.get(band.figure), band)
        for band, mark in zip(bands, marks, strict=True)
        if mark != "good"
    ]
    worst: RowMark = "poor" if "poor" in marks else "fair" if "fair" in marks else "good"
    return RowVerdict(worst, f"{'; '.join(off)}." if off else "")


def _mark(value: float, band: Band) -> RowMark:
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
