"""Salience of one person, step by step: every threshold, bonus and re-arm level by its name."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person.mind.salience import (
    SECOND_US,
    Peak,
    Salience,
    Sense,
    modifier,
    novelty,
    threshold,
)
from mindpipe.person.records.state import Dimensions, SalienceState
from support.tables import each_row

CALM = Sense(pain=0.0, arousal=0.27, valence=0.2, energy=0.6, attention=-0.3)
NAMES = ("pain", "arousal", "valence", "energy")


def ready(sense: Sense = CALM, t_us: int = 0) -> Salience:
    salience = Salience()
    assert salience.evaluate(t_us, sense) is None
    return salience


def drift(salience: Salience, name: str, values: list[float], *, step_s: int = 10_000) -> None:
    """Move one dimension so slowly that its rate counts for nothing."""
    for value in values:
        salience.evaluate(salience.prev_us + step_s * SECOND_US, CALM._replace(**{name: value}))


def test_the_worked_value_reacts() -> None:
    salience = ready(t_us=0)
    salience.evaluate(599 * SECOND_US, CALM)
    peak = salience.evaluate(600 * SECOND_US, CALM._replace(arousal=0.70))
    assert peak is not None
    assert (peak.dim, peak.dir) == ("arousal", "+")
    assert peak.salience == pytest.approx(0.628429, abs=5e-7)
    assert peak.threshold == 0.3
    assert novelty(600) == pytest.approx(1.719369, abs=5e-7)


@each_row(
    ("seconds", "expected"),
    [(0, 1.0), (60, 1.0 + 0.3 * math.log(2.0)), (1621, 1.99983), (1622, 2.0), (86_400, 2.0)],
)
def test_novelty_grows_with_the_logarithm_and_stops_at_two(seconds: int, expected: float) -> None:
    assert novelty(seconds) == pytest.approx(expected, abs=1e-5)
    assert (novelty(seconds) == 2.0) == (seconds >= 1622)


@each_row(("attention", "expected"), [(-1, 0.5), (0, 1.0), (1, 1.5), (-0.3, 0.85)])
def test_attention_modifier(attention: float, expected: float) -> None:
    assert modifier(attention) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("sense", "absorbed", "expected"),
    [
        pytest.param(Sense(0, 0.3, 0.0, 0.5), 0.0, 0.3, id="none"),
        pytest.param(Sense(0, 0.5001, -0.2001, 0.5), 0.0, 0.2, id="anxious"),
        pytest.param(Sense(0, 0.3, 0.0, 0.2999), 0.0, 0.25, id="low energy"),
        pytest.param(Sense(0, 0.5001, -0.2001, 0.2999), 0.0, 0.15, id="anxious and low energy"),
        pytest.param(Sense(0, 0.3, 0.0, 0.5, 0.6001), 0.0, 0.4, id="load"),
        pytest.param(Sense(0, 0.3, 0.0, 0.5, 0.6001), 0.15, 0.55, id="load and absorbed"),
        pytest.param(Sense(0, 0.5001, -0.2001, 0.2999, 0.6001), 0.0, 0.25, id="all three"),
        pytest.param(Sense(0, 0.5, -0.2, 0.3, 0.6), 0.0, 0.3, id="at the edges of all three"),
        pytest.param(Sense(0, 0.5001, -0.2, 0.5), 0.0, 0.3, id="aroused but not low"),
        pytest.param(Sense(0, 0.5, -0.9, 0.5), 0.0, 0.3, id="low but not aroused"),
        pytest.param(Sense(0, 0.3, 0.0, 0.5, 0.6001), 1.0, 0.6, id="clamped above"),
        pytest.param(Sense(0, 0.5001, -0.2001, 0.2999), -1.0, 0.1, id="clamped below"),
    ],
)
def test_threshold(sense: Sense, absorbed: float, expected: float) -> None:
    assert threshold(sense, absorbed) == pytest.approx(expected, abs=1e-15)


def test_a_peak_must_exceed_the_threshold_strictly() -> None:
    at = Sense(pain=0.0, arousal=0.25, valence=0.5, energy=0.5)
    over = at._replace(arousal=math.nextafter(0.25 + 0.25, 1.0))
    low = {"energy": 0.25}
    begun = Salience(
        SalienceState(ready=True, prev=Dimensions(pain=0, arousal=0.25, valence=0.5, energy=0.25))
    )
    assert begun.evaluate(0, at._replace(arousal=0.5, **low)) is None
    assert begun.values[1] == 0.25 == threshold(at._replace(**low))
    begun.prev[1] = 0.25
    peak = begun.evaluate(0, over._replace(**low))
    assert peak is not None
    assert peak.salience > 0.25


@each_row("jump", [0.9, 1.0])
def test_the_first_evaluation_never_breaks_into_awareness(jump: float) -> None:
    salience = Salience()
    extreme = Sense(pain=jump, arousal=jump, valence=-jump, energy=1 - jump)
    assert salience.evaluate(7 * SECOND_US, extreme) is None
    assert salience.ready
    assert salience.aware_us == [7 * SECOND_US] * 4
    assert salience.inside == [True] * 4
    assert salience.latch == [False] * 4
    assert salience.evaluate(8 * SECOND_US, extreme) is None


LEVELS = [
    ("pain", 0.6, 0.6, 0.45, 1),
    ("arousal", 0.8, 0.5, 0.70, 1),
    ("valence", -0.6, 0.4, -0.45, -1),
    ("energy", 0.15, 0.3, 0.25, -1),
]


@each_row(("name", "enter", "bonus", "rearm", "sign"), LEVELS)
def test_entering_the_extreme_adds_its_bonus_once_and_again_after_rearming(
    name: str, enter: float, bonus: float, rearm: float, sign: int
) -> None:
    row, tiny = NAMES.index(name), 1e-9 * sign
    salience = ready()
    drift(salience, name, [enter])
    assert not salience.inside[row], "the level itself is not beyond it"
    drift(salience, name, [enter + tiny])
    assert salience.inside[row]
    assert salience.latch[row]
    assert salience.values[row] == pytest.approx(bonus, abs=1e-3)
    salience.mark(name, salience.prev_us)  # type: ignore[arg-type]  # names are dimensions
    drift(salience, name, [enter + tiny, rearm, enter + tiny])
    assert salience.inside[row], "a standing extreme, or one at its re-arm level, alerts once"
    assert not salience.latch[row]
    assert salience.values[row] < 0.01
    drift(salience, name, [rearm - tiny])
    assert not salience.inside[row]
    drift(salience, name, [enter + tiny])
    assert salience.latch[row]
    assert salience.values[row] == pytest.approx(bonus, abs=1e-3)


@each_row(
    ("name", "enter", "bonus", "sign"),
    [(name, enter, bonus, sign) for name, enter, bonus, _, sign in LEVELS],
)
def test_a_breach_breaks_into_awareness_however_slow(
    name: str, enter: float, bonus: float, sign: int
) -> None:
    salience = ready()
    drift(salience, name, [enter])
    peak = salience.evaluate(
        salience.prev_us + 10_000 * SECOND_US, CALM._replace(**{name: enter + 1e-9 * sign})
    )
    assert peak is not None
    assert (peak.dim, peak.dir) == (name, "+" if sign > 0 else "-")
    assert peak.salience == pytest.approx(bonus, abs=1e-3)


def test_an_alert_that_was_not_noticed_waits_until_it_is_or_the_extreme_is_over() -> None:
    salience = ready()
    drift(salience, "pain", [0.7, 0.7, 0.7])
    assert salience.values[0] == pytest.approx(0.6, abs=1e-3)
    drift(salience, "pain", [0.44])
    assert not salience.latch[0]
    assert salience.values[0] < 0.01


def test_a_mark_starts_novelty_anew_for_its_dimension_alone() -> None:
    salience = ready()
    salience.mark("valence", 5 * SECOND_US)
    assert salience.aware_us == [0, 0, 5 * SECOND_US, 0]


def test_where_two_dimensions_are_equal_the_first_in_order_is_the_peak() -> None:
    salience = ready(Sense(0.0, 0.0, 0.0, 0.5))
    peak = salience.evaluate(SECOND_US, Sense(0.5, 0.5, 0.5, 0.5))
    assert peak is not None
    assert peak.dim == "pain"


@each_row(
    ("name", "value", "direction"),
    [("arousal", 0.0, "-"), ("valence", 0.7, "+"), ("valence", -0.4, "-"), ("energy", 1.0, "+")],
)
def test_the_direction_is_that_of_the_change(name: str, value: float, direction: str) -> None:
    salience = ready(CALM._replace(arousal=0.6))
    peak = salience.evaluate(SECOND_US, CALM._replace(arousal=0.6)._replace(**{name: value}))
    assert peak is not None
    assert (peak.dim, peak.dir) == (name, direction)


def test_without_a_change_the_direction_is_that_of_the_breach() -> None:
    salience = ready()
    drift(salience, "valence", [-0.7])
    peak = salience.evaluate(salience.prev_us + SECOND_US, CALM._replace(valence=-0.7))
    assert peak is not None
    assert (peak.dim, peak.dir) == ("valence", "-")


def test_a_span_of_less_than_a_second_counts_as_one_and_a_longer_one_as_it_is() -> None:
    salience = ready()
    salience.evaluate(SECOND_US // 2, CALM._replace(arousal=0.37))
    assert salience.values[1] == pytest.approx(0.1 * novelty(0.5) * 0.85)
    salience.evaluate(SECOND_US // 2 + 4 * SECOND_US, CALM._replace(arousal=0.77))
    assert salience.values[1] == pytest.approx(0.1 * novelty(4.5) * 0.85)


def test_the_switch_to_waking_is_silent_but_pain_is_compared_with_its_last_waking_value() -> None:
    salience = ready()
    night = 8 * 3600 * SECOND_US
    awake = Sense(pain=0.0, arousal=0.9, valence=-0.7, energy=0.1)
    assert salience.evaluate(night, awake, waking=True) is None
    assert salience.values == [0.0] * 4
    assert salience.inside == [False, True, True, True]
    assert salience.latch == [False] * 4
    hurt = ready()
    peak = hurt.evaluate(night, CALM._replace(pain=0.5), waking=True)
    assert peak is not None
    assert peak.salience == pytest.approx(0.5 * 2.0 * 0.85)
    assert (peak.dim, peak.dir) == ("pain", "+")


def test_on_waking_a_latch_stays_only_where_the_extreme_does() -> None:
    salience = ready()
    drift(salience, "arousal", [0.9])
    drift(salience, "valence", [-0.7])
    salience.latch[1] = salience.latch[2] = True
    salience.evaluate(salience.prev_us + SECOND_US, CALM._replace(valence=-0.65), waking=True)
    assert salience.latch == [False, False, True, False]


def test_being_pulled_out_of_sleep_by_an_event_adds_a_half_to_arousal() -> None:
    salience = ready()
    peak = salience.evaluate(9 * SECOND_US, CALM, waking=True, woken=True)
    assert peak == Peak("arousal", "+", 0.5, 0.3, woken=True)
    quiet = ready()
    assert quiet.evaluate(9 * SECOND_US, CALM, waking=True) is None
    later = ready()
    assert later.evaluate(9 * SECOND_US, CALM, woken=True) is None


@given(
    st.lists(
        st.tuples(
            st.integers(1, 100_000_000),
            st.tuples(*[st.floats(0, 1)] * 2, *[st.floats(-1, 1)], *[st.floats(0, 1)]),
            st.booleans(),
        ),
        max_size=30,
    ),
    st.integers(0, 30),
)
def test_it_goes_on_from_its_record_bit_for_bit(
    steps: list[tuple[int, tuple[float, float, float, float], bool]], cut: int
) -> None:
    whole, parted, t_us = Salience(), Salience(), 0
    for number, (gap, four, marked) in enumerate(steps):
        if number == cut:
            parted = Salience(parted.record())
        t_us += gap
        sense = Sense(*four)
        assert whole.evaluate(t_us, sense) == parted.evaluate(t_us, sense)
        assert whole.values == parted.values
        if marked:
            whole.mark("pain", t_us)
            parted.mark("pain", t_us)
    assert whole.record() == parted.record()
