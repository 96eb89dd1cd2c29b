"""Coping: probabilities by trait and control, episodes by stress, draws by chance."""

import itertools

import numpy as np
import pytest

from mindpipe.person.body.bank import Bank
from mindpipe.person.body.columns import COPING
from mindpipe.person.body.personality import TRAITS
from mindpipe.person.chance import key_of, uniform
from mindpipe.person.psyche import coping
from mindpipe.person.psyche.coping import STRATEGIES, probabilities
from support import persons
from support.tables import each_row

MINUTE = 60_000_000


def likely(*, n: float = 0.0, control: float = 0.0, regulation: float = 0.5) -> list[float]:
    z = np.array([[0.0], [0.0], [0.0], [0.0], [n]])
    found = probabilities(z, np.array([control]), np.array([regulation]))
    return [float(value) for value in found[:, 0]]


@each_row(
    ("found", "expected"),
    [
        (likely(), (0.180288, 0.180288, 0.180288, 0.163132, 0.120851, 0.120851, 0.054302)),
        (
            likely(n=2.0, control=-1.0, regulation=0.3),
            (0.019357, 0.053681, 0.148868, 0.158073, 0.129419, 0.388797, 0.101805),
        ),
    ],
)
def test_the_conformance_values(found: list[float], expected: tuple[float, ...]) -> None:
    assert found == pytest.approx(expected, abs=6e-7)
    assert sum(found) == pytest.approx(1.0, abs=1e-12)


def test_the_strategies_are_those_of_the_record_in_its_order() -> None:
    assert tuple(one.name for one in STRATEGIES) == COPING


@each_row(
    ("name", "trait", "sign"),
    [
        ("problem_solving", "c", 1),
        ("problem_solving", "e", 1),
        ("problem_solving", "n", -1),
        ("reappraisal", "c", 1),
        ("reappraisal", "e", 1),
        ("reappraisal", "n", -1),
        ("denial", "n", 1),
        ("denial", "c", -1),
        ("denial", "a", -1),
        ("rumination", "n", 1),
    ],
)
def test_the_signs_of_traits(name: str, trait: str, sign: int) -> None:
    row = COPING.index(name)
    z = np.zeros((5, 2))
    z[TRAITS.index(trait), 1] = 1.0
    found = probabilities(z, np.zeros(2), np.full(2, 0.55))
    assert np.sign(found[row, 1] - found[row, 0]) == sign


def names(bank: Bank, column: int = 0) -> tuple[str, ...]:
    return tuple(COPING[code] for code in bank.coping[:, column] if code >= 0)


def test_no_coping_at_rest_and_an_episode_from_stress_of_fifteen_hundredths() -> None:
    bank = persons.bank([persons.person(1)])
    bank.awake[:] = True
    coping.decide(bank, persons.reading(1, stress=0.1499), 10 * MINUTE)
    assert names(bank) == ()
    assert bank.episode_us[0] == -1
    coping.decide(bank, persons.reading(1, stress=0.15, regulation=0.5), 10 * MINUTE + 1)
    assert len(names(bank)) == 1
    assert bank.episode_us[0] == 10 * MINUTE + 1


def test_an_episode_goes_on_above_a_tenth_and_ends_below_it_on_the_grid_only() -> None:
    bank = persons.bank([persons.person(1)])
    bank.awake[:] = True
    coping.decide(bank, persons.reading(1, stress=0.2), MINUTE)
    first = names(bank)
    coping.decide(bank, persons.reading(1, stress=0.1), 2 * MINUTE)
    assert names(bank) == first
    coping.decide(bank, persons.reading(1, stress=0.05), 2 * MINUTE + 5)
    assert names(bank) == first, "off the grid nothing ends"
    coping.decide(bank, persons.reading(1, stress=0.0999), 3 * MINUTE)
    assert names(bank) == ()
    assert bank.episode_us[0] == -1


def test_sleep_ends_an_episode_and_none_begins_asleep() -> None:
    bank = persons.bank([persons.person(1)])
    bank.awake[:] = True
    coping.decide(bank, persons.reading(1, stress=0.9), MINUTE)
    bank.awake[:] = False
    coping.decide(bank, persons.reading(1, stress=0.9), MINUTE + 7)
    assert names(bank) == ()
    coping.decide(bank, persons.reading(1, stress=0.9), 2 * MINUTE)
    assert bank.episode_us[0] == -1


def by_hand(name: str, t_us: int, stress: float) -> list[str]:
    """Return what the specification says a person of mean traits turns to, step by step."""
    left: dict[str, float] = dict(zip(COPING, likely(regulation=0.4, control=0.5), strict=True))
    chosen = list[str]()
    for slot in range(2 if stress >= 0.5 else 1):
        point = uniform(key_of(7, name), t_us, 1, slot) * sum(left.values())
        for strategy, reached in zip(left, itertools.accumulate(left.values()), strict=True):
            if point < reached:
                chosen.append(strategy)
                break
        del left[chosen[-1]]
    return chosen


@each_row("stress", [0.3, 0.5, 0.9])
def test_draws_are_those_of_chance_and_the_second_is_another(stress: float) -> None:
    many = [persons.person(number) for number in range(200)]
    bank = persons.bank(many)
    bank.awake[:] = True
    bank.control[:] = 0.5
    coping.decide(bank, persons.reading(200, stress=stress, regulation=0.4), 7 * MINUTE)
    for column, one in enumerate(many):
        assert list(names(bank, column)) == by_hand(one.person, 7 * MINUTE, stress)


def test_an_episode_draws_again_every_ten_minutes_and_not_between() -> None:
    many = [persons.person(number) for number in range(50)]
    bank = persons.bank(many)
    bank.awake[:] = True
    calm = persons.reading(50, stress=0.3, regulation=0.4)
    bank.control[:] = 0.5
    coping.decide(bank, calm, 7 * MINUTE)
    for minute in (8, 9):
        coping.decide(bank, calm, minute * MINUTE)
    assert [list(names(bank, column)) for column in range(50)] == [
        by_hand(one.person, 7 * MINUTE, 0.3) for one in many
    ]
    coping.decide(bank, calm, 10 * MINUTE)
    assert [list(names(bank, column)) for column in range(50)] == [
        by_hand(one.person, 10 * MINUTE, 0.3) for one in many
    ]


def test_a_person_among_others_copes_as_alone() -> None:
    many = [persons.person(number, traits=persons.of_traits(n=number % 3)) for number in range(40)]
    together = persons.bank(many)
    together.awake[:] = True
    coping.decide(together, persons.reading(40, stress=0.6, regulation=0.3), MINUTE)
    for column, one in enumerate(many):
        alone = persons.bank([one])
        alone.awake[:] = True
        coping.decide(alone, persons.reading(1, stress=0.6, regulation=0.3), MINUTE)
        assert names(alone) == names(together, column)
