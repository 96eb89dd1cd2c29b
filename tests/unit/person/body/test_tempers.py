"""What traits and company change about events (sections 8.2, 8.3 and 10), by somebody who has both.

The person is z_n = 2, z_a = z_e = z_o = 1, and in company of quality 0.5, so support is 0.55.
"""

from functools import cache
from math import exp
from typing import Any

import pytest

from mindpipe.person.calendar import instant_us
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from support.lone_life import happening
from support.persons import of_traits
from support.tables import each_row

NOON = "12:00:00.5"
EASED = 1 - 0.4 * (0.5 * 1.1)


WHO = Person(person="ann", traits=of_traits(n=2.0, a=1.0, e=1.0, o=1.0))


@cache
def _in_company() -> PersonState:
    """Return the state of the person at noon, in company."""
    population = Population([WHO], [first_state(WHO)])
    population.advance(
        instant_us("12:00"), {"ann": [happening("11:59:30", "contact", quality=0.5)]}
    )
    return population.states()[0]


def _after(what: str, **fields: Any) -> PersonState:
    """Return the state of the person just after an event at noon."""
    population = Population([WHO], [_in_company()])
    population.advance(instant_us(NOON), {"ann": [happening(NOON, what, **fields)]})
    return population.states()[0]


def _moved(what: str, mode: str, **fields: Any) -> float:
    """Return by how much an event moves a mode."""
    before = _after("goal", text="a walk")
    return float(getattr(_after(what, **fields).modes, mode) - getattr(before.modes, mode))


def _drive(what: str, **fields: Any) -> float:
    """Return the drive of stress that an event begins."""
    (drive,) = (one.chan["u"] for one in _after(what, **fields).active if "u" in one.chan)
    return drive


def _prone(social_eval: float) -> float:
    """Return p(so) for z_n = 2 and z_a = 1."""
    return (1 + 0.10 * 2) * (1 - 0.10 * social_eval)


def test_stress_is_that_of_the_temper_eased_by_company() -> None:
    judged = {"social_eval": 0.6, "control": 0.3}
    grave = 0.05 + 0.30 * 0.6 + 0.30 * 0.7 + 0.35 * 0.6 * 0.7
    for what, fields in (("threat", {"level": 0.5}), ("task", {"load": 0.2, "level": 0.5})):
        found = _drive(what, **fields, **judged)
        assert found == pytest.approx(0.5 * grave * _prone(0.6) * EASED, rel=1e-12)
    unkind = _drive("speech", text="no", valence=-0.9, intensity=0.8)
    assert unkind == pytest.approx(0.3 * 0.9 * 0.8 * _prone(1.0) * EASED, rel=1e-12)
    bad = _drive("news", valence=-0.5, importance=0.8)
    assert bad == pytest.approx(0.3 * 0.8 * 0.5 * _prone(0.0) * EASED, rel=1e-12)


def test_warmth_and_curiosity_are_those_of_the_temper() -> None:
    warmth = _moved("speech", "oxy", text="hello", valence=0.8, closeness=0.6)
    assert warmth == pytest.approx(0.15 * 0.8 * 0.6 * 1.1)
    curiosity = _moved("news", "dopa", valence=0.7, importance=0.6)
    assert curiosity == pytest.approx(0.3 * 0.6 * 0.7 * 1.1)
    assert _moved("speech", "oxy", text="no", valence=-0.2) == 0.0
    assert _after("touch", valence=-0.5).active[-1].chan == {"touch": 0.0, "q": 0.5}
    touched = _after("touch", valence=0.5, intensity=0.8)
    assert touched.active[-1].chan == {"touch": pytest.approx(0.4), "q": 0.5}


def test_the_anxious_feel_longer() -> None:
    left = [exp(-1.3 * 6), exp(-1.3 / 2)]
    slower = (0.05 - left[0]) / (left[1] - left[0])
    share = 0.15 * 2
    shares = {
        "v1": (1 - share) * (1 - slower),
        "v2": (1 - share) * slower + share * (1 - slower),
        "v3": share * slower,
        "v4": 0.0,
    }
    amount = 0.8 * -0.2 * 0.5 * (0.5 + 0.5 * 0.4)
    for mode, weight in shares.items():
        found = _moved("speech", mode, text="no", valence=-0.2, closeness=0.4)
        assert found == pytest.approx(amount * weight, abs=1e-14), mode


@each_row(
    ("what", "fields", "felt"),
    [
        ("speech", {"text": "x", "valence": 0.5}, "gratitude"),
        ("speech", {"text": "x", "valence": -0.5}, "irritation"),
        ("news", {"valence": 0.5, "importance": 0.5}, "joy"),
        ("news", {"valence": -0.5, "importance": 0.5}, "sadness"),
        ("threat", {"level": 0.5}, "fear"),
        ("touch", {}, "touched"),
        ("injury", {"nrs": 3.0}, "pain"),
        ("task", {"load": 0.5, "social_eval": 0.5, "control": 0.5}, "stress"),
        ("speech", {"text": "x", "valence": -0.5, "cls": "shame"}, "shame"),
        ("news", {"valence": -0.5, "importance": 0.5, "cls": "despair"}, "despair"),
        ("threat", {"level": 0.5, "cls": "anger"}, "anger"),
    ],
)
def test_events_make_feel_what_their_class_is(what: str, fields: dict[str, Any], felt: str) -> None:
    # Which class it was is told by how an impulse is spread: v1 to v3 of an equal named event.
    named = {"text": "x", "valence": -0.5, "cls": felt}
    moved = [_moved(what, mode, **fields) for mode in ("v1", "v2", "v3", "v4", "v5")]
    model = [_moved("speech", mode, **named) for mode in ("v1", "v2", "v3", "v4", "v5")]
    spread = [level / sum(moved) for level in moved]
    assert spread == pytest.approx([level / sum(model) for level in model], abs=1e-9)
