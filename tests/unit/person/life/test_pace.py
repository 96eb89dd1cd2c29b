"""A run in real time waits for each instant, and never longer."""

import pytest

from mindpipe.person.life.pace import RunPace
from support.fakes import FixedClock
from support.tables import each_row

SECOND = 1_000_000


class Waiting(FixedClock):
    """A clock that remembers how long it was asked to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        super().pause(seconds)


@each_row(("speed", "pauses"), [(1.0, [1.0, 2.0]), (4.0, [0.25, 0.5])])
def test_a_speed_is_kept(speed: float, pauses: list[float]) -> None:
    clock = Waiting()
    pace = RunPace(clock, speed, start_us=60 * SECOND)
    pace.keep(61 * SECOND)
    pace.keep(63 * SECOND)
    assert clock.pauses == pytest.approx(pauses)


def test_work_that_took_longer_is_not_waited_for() -> None:
    clock = Waiting()
    pace = RunPace(clock, 1.0, start_us=0)
    clock.pause(5.0)
    pace.keep(3 * SECOND)
    assert clock.pauses == [5.0]


def test_without_a_speed_nothing_waits() -> None:
    clock = Waiting()
    RunPace(clock, None, start_us=0).keep(99 * SECOND)
    assert clock.pauses == []
