"""What was read of the persons of all trials, at the same instants."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindpipe.person.records.state import Readouts
from mindpipe.person.validation.trials import HOUR_US

Floats = npt.NDArray[np.float64]
Instants = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Stretch(NamedTuple):
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

    def minus(self, other: "Stretch") -> "Stretch":
        """Return the difference of two parts over the same hours."""
        return Stretch(self.hours, self.values - other.values)


class Course(NamedTuple):
    """The readings of one person at instants [T], ascending: one curve [T] for each quantity.

    `awake` and `since_us` say whether it was awake, and since when awake or asleep.
    """

    t_us: Instants
    curves: Mapping[str, Floats]
    awake: Flags
    since_us: Instants

    def between(self, quantity: str, first_h: float, last_h: float) -> Stretch:
        """Return a curve between two hours, both included."""
        first, last = (round(hour * HOUR_US) for hour in (first_h, last_h))
        inside = slice(
            int(np.searchsorted(self.t_us, first)), int(np.searchsorted(self.t_us, last, "right"))
        )
        return Stretch(self.t_us[inside] / HOUR_US, self.curves[quantity][inside])

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
