"""Distortions: probabilities by mood, arousal, regulation and traits; draws by chance."""

import numpy as np
import pytest

from mindpipe.person.body.bank import Bank
from mindpipe.person.body.columns import DISTORTIONS as NAMES
from mindpipe.person.chance import key_of, uniform
from mindpipe.person.psyche import distortions
from mindpipe.person.psyche.distortions import DISTORTIONS, probabilities
from support import persons

MINUTE = 60_000_000
UPSET = {"valence": -0.8, "arousal": 0.9, "regulation": 0.3, "sleepiness": 0.5}


def test_the_conformance_values() -> None:
    found = probabilities(persons.reading(1, **UPSET), np.array([1.0]))[:, 0]
    for row, (_, slope) in enumerate(DISTORTIONS):
        by_slope = {-0.5: 0.159762, 1.0: 0.318646, 0.3: 0.235052}
        expected = 0.336261 if row == 0 else by_slope[slope]
        assert found[row] == pytest.approx(expected, abs=6e-7)


def test_the_distortions_are_those_of_the_record_in_its_order() -> None:
    assert tuple(name for name, _ in DISTORTIONS) == NAMES


def test_good_mood_counts_as_no_bad_mood() -> None:
    good = probabilities(persons.reading(1, valence=0.9, regulation=0.7), np.zeros(1))
    even = probabilities(persons.reading(1, valence=0.0, regulation=0.7), np.zeros(1))
    assert np.array_equal(good, even)


def upset_bank(count: int) -> tuple[list[str], Bank]:
    many = [persons.person(number) for number in range(count)]
    return [one.person for one in many], persons.bank(many)


def test_draws_are_those_of_the_block_of_ten_minutes_whatever_the_minute() -> None:
    ids, bank = upset_bank(60)
    bank.awake[:] = True
    expected = probabilities(persons.reading(60, **UPSET), np.zeros(60))
    for minute in (27, 29, 20, 30):
        distortions.decide(bank, persons.reading(60, **UPSET), minute * MINUTE)
        block = minute // 10 * 10 * MINUTE
        for column, name in enumerate(ids):
            for slot in range(11):
                active = expected[slot, column] > uniform(key_of(7, name), block, 2, slot)
                assert bank.distortions[slot, column] == active


def test_none_asleep() -> None:
    _, bank = upset_bank(60)
    bank.awake[:] = True
    distortions.decide(bank, persons.reading(60, **UPSET), MINUTE)
    assert bank.distortions.any()
    bank.awake[::2] = False
    distortions.decide(bank, persons.reading(60, **UPSET), 2 * MINUTE)
    assert not bank.distortions[:, ::2].any()
    assert bank.distortions[:, 1::2].any()
