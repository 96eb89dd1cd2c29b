"""Who mourns, has a child born or is badly hurt stays away from work for a while, and no longer."""

import msgspec
import pytest

from mindpipe.person.calendar import DAY_US
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.mind.learnt import turned
from mindpipe.person.mind.situation import situation_of
from mindpipe.person.mind.turns import turn_of
from mindpipe.person.mind.week_tables import ROUTINES
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person, PersonIdentity
from support.lone_life import happening

HOUR_US = DAY_US // 24
ROSA = PersonIdentity(
    self_narrative="I'm Rosa, thirty-two, a clerk in Lyon.",
    relational_markers=("Luc, my husband", "my mother Alda", "my son Max", "Bea, my colleague"),
)
BEARER = msgspec.structs.replace(ROSA, self_narrative=f"{ROSA.self_narrative} I am pregnant.")
DEATH = {"valence": -1.0, "importance": 1.0}
TURNS = {
    "a husband": (ROSA, {"text": "Luc has died in the night", **DEATH}, 5),
    "a child": (ROSA, {"text": "your son Max has died", **DEATH}, 14),
    "a colleague": (ROSA, {"text": "Bea has died", **DEATH}, 0),
    "a child that she bears": (BEARER, {"text": "your daughter Nia is born", "valence": 1.0}, 98),
    "a child that is born to her": (
        ROSA,
        {"text": "your daughter Nia is born", "valence": 1.0},
        14,
    ),
}


def lived(identity: PersonIdentity, event: PersonEvent, until_us: int) -> Population:
    who = Person(person="ann", identity=identity, routine=ROUTINES["office"])
    population = Population([who], [first_state(who)])
    population.advance(until_us, {"ann": [event]})
    return population


def place(population: Population, t_us: int) -> str:
    who, state = population.persons[0], population.states()[0]
    return situation_of(who, state.mind, t_us, awake=True).place


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_keeps_at_home_for_its_days(name: str) -> None:
    identity, told, days = TURNS[name]
    event = happening("0d04:00", "news", **({"importance": 1.0} | told))
    turn = turn_of(event, identity)
    assert turn is not None
    *_, fact = turned(identity, turn, event).learnt
    assert fact.leave_us == (event.t_us + days * DAY_US if days else None)


@pytest.mark.heavy
def test_who_mourns_goes_to_work_again_and_is_widowed_still() -> None:
    event = happening("0d04:00", "news", text="Luc has died in the night", **DEATH)
    who = Person(person="ann", identity=ROSA, routine=ROUTINES["office"])
    population = Population([who], [first_state(who)])
    works = list[int]()
    for day in range(9):
        now_us = day * DAY_US + 10 * HOUR_US
        population.advance(now_us, {"ann": [event] if day == 0 else []})
        if place(population, now_us).startswith("at work"):
            works.append(day)
    assert works == [7, 8]
    assert any(one.turn == "bereavement" for one in population.persons[0].identity.learnt)


def test_who_has_borne_a_child_is_where_that_was_and_not_by_itself() -> None:
    event = happening(
        "0d08:30", "news", text="your daughter Nia is born", valence=1.0, importance=1.0
    )
    population = lived(BEARER, event, 9 * HOUR_US)
    who, state = population.persons[0], population.states()[0]
    found = situation_of(who, state.mind, 9 * HOUR_US, awake=True)
    assert (found.place, found.company) == ("where your child was born", ("Nia",))


def test_who_is_dismissed_at_work_is_not_at_home_in_the_same_second() -> None:
    event = happening("0d14:00", "news", text="you are dismissed", valence=-0.8, importance=0.9)
    population = lived(ROSA, event, 14 * HOUR_US + 1)
    who, state = population.persons[0], population.states()[0]
    employed = msgspec.structs.replace(who, identity=ROSA)
    before = situation_of(employed, first_state(who).mind, 13 * HOUR_US, awake=True)
    mind = msgspec.structs.replace(state.mind, situation=before)
    assert before.place.startswith("at work")
    for minutes, stays in ((1, True), (59, True), (61, False)):
        t_us = 14 * HOUR_US + minutes * HOUR_US // 60
        assert (situation_of(who, mind, t_us, awake=True).place == before.place) == stays


@pytest.mark.heavy
def test_a_bad_hurt_keeps_from_work_for_a_week() -> None:
    event = happening(
        "0d06:00", "injury", nrs=7, text="you fall and break your arm", importance=0.9
    )
    for day, works in ((1, False), (4, False), (8, True)):
        population = lived(ROSA, event, day * DAY_US + 10 * HOUR_US)
        assert place(population, day * DAY_US + 10 * HOUR_US).startswith("at work") == works


def test_a_widower_by_himself_has_no_family_in_the_house() -> None:
    told = PersonIdentity(
        self_narrative="I'm Otto, seventy-nine, retired. I live alone since Edith died.",
        relational_markers=("Susan, my daughter in Canada",),
    )
    who = Person(person="ann", identity=told, routine=ROUTINES["retired"])
    state = first_state(who)
    for hour in range(7 * 24):
        found = situation_of(who, state.mind, hour * HOUR_US + HOUR_US // 2, awake=True)
        assert not (found.place == "at home" and "your family" in found.company), hour
