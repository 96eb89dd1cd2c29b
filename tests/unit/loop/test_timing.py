"""The pause between iterations: every factor, its bounds, and what is urgent; a table of cases."""

import pytest

from mindpipe.loop.checkpoints import mean
from mindpipe.loop.records import Mode
from mindpipe.loop.timing import (
    Load,
    TimingRules,
    load_factor,
    pace,
    queue_factor,
    rate_factor,
)

RULES = TimingRules()


@pytest.mark.parametrize(
    ("rate", "factor"),
    [
        (None, 1.0),
        (0.0, 2.0),
        (0.099, 2.0),
        (0.1, 1.0),
        (1.0, 1.0),
        (1.01, 0.8),
        (10.0, 0.8),
        (10.01, 0.5),
    ],
)
def test_more_arrivals_make_pauses_shorter(rate: float | None, factor: float) -> None:
    assert rate_factor(rate) == factor


@pytest.mark.parametrize(
    ("waits", "factor"),
    [
        (None, 1.0),
        (0.0, 1.5),
        (4.99, 1.5),
        (5.0, 1.0),
        (20.0, 1.0),
        (20.01, 0.6),
        (50.0, 0.6),
        (50.01, 0.3),
    ],
)
def test_more_that_waits_makes_pauses_shorter(waits: float | None, factor: float) -> None:
    assert queue_factor(waits) == factor


@pytest.mark.parametrize(
    ("seconds", "factor"),
    [(None, 1.0), (0.0, 0.8), (0.49, 0.8), (0.5, 1.0), (5.0, 1.0), (5.01, 1.5), (900.0, 1.5)],
)
def test_longer_iterations_make_pauses_longer(seconds: float | None, factor: float) -> None:
    assert load_factor(seconds) == factor


@pytest.mark.parametrize(
    ("mode", "rate", "queue", "seconds", "pause", "by"),
    [
        (Mode.NORMAL, None, None, None, 2.0, "formula"),
        (Mode.NORMAL, 0.5, 10.0, 1.0, 2.0, "formula"),
        (Mode.NORMAL, 0.0, 0.0, 0.1, 4.8, "formula"),
        (Mode.NORMAL, 100.0, 100.0, 0.1, 0.24, "formula"),
        (Mode.DEEP_FOCUS, 0.5, 10.0, 1.0, 10.0, "formula"),
        (Mode.DEEP_FOCUS, 0.0, 0.0, 30.0, 45.0, "formula"),
        (Mode.EXPLORATION, 0.5, 10.0, 1.0, 5.0, "formula"),
        (Mode.OVERLOAD, 0.5, 10.0, 1.0, 0.5, "formula"),
        (Mode.OVERLOAD, 100.0, 100.0, 0.1, 0.1, "least"),
        (Mode.SLEEP, 0.0, 0.0, 1.0, 180.0, "formula"),
        (Mode.SLEEP, 0.0, 0.0, 6.0, 270.0, "formula"),
        (Mode.RECOVERY, 0.5, 10.0, 1.0, 2.0, "formula"),
    ],
)
def test_a_pause_is_the_product_of_its_factors(
    mode: Mode,
    rate: float | None,
    queue: float | None,
    seconds: float | None,
    pause: float,
    by: str,
) -> None:
    found = pace(Load(mode, rate, queue, seconds), RULES)
    assert found.seconds == pytest.approx(pause)
    assert found.by == by
    product = (
        found.base * found.rate_factor * found.queue_factor * found.load_factor * found.mode_factor
    )
    assert found.product == pytest.approx(product)


@pytest.mark.parametrize("mode", Mode)
def test_what_is_urgent_leaves_no_pause_in_any_mode(mode: Mode) -> None:
    found = pace(Load(mode, 0.0, 0.0, 30.0, urgent=True), RULES)
    assert (found.seconds, found.by) == (0.0, "urgent")


def test_a_pause_has_bounds() -> None:
    slow = TimingRules(intervals={Mode.SLEEP: 300.0})
    longest = pace(Load(Mode.SLEEP, 0.0, 0.0, 30.0), slow)
    assert (longest.product, longest.seconds, longest.by) == (1350.0, 300.0, "most")
    shortest = pace(Load(Mode.OVERLOAD, 11.0, 51.0, 0.1), RULES)
    assert (shortest.seconds, shortest.by) == (0.1, "least")
    assert shortest.product == pytest.approx(0.06)


def test_a_moving_average_starts_at_its_first_value() -> None:
    assert mean(None, 40.0, weight=0.3) == 40.0
    assert mean(40.0, 0.0, weight=0.3) == pytest.approx(28.0)
    assert mean(28.0, 0.0, weight=0.3) == pytest.approx(19.6)
