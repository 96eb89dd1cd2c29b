"""Drives: clip(weight·need²) of each need, and their order."""

import math

import numpy as np
import pytest

from mindpipe.person.body.bank import CHANNEL
from mindpipe.person.psyche.drives import DRIVES, ranked, strengths
from support import persons
from support.tables import each_row

NAMES = [name for name, _ in DRIVES]


def strong(
    *, awake: bool = True, u: float = 0.0, lonely: float = 0.0, **known: float
) -> list[float]:
    bank = persons.bank([persons.person(1, loneliness_trait=lonely)])
    bank.awake[:] = awake
    bank.channel[CHANNEL["u"]] = u
    return [float(value) for value in strengths(bank, persons.reading(1, **known))[:, 0]]


@each_row(
    ("name", "known", "expected"),
    [
        ("eat", {"hunger": 0.8}, 0.64),
        ("drink", {"thirst": 0.5}, 0.25),
        ("toilet", {"bladder": 0.5}, 0.2),
        ("sleep", {"sleepiness": 0.5}, 0.25),
        ("sleep", {"sleepiness": 0.5, "awake": False}, 0.0),
        ("warmth", {"thermal": -0.5}, 0.25),
        ("warmth", {"thermal": 0.5}, 0.25),
        ("pain_relief", {"pain": 0.5}, 0.3),
        ("pain_relief", {"pain": 1.0}, 1.0),
        ("recovery", {"physical_fatigue": 0.5, "mental_fatigue": 0.2}, 0.175),
        ("recovery", {"physical_fatigue": 0.2, "mental_fatigue": 0.5}, 0.175),
        ("safety", {"u": 0.5}, 0.3),
        ("safety", {"vagal_withdrawal": 0.5}, 0.192),
        ("contact", {"isolation": 0.34}, (1 - math.exp(-3.5 * 0.34)) ** 2),
        ("contact", {"isolation": 0.34, "lonely": 1.0}, (0.5 * (1 - math.exp(-3.5 * 0.34))) ** 2),
        ("stimulation", {"boredom": 0.5}, 0.1),
    ],
)
def test_each_drive(name: str, known: dict[str, float], expected: float) -> None:
    found = strong(**known)  # type: ignore[arg-type]  # flags and numbers by name
    assert found[NAMES.index(name)] == pytest.approx(expected, abs=1e-12)
    others = [value for row, value in enumerate(found) if NAMES[row] != name]
    assert others == [0.0] * 9


def test_the_strongest_come_first_and_ties_in_the_order_of_the_table() -> None:
    values = [0.1, 0.5, 0.5, 0.0, 0.9, 0.0, 0.0, 0.0, 0.0, 0.0]
    top = [name for name, _ in ranked(values)][:5]
    assert top == ["warmth", "drink", "toilet", "eat", "sleep"]


def test_every_strength_is_between_none_and_all() -> None:
    bank = persons.bank([persons.person(number) for number in range(3)])
    found = strengths(bank, persons.reading(3, pain=1.0, vagal_withdrawal=1.0, hunger=1.0))
    assert np.all((found >= 0.0) & (found <= 1.0))
