"""The pause between iterations: every factor, its bounds, and what is urgent; a table of cases."""

import pytest

from mindpipe.engine.worker.checkpoints import mean
from mindpipe.engine.worker.timing import (
    Load,
    TimingRules,
    load_factor,
    pace,
    queue_factor,
    rate_factor,
)
from mindpipe.workers.records import LoopMode
from support.tables import each_row

RULES = TimingRules()


@each_row(
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


@each_row(
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


@each_row(
    ("seconds", "factor"),
    [(None, 1.0), (0.0, 0.8), (0.49, 0.8), (0.5, 1.0), (5.0, 1.0), (5.01, 1.5), (900.0, 1.5)],
)
def test_longer_iterations_make_pauses_longer(seconds: float | None, factor: float) -> None:
    assert load_factor(seconds) == factor


@each_row(
    ("mode", "rate", "queue", "seconds", "pause", "by"),
    [
        (LoopMode.NORMAL, None, None, None, 2.0, "formula"),
        (LoopMode.NORMAL, 0.5, 10.0, 1.0, 2.0, "formula"),
        (LoopMode.NORMAL, 0.0, 0.0, 0.1, 4.8, "formula"),
        (LoopMode.NORMAL, 100.0, 100.0, 0.1, 0.24, "formula"),
        (LoopMode.DEEP_FOCUS, 0.5, 10.0, 1.0, 10.0, "formula"),
        (LoopMode.DEEP_FOCUS, 0.0, 0.0, 30.0, 45.0, "formula"),
        (LoopMode.EXPLORATION, 0.5, 10.0, 1.0, 5.0, "formula"),
        (LoopMode.OVERLOAD, 0.5, 10.0, 1.0, 0.5, "formula"),
        (LoopMode.OVERLOAD, 100.0, 100.0, 0.1, 0.1, "least"),
        (LoopMode.SLEEP, 0.0, 0.0, 1.0, 180.0, "formula"),
        (LoopMode.SLEEP, 0.0, 0.0, 6.0, 270.0, "formula"),
        (LoopMode.RECOVERY, 0.5, 10.0, 1.0, 2.0, "formula"),
    ],
)
def test_a_pause_is_the_product_of_its_factors(
    mode: LoopMode,
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


@each_row("mode", LoopMode)
def test_what_is_urgent_leaves_no_pause_in_any_mode(mode: LoopMode) -> None:
    found = pace(Load(mode, 0.0, 0.0, 30.0, urgent=True), RULES)
    assert (found.seconds, found.by) == (0.0, "urgent")


def test_a_pause_has_bounds() -> None:
    slow = TimingRules(intervals={LoopMode.SLEEP: 300.0})
    longest = pace(Load(LoopMode.SLEEP, 0.0, 0.0, 30.0), slow)
    assert (longest.product, longest.seconds, longest.by) == (1350.0, 300.0, "most")
    shortest = pace(Load(LoopMode.OVERLOAD, 11.0, 51.0, 0.1), RULES)
    assert (shortest.seconds, shortest.by) == (0.1, "least")
    assert shortest.product == pytest.approx(0.06)


def test_a_moving_average_starts_at_its_first_value() -> None:
    assert mean(None, 40.0, weight=0.3) == 40.0
    assert mean(40.0, 0.0, weight=0.3) == pytest.approx(28.0)
    assert mean(28.0, 0.0, weight=0.3) == pytest.approx(19.6)
