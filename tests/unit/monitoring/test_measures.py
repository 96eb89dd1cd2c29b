"""Figures of an agent from what its loop wrote down."""

import pytest

from mindpipe.monitoring.measures import Measurements, growth, latest, metrics, quantile
from mindpipe.monitoring.records import Metric, MetricSample
from mindpipe.monitoring.rules import parse_rules
from mindpipe.workers.records import Iteration, LoopMode


def _iteration(number: int, milliseconds: float, **how: object) -> Iteration:
    mode = how.pop("mode", LoopMode.NORMAL)
    return Iteration(
        agent="ava", number=number, life="r_1", at="2026-06-01T08:00:00Z", mode=mode,
        think_ms=milliseconds, **how,
    )  # type: ignore[arg-type]  # fields by name  # fmt: skip


def _by_name(measured: Measurements) -> dict[str, float]:
    return {one.name: one.value for one in metrics(measured) if not one.labels}


def test_times_of_iterations_are_in_seconds_with_their_mean_and_their_tail() -> None:
    measured = Measurements(
        agent="ava", iterations=tuple(_iteration(n, 1000.0 * n) for n in range(1, 101))
    )
    found = _by_name(measured)
    assert found["iteration_time_avg"] == pytest.approx(50.5)
    assert found["iteration_time_p95"] == 95
    assert found["iteration_time_p99"] == 99
    assert latest(measured)["iteration_time"] == 100


def test_times_have_no_more_digits_than_are_measured() -> None:
    one = _iteration(1, 0.1, observe_ms=0.2, decide_ms=0.7, act_ms=0.007, reflect_ms=0.013)
    assert one.milliseconds == 1.02
    found = _by_name(Measurements(agent="ava", iterations=(one, _iteration(2, 0.1))))
    assert found["iteration_time_avg"] == 0.00056


def test_every_figure_that_is_one_number_may_have_a_rule_by_its_name() -> None:
    counts = {"input": 1, "crashes": 1, "actions": 1}
    found = _by_name(Measurements(agent="ava", iterations=(_iteration(1, 5.0),), **counts))
    written = "; ".join(f"warning: {name} > 1" for name in found)
    assert len(parse_rules(written, hysteresis=0.2)) == len(found) > 10


def test_a_quantile_of_few_values_is_one_of_them() -> None:
    assert [quantile([3.0, 1.0, 2.0], share) for share in (0.5, 0.95, 0.99)] == [2.0, 3.0, 3.0]
    assert quantile([7.0], 0.99) == 7.0


def test_a_store_grows_by_the_hour() -> None:
    samples = (
        MetricSample(at="2026-06-01T08:00:00Z", bytes=1_000_000),
        MetricSample(at="2026-06-01T08:30:00Z", bytes=6_000_000),
    )
    assert growth(samples) == pytest.approx(10.0)
    assert growth(samples[:1]) is None
    assert growth((samples[1], MetricSample(at="2026-06-01T09:00:00Z", bytes=5_000_000))) == 0.0
    assert growth((samples[0], MetricSample(at="2026-06-01T08:00:30Z", bytes=9_000_000))) is None


def test_shares_are_of_what_there_is_and_unknown_where_there_is_nothing() -> None:
    some = latest(
        Measurements(
            agent="ava", input=200, cached=50, crashes=4, recovered=3, actions=10, actions_done=9
        )
    )
    assert some["cache_hit_rate"] == 0.25
    assert some["recovery_success_rate"] == 0.75
    assert some["action_success_rate"] == 0.9
    none = latest(Measurements(agent="ava"))
    unknown = ("cache_hit_rate", "recovery_success_rate", "action_success_rate", "iteration_time")
    assert [none[name] for name in unknown] == [None, None, None, None]


def test_modes_and_concerns_are_shares_of_the_newest_iterations() -> None:
    measured = Measurements(
        agent="ava",
        iterations=(
            _iteration(1, 1.0, concern="kant"),
            _iteration(2, 1.0, concern="kant", mode=LoopMode.OVERLOAD),
            _iteration(3, 1.0),
            _iteration(4, 1.0, concern="index"),
        ),
    )
    spread = {
        (one.name, *one.labels.values()): one.value for one in metrics(measured) if one.labels
    }
    assert spread == {
        ("mode_distribution", "normal"): 0.75,
        ("mode_distribution", "overload"): 0.25,
        ("attention_allocation", "index"): 0.25,
        ("attention_allocation", "kant"): 0.5,
        ("attention_allocation", "none"): 0.25,
    }


def test_what_can_only_grow_is_a_counter() -> None:
    kinds = {
        one.name: one.kind for one in metrics(Measurements(agent="ava", crashes=2, recovered=2))
    }
    assert {name for name, kind in kinds.items() if kind == "counter"} == {
        "crash_count",
    }


def test_every_figure_says_what_it_is() -> None:
    measured = Measurements(agent="ava", iterations=(_iteration(1, 5.0, confidence=0.8),))
    assert all(isinstance(one, Metric) and one.help.endswith(".") for one in metrics(measured))
    assert _by_name(measured)["decision_confidence_avg"] == 0.8
