"""The instants at which a run of persons stops for a moment: states, reviews, and real time."""

from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.ports import Clock

SECOND_US = 1_000_000


class RunStop(NamedTuple):
    """An instant at which a run stops, and whether states are told there."""

    t_us: int
    told: bool


def run_stops(
    start_us: int, until_us: int, *, every_us: int, within_us: int | None
) -> Iterator[RunStop]:
    """Yield the instants of a run in order, the last of which is its end.

    States are told at multiples of `every_us`, and at the end; between two instants are at most
    `within_us`, at multiples of it. Both count from midnight of day 0, so that it does not matter
    where a run begins.
    """
    now = start_us
    while now < until_us:
        near = until_us if within_us is None else (now // within_us + 1) * within_us
        told = (now // every_us + 1) * every_us
        now = min(near, told, until_us)
        yield RunStop(now, now in (told, until_us))


class RunPace:
    """Keep a run to so many simulated seconds a second; without a speed it runs as it can."""

    def __init__(self, clock: Clock, speed: float | None, *, start_us: int) -> None:
        self._clock = clock
        self._speed = speed
        self._start_us = start_us
        self._began = clock.boot().seconds

    def keep(self, t_us: int) -> None:
        """Wait until an instant of simulated time has come."""
        if self._speed is None:
            return
        due = self._began + (t_us - self._start_us) / SECOND_US / self._speed
        left = due - self._clock.boot().seconds
        if left > 0:
            self._clock.pause(left)
