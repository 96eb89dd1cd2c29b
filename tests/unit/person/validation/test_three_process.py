"""The body's alertness beside an implementation of the published model that shares no code with it.

Over five days of 16 hours awake and 8 asleep, and then 40 hours awake, they are at most 0.05 units
of the model apart.
"""

import ast
from pathlib import Path

import pytest

from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Habits, Person, PersonSettings
from mindpipe.person.validation import witness
from support import alertness_oracle
from support.tables import each_row

pytestmark = pytest.mark.heavy

HOUR_US = 3_600_000_000
MINUTE_US = 60_000_000
SWITCHES = [24.0 * day + hour for day in range(5) for hour in (7, 23)] + [127.0]
END_H = 167.0


@pytest.fixture(scope="module")
def expected() -> dict[int, float]:
    """Alertness by the minute, as the published model has it."""
    reserve = first_state(person()).modes.L
    found = alertness_oracle.course(reserve, SWITCHES, END_H)
    return {round(hour * 60): value for hour, value in found}


def person() -> Person:
    settings = PersonSettings(awareness=False, model="none")
    return Person(person="ann", habits=Habits(sleep=False), settings=settings)


def scheduled() -> list[PersonEvent]:
    return [
        PersonEvent(
            v=1,
            person="ann",
            t_us=round(hour * HOUR_US),
            id=f"switch {number}",
            type="sleep" if number % 2 else "wake",
        )
        for number, hour in enumerate(SWITCHES)
    ]


def test_alertness_is_that_of_the_published_model(expected: dict[int, float]) -> None:
    population = Population([person()], [first_state(person())])
    population.advance(0, {"ann": scheduled()})
    apart = []
    for minute in range(0, round(END_H * 60) + 1, 15):
        population.advance(minute * MINUTE_US)
        (read,) = population.readouts()
        if minute in expected:
            apart.append(abs(read.alertness - expected[minute]))
    assert len(apart) == 4 * (5 * 16 + 40) + 1
    assert max(apart) <= 0.05
    # What is left is what steps of ten seconds cost.
    assert max(apart) < 1e-5


def test_the_program_s_own_witness_is_the_published_model_as_well(
    expected: dict[int, float],
) -> None:
    hours = [minute / 60 for minute in expected]
    reserve = first_state(person()).modes.L
    found = witness.curve(reserve, SWITCHES, hours)
    assert max(abs(one - known) for one, known in zip(found, expected.values(), strict=True)) < 1e-5
    assert witness.curve(reserve, SWITCHES, [3.0, 24.5]) == [None, None]


@each_row("module", [alertness_oracle, witness])
def test_a_witness_shares_no_code_with_the_body(module: object) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text())
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported <= {"math", "collections.abc"}
