"""What breaks into awareness: the rows on salience, its bonuses and its threshold."""

import math

import pytest

from mindpipe.person.mind.salience import (
    Salience,
    Sense,
    absorption,
    chained,
    modifier,
    novelty,
    threshold,
)
from mindpipe.person.records.state import Chain
from mindpipe.person.records.thought import ThoughtTrigger
from support.persons import SECOND_US
from support.proofs import proves

CALM = Sense(pain=0.0, arousal=0.3, valence=0.1, energy=0.6)


def begun(second: int = 0, sense: Sense = CALM) -> Salience:
    found = Salience()
    assert found.evaluate(second * SECOND_US, sense) is None
    return found


@proves("salience formula, four dimensions, max as trigger")
def test_salience_is_rate_times_novelty_times_attention_and_the_largest_triggers() -> None:
    salience = begun()
    # 600 s at rest, then two dimensions move in one second, the second more.
    salience.evaluate(599 * SECOND_US, CALM)
    sense = Sense(pain=0.2, arousal=0.73, valence=0.1, energy=0.6, attention=-0.3)
    peak = salience.evaluate(600 * SECOND_US, sense)
    assert peak is not None
    assert (peak.dim, peak.dir) == ("arousal", "+")
    new = 1 + 0.3 * math.log(1 + 600 / 60)
    assert peak.salience == pytest.approx(0.43 * new * 0.85, rel=1e-12)
    assert salience.values == pytest.approx([0.2 * new * 0.85, peak.salience, 0.0, 0.0])


@proves("rate of change, novelty weight (.3, 60 s, about 2.0), reset on trigger")
def test_change_counts_per_second_and_what_was_long_unnoticed_counts_more() -> None:
    assert [novelty(s) for s in (0, 60)] == pytest.approx([1.0, 1 + 0.3 * math.log(2)])
    assert novelty(1622) == pytest.approx(2.0, abs=1e-4)
    assert novelty(86_400) == 2.0
    slow, fast = begun(), begun()
    moved = CALM._replace(energy=0.5)
    slow.evaluate(10 * SECOND_US, moved)
    fast.evaluate(1 * SECOND_US, moved)
    assert slow.values[3] == pytest.approx(0.01 * novelty(10))
    assert fast.values[3] == pytest.approx(0.1 * novelty(1))
    fast.mark("energy", 100 * SECOND_US)
    fast.evaluate(99 * SECOND_US, moved)
    fast.evaluate(100 * SECOND_US, CALM)
    assert fast.values[3] == pytest.approx(0.1 * novelty(0))


@proves("attention modifier 1 + .5·direction")
def test_attention_inward_amplifies_and_outward_damps() -> None:
    assert [modifier(direction) for direction in (-1, -0.3, 0, 1)] == [0.5, 0.85, 1.0, 1.5]
    for attention in (-1.0, 1.0):
        salience = begun()
        salience.evaluate(SECOND_US, CALM._replace(pain=0.1, attention=attention))
        assert salience.values[0] == pytest.approx(0.1 * novelty(1) * (1 + 0.5 * attention))


@proves("breach bonuses .8/.5, -.6/.4, .15/.3, .6/.6")
def test_each_dimension_has_its_bonus_beyond_its_limit_and_only_once() -> None:
    limits = (
        ("arousal", 0.8, 0.5),
        ("valence", -0.6, 0.4),
        ("energy", 0.15, 0.3),
        ("pain", 0.6, 0.6),
    )
    for name, limit, bonus in limits:
        row = Sense._fields.index(name)
        outward = 1e-9 if limit > 0.5 else -1e-9
        at_limit = CALM._replace(**{name: limit})
        salience = begun(0, at_limit)
        salience.evaluate(SECOND_US, at_limit)
        assert salience.values[row] == 0.0
        salience.evaluate(2 * SECOND_US, CALM._replace(**{name: limit + outward}))
        assert salience.values[row] == pytest.approx(bonus, abs=1e-8)
        salience.mark(name, 2 * SECOND_US)  # type: ignore[arg-type] # a name of the table
        salience.evaluate(3 * SECOND_US, CALM._replace(**{name: limit + outward}))
        assert salience.values[row] == 0.0


@proves("dynamic threshold .3, -.1, -.05, +.1, clamp .1 to .6")
def test_the_threshold_goes_with_the_state() -> None:
    anxious = CALM._replace(arousal=0.51, valence=-0.21)
    assert threshold(CALM) == 0.3
    assert threshold(anxious) == pytest.approx(0.2)
    assert threshold(CALM._replace(energy=0.29)) == pytest.approx(0.25)
    assert threshold(anxious._replace(energy=0.29)) == pytest.approx(0.15)
    assert threshold(CALM._replace(cognitive_load=0.61)) == pytest.approx(0.4)
    assert (
        threshold(anxious._replace(arousal=0.5)) == threshold(anxious._replace(valence=-0.2)) == 0.3
    )
    assert threshold(CALM, absorbed=9.0) == 0.6
    assert threshold(CALM, absorbed=-9.0) == 0.1


@proves("first Compute establishes baseline")
def test_the_first_evaluation_never_triggers_and_the_second_compares_with_it() -> None:
    extreme = Sense(pain=1.0, arousal=1.0, valence=-1.0, energy=0.0)
    salience = Salience()
    assert salience.evaluate(0, extreme) is None
    assert salience.ready
    assert salience.evaluate(SECOND_US, extreme) is None
    peak = salience.evaluate(2 * SECOND_US, extreme._replace(valence=-0.1))
    assert peak is not None
    assert (peak.dim, peak.dir) == ("valence", "+")


@proves("absorption")
def test_a_chain_of_thoughts_raises_the_threshold_and_can_hold_a_trigger_back() -> None:
    chain, theme = Chain(), ThoughtTrigger(category="GoalRehearsal", source="goal")
    for number in range(5):
        chain = chained(chain, "spontaneous", theme, labels=(), t_us=number * 30 * SECOND_US)
    now = chain.last_us + SECOND_US
    assert absorption(chain, now) == 1.0
    moved = CALM._replace(pain=0.38)
    free, absorbed = begun(), begun()
    assert free.evaluate(SECOND_US, moved) is not None
    assert absorbed.evaluate(SECOND_US, moved, absorbed=0.15 * absorption(chain, now)) is None
