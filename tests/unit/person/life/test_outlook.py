"""Who need not be looked at lives as who is looked at every minute."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import pytest

from mindpipe.core.records import to_json
from mindpipe.person.body.bank import Bank, Instants
from mindpipe.person.calendar import instant_us
from mindpipe.person.life import outlook
from mindpipe.person.life.birth import Birth, first_state, new_persons
from mindpipe.person.life.population import Population
from mindpipe.person.mind.week_tables import ROUTINES
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Habits, Person, Traits
from mindpipe.person.records.state import PersonState
from support.lone_life import happening

pytestmark = pytest.mark.heavy

ENDS_US = (instant_us("21:30:30"), instant_us("1d09:00"))
SAD = tuple(0.05 * step for step in range(1, 15))
"""How sad some are from the beginning, for days."""
HOUR_US = 3_600_000_000
EVENTS: dict[str, Sequence[Mapping[str, object]]] = {
    "p000001": [{"at": "10:00:20", "what": "threat", "level": 0.8, "dur_us": HOUR_US}],
    "p000002": [
        {"at": "09:00", "what": "exercise", "met": 9.0, "dur_us": HOUR_US},
        {"at": "23:10", "what": "noise", "db": 95.0, "dur_us": HOUR_US},
    ],
    "p000003": [
        {"at": "08:00", "what": "drug", "name": "caffeine", "amount": 300.0},
        {"at": "1d02:00", "what": "injury", "nrs": 8.0},
    ],
    "p000013": [{"at": "12:00", "what": "speech", "text": "Your mother died.", "source": "Ada"}],
    "p000014": [{"at": "13:00", "what": "speech", "text": "Your father died.", "source": "Ada"}],
    "p000004": [{"at": "03:00", "what": "speech", "text": "Wake up!", "valence": -0.9}],
}


def _persons() -> list[Person]:
    """Return some to whom something happens, some sad who do not eat, and some who only live."""
    born = list(new_persons(Birth(count=14 + len(SAD), seed=3)))
    gloomy = Traits(n=0.9, e=0.1)
    fasting = Habits(meals=False)
    born[14:] = [msgspec.structs.replace(one, traits=gloomy, habits=fasting) for one in born[14:]]
    weeks = zip(born[7:12], ROUTINES.values(), strict=True)
    born[8:12] = [msgspec.structs.replace(one, routine=week) for one, week in weeks]
    return born


def _lived(persons: Sequence[Person], *, told: bool) -> list[list[PersonState]]:
    """Return how persons are at the ends of some ticks, with or without events."""
    states = [first_state(one) for one in persons]
    for place, sad in enumerate(SAD, start=14):
        modes = msgspec.structs.replace(states[place].modes, v5=-sad)
        states[place] = msgspec.structs.replace(states[place], modes=modes)
    population = Population(persons, states)
    events: dict[str, list[PersonEvent]] = {}
    for person, some in EVENTS.items() if told else ():
        events[person] = [
            happening(str(one["at"]), str(one["what"]), to=person, number=number, **rest)
            for number, one in enumerate(some)
            for rest in [{name: one[name] for name in one if name not in ("at", "what")}]
        ]
    population.advance(0, events)
    found = []
    for end_us in ENDS_US:
        population.advance(end_us)
        found.append(population.states(read=True))
    return found


@pytest.mark.parametrize("told", [False, True])
def test_nobody_who_is_not_looked_at_would_do_anything(
    monkeypatch: pytest.MonkeyPatch, *, told: bool
) -> None:
    persons, looks = _persons(), {"quiet_us": 0, "composed_us": 0}
    for name in looks:
        known = getattr(outlook, name)

        def counted(
            bank: Bank, columns: Instants, *rest: object, name: str = name, known: object = known
        ) -> Instants:
            looks[name] += len(columns)
            found: Instants = known(bank, columns, *rest)  # type: ignore[operator]
            return found

        monkeypatch.setattr(outlook, name, counted)
    seldom = _lived(persons, told=told)
    minutes = len(persons) * ENDS_US[-1] // 60_000_000
    assert looks["quiet_us"] < minutes / 8
    assert told or looks["composed_us"] < minutes / 2
    for name in looks:
        monkeypatch.setattr(
            outlook, name, lambda bank, columns, *rest: np.zeros(len(columns), dtype=np.int64)
        )
    always = _lived(persons, told=told)
    assert [list(map(to_json, one)) for one in seldom] == [
        list(map(to_json, one)) for one in always
    ]
    # Some of them cope with nothing but hunger and an old sadness.
    assert any(one.psyche.coping for states in always for one in states[14:])
