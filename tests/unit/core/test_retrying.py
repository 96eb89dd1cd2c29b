"""What follows a failed attempt."""

import pytest

from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.ports import BootTime
from mindpipe.core.retry import ATTEMPTS, GiveBack, GiveUp, Retry, Step, next_step, rest, used_up
from support.tables import each_row


def step(
    fault: FaultClass = FaultClass.TRANSIENT,
    *,
    attempt: int = 1,
    elapsed: float = 0.0,
    chance: float = 0.5,
    wait: float | None = None,
) -> Step:
    told = ModelFault("no luck", fault=fault, wait=wait)
    return next_step(told, attempt=attempt, elapsed=elapsed, chance=chance)


@each_row(
    ("attempt", "shortest", "longest"),
    [(1, 1.0, 2.0), (2, 1.0, 4.0), (3, 1.0, 8.0), (4, 1.0, 16.0), (5, 1.0, 32.0)],
)
def test_the_pause_is_drawn_up_to_a_ceiling_that_doubles(
    attempt: int, shortest: float, longest: float
) -> None:
    assert step(attempt=attempt, chance=0.0) == Retry(seconds=shortest)
    last = step(attempt=attempt, chance=0.999999)
    assert isinstance(last, Retry)
    assert last.seconds == pytest.approx(longest, abs=0.001)


def test_no_pause_is_longer_than_a_minute() -> None:
    for attempt in range(1, ATTEMPTS):
        for chance in (0.0, 0.3, 0.999999):
            found = step(attempt=attempt, chance=chance)
            assert isinstance(found, Retry)
            assert 1.0 <= found.seconds <= 60.0


@each_row(
    ("wait", "expected"),
    [(30.0, Retry(seconds=30.0)), (0.1, Retry(seconds=1.5)), (899.0, Retry(seconds=899.0))],
)
def test_a_longer_wait_that_the_provider_names_wins(wait: float, expected: Step) -> None:
    assert step(wait=wait) == expected


@each_row(("wait", "elapsed"), [(901.0, 0.0), (3600.0, 10.0), (20.0, 890.0)])
def test_a_wait_beyond_the_budget_gives_the_work_back(wait: float, elapsed: float) -> None:
    assert step(wait=wait, elapsed=elapsed) == GiveBack(seconds=wait)
    assert step(wait=wait, elapsed=elapsed, attempt=ATTEMPTS) == GiveBack(seconds=wait)


def test_a_long_wait_without_a_figure_is_a_minute() -> None:
    assert step(FaultClass.LONG_WAIT) == GiveBack(seconds=60.0)
    assert step(FaultClass.LONG_WAIT, wait=5.0) == GiveBack(seconds=5.0)


def test_the_sixth_failure_is_the_last() -> None:
    assert isinstance(step(attempt=5), Retry)
    assert step(attempt=6) == GiveUp(reason="no luck (6 attempts)")
    assert isinstance(step(attempt=7), GiveUp)


def test_a_pause_that_does_not_fit_the_quarter_hour_ends_the_turn() -> None:
    assert isinstance(step(attempt=5, elapsed=880.0, chance=0.0), Retry)
    assert step(attempt=5, elapsed=880.0, chance=0.99) == GiveUp(
        reason="no luck (5 attempts in 880 s)"
    )


@each_row(
    "fault",
    [one for one in FaultClass if one not in {FaultClass.TRANSIENT, FaultClass.LONG_WAIT}],
)
def test_what_will_not_pass_is_not_tried_again(fault: FaultClass) -> None:
    assert step(fault) == GiveUp(reason="no luck")
    assert step(fault, wait=1.0) == GiveUp(reason="no luck")


@each_row(
    ("attempts", "now", "wait", "over"),
    [
        (1, 0.0, 0.0, False),
        (5, 899.0, 0.0, False),
        (6, 0.0, 0.0, True),
        (1, 900.0, 0.0, True),
        (1, 600.0, 299.0, False),
        (1, 600.0, 300.0, True),
    ],
)
def test_a_turn_is_used_up_by_tries_or_time(
    attempts: int, now: float, wait: float, *, over: bool
) -> None:
    began, later = BootTime(boot="one", seconds=7.0), BootTime(boot="one", seconds=7.0 + now)
    assert used_up(attempts=attempts, began=began, now=later, wait=wait) is over


def test_a_turn_of_another_boot_is_used_up() -> None:
    began, now = BootTime(boot="one", seconds=7.0), BootTime(boot="two", seconds=8.0)
    assert used_up(attempts=1, began=began, now=now)


def test_an_event_rests_twice_as_long_each_time() -> None:
    assert [rest(turns) for turns in (1, 2, 3, 4, 5, 9)] == [60, 120, 240, 480, 900, 900]
