"""The table of section 13, read a second time: what makes each strategy likelier."""

from math import exp

import numpy as np
import pytest

from mindpipe.person.psyche import coping
from mindpipe.person.psyche.drives import Mood
from support import persons
from support.tables import each_row

TABLE = {
    "problem_solving": (0.2, -0.25, 0.35, 0.55, 0, 0, 1.0, 0.4),
    "reappraisal": (0.2, -0.30, 0.40, 0.35, 0.28, 0, -0.2, 0.6),
    "acceptance": (0.2, 0, 0, 0, 0, 0, -0.5, 0.3),
    "distraction": (0.1, 0.18, 0, 0, 0, 0, -0.1, -0.2),
    "suppression": (-0.2, 0.20, 0, -0.15, 0, -0.10, -0.2, -0.1),
    "rumination": (-0.2, 0.60, 0, -0.10, 0, 0, -0.3, -0.6),
    "denial": (-1.0, 0.33, 0, -0.31, 0, -0.24, -0.3, -0.6),
}
"""Each strategy's row of the table, its columns being those of `COLUMNS`."""
COLUMNS = ("b", "n", "e", "c", "o", "a", "control", "regulation")


def by_hand(**level: float) -> list[float]:
    """Return the softmax of the logits of the table, in its order."""
    known = {"b": 1.0} | level
    factor = [known.get(name, 0.0) for name in COLUMNS]
    odds = [exp(sum(map(float.__mul__, map(float, row), factor))) for row in TABLE.values()]
    return [one / sum(odds) for one in odds]


@each_row("name", ["none", *COLUMNS[1:]])
def test_every_column_of_the_table(name: str) -> None:
    z = np.array([[2.0 if name == trait else 0.0] for trait in ("o", "c", "e", "a", "n")])
    control = np.array([0.7 if name == "control" else 0.0])
    regulation = np.array([0.9 if name == "regulation" else 0.5])
    level = {"control": 0.7, "regulation": 2 * (0.9 - 0.5)}.get(name, 2.0)
    found = coping.probabilities(z, control, regulation)[:, 0]
    assert found.tolist() == pytest.approx(by_hand(**{name: level}), rel=1e-12)


def _mood(stress: float) -> Mood:
    """Return the mood of one person who is stressed."""
    rest, half = np.zeros(1), np.full(1, 0.5)
    return Mood(rest, rest, half, np.full(1, stress), rest)


@each_row(("stress", "second"), [(0.5, True), (0.4999, False)])
def test_a_second_strategy_joins_from_half_of_all_stress(stress: float, *, second: bool) -> None:
    bank = persons.bank([persons.person(1)])
    bank.awake[:] = True
    coping.decide(bank, _mood(stress), 60_000_000)
    assert (bank.coping[0, 0] >= 0, bank.coping[1, 0] >= 0) == (True, second)


@each_row(
    ("going", "stress", "stirs"),
    [(False, 0.15, True), (False, 0.1499, False), (True, 0.0999, True), (True, 0.1, False)],
)
def test_who_would_begin_or_end_to_cope_stirs(stress: float, *, going: bool, stirs: bool) -> None:
    bank = persons.bank([persons.person(1)])
    bank.awake[:] = True
    bank.episode_us[:] = 0 if going else -1
    assert bool(coping.stirred(bank, _mood(stress))[0]) is stirs
