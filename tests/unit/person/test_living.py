"""A life is the same however it is cut into ticks, in whatever company, out of JSON and back."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from mindpipe.core.records import to_json
from mindpipe.person.body import flow
from mindpipe.person.body.columns import bank_of
from mindpipe.person.body.constants import constants_of
from mindpipe.person.body.modes import MODES
from mindpipe.person.calendar import instant_us
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import LateEventError, PersonGroup, Population, made_punctual
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from support.drawn_lives import HOUR_US, history, instants, somebody
from support.lone_life import Alone, happening, person
from support.tables import each_row

pytestmark = pytest.mark.heavy

few = settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.generate],  # a smaller seed is no simpler life
)
seeds = st.integers(0, 2**32 - 1)


def _born(persons: Sequence[Person], states: Sequence[PersonState] | None = None) -> Population:
    """Return new persons, or persons as they are by now."""
    return Population(persons, states or [first_state(one) for one in persons])


def _bytes(population: Population) -> list[bytes]:
    """Return what is written of everybody, readouts too."""
    return [to_json(state) for state in population.states(read=True)]


def _lived(who: Person, events: Sequence[PersonEvent], until_us: int) -> bytes:
    """Return what is written of a person who lived alone in one tick."""
    population = _born([who])
    population.advance(until_us, {who.person: events})
    return _bytes(population)[0]


@few
@given(seeds)
def test_any_partition_of_a_run_gives_the_same_bytes(seed: int) -> None:
    chance = np.random.default_rng(seed)
    who, until_us = somebody(chance, 1), 14 * HOUR_US + int(chance.integers(HOUR_US))
    events = history(chance, who, instants(chance, 14))
    population = _born([who])
    edges = sorted({*instants(chance, 14, 40), until_us})
    population.advance(0, {who.person: events})
    for edge in edges:
        population.advance(edge)
    assert _bytes(population) == [_lived(who, events, until_us)]


@few
@given(seeds)
def test_events_may_come_with_the_tick_that_they_fall_into(seed: int) -> None:
    chance = np.random.default_rng(seed)
    who, until_us = somebody(chance, 1), 14 * HOUR_US
    events = [event for event in history(chance, who, instants(chance, 14)) if event.t_us > 0]
    population, before = _born([who]), 0
    for edge in sorted({*instants(chance, 14, 20), until_us}):
        now = [event for event in events if before < event.t_us <= edge]
        population.advance(edge, {who.person: now})
        before = edge
    assert _bytes(population) == [_lived(who, events, until_us)]


@few
@given(seeds)
def test_a_state_out_of_json_goes_on_bit_for_bit(seed: int) -> None:
    chance = np.random.default_rng(seed)
    who, until_us = somebody(chance, 1), 14 * HOUR_US
    events = [event for event in history(chance, who, instants(chance, 14)) if event.t_us > 0]
    state, before = first_state(who), 0
    for edge in sorted({*instants(chance, 14, 12), until_us}):
        population = _born([who], [state])
        now = [event for event in events if before < event.t_us <= edge]
        population.advance(edge, {who.person: now})
        who = msgspec.json.decode(to_json(population.persons[0]), type=Person)
        line = to_json(population.states(read=True)[0])
        state = msgspec.json.decode(line, type=PersonState)
        before = edge
    whole = _born([who])
    whole.advance(until_us, {who.person: events})
    assert to_json(state) == _bytes(whole)[0]


@pytest.mark.parametrize(("count", "hours"), [(4, 5), pytest.param(7, 9, marks=pytest.mark.long)])
@few
@given(seeds)
def test_a_person_among_others_lives_as_it_does_alone(count: int, hours: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    persons = [somebody(chance, number) for number in range(count)]
    persons[3] = msgspec.structs.replace(persons[3], consts={"tau_hun": 20_000.0})
    shared = instants(chance, hours, 12)
    events = {one.person: history(chance, one, shared) for one in persons}
    until_us = hours * HOUR_US + 5
    together = _born(persons)
    together.advance(until_us, events)
    assert _bytes(together) == [_lived(one, events[one.person], until_us) for one in persons]
    order = chance.permutation(len(persons)).tolist()
    mixed = _born([persons[place] for place in order])
    mixed.advance(until_us, events)
    there = _bytes(together)
    assert _bytes(mixed) == [there[place] for place in order]


@pytest.mark.parametrize("cuts", [1500, pytest.param(6000, marks=pytest.mark.long)])
def test_thousands_of_cuts_more_change_next_to_nothing(cuts: int) -> None:
    chance, who = np.random.default_rng(1), person()
    injury = happening("15:00:00.5", "injury", nrs=8.0, cls="fracture")
    group = PersonGroup(bank_of([who], [first_state(who)], constants_of(())))
    group.expect(0, [injury])
    for t_us in np.sort(chance.integers(48 * HOUR_US, size=cuts)).tolist():
        group.advance(t_us)
        flow.advance(group.bank, t_us)
    group.advance(48 * HOUR_US)
    plain = Alone(who, [injury]).at("2d00:00")
    expected = [getattr(plain.modes, mode.name) for mode in MODES]
    assert group.bank.modes[:, 0].tolist() == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_a_rested_month_stays_periodic() -> None:
    life = Alone(person())
    before, after = life.at("30d00:00").modes, life.at("31d00:00").modes
    moved = [
        mode.name
        for mode in MODES
        if abs(getattr(after, mode.name) - getattr(before, mode.name)) > 1e-6
    ]
    assert set(moved) <= {"dopa", "v1", "bladder", "allo"}


@each_row("until", ["12:00", "12:00:00.5"])
def test_an_event_at_the_very_instant_of_a_state_is_met_there(until: str) -> None:
    who, at_us = person(), instant_us(until)
    event = happening(until, "injury", nrs=9.0, cls="fracture")
    late = _born([who])
    late.advance(at_us)
    late.advance(at_us, {"ann": [event]})
    late.advance(at_us + HOUR_US)
    assert _bytes(late) == [_lived(who, [event], at_us + HOUR_US)]


def test_late_events_are_refused_before_anything_is_done() -> None:
    population = _born([person()])
    population.advance(HOUR_US)
    before = _bytes(population)
    soon = happening("01:30", "noise", db=100.0)
    late = happening("00:59:59.999999", "noise", db=100.0)
    with pytest.raises(LateEventError, match="late_event"):
        population.advance(2 * HOUR_US, {"ann": [soon, late]})
    assert _bytes(population) == before
    assert population.waiting() == []
    now = made_punctual(late, HOUR_US)
    assert (now.t_us, now.late_from_us) == (HOUR_US, HOUR_US - 1)
    population.advance(HOUR_US, {"ann": [now]})
    assert population.states()[0].flags.awake


def test_what_is_to_come_waits() -> None:
    population = _born([person()])
    event = happening("03:00", "noise", db=100.0)
    population.advance(HOUR_US, {"ann": [event]})
    assert population.waiting() == [event]
    population.advance(3 * HOUR_US)
    assert population.waiting() == []
    assert population.states()[0].flags.awake


def test_events_that_last_no_time_leave_only_their_impulses() -> None:
    life = Alone(person(), [happening("12:00", "threat", level=1.0, dur_us=0)])
    state = life.at("12:00")
    assert state.active == ()
    assert state.modes.aev > 0.1


@each_row(("dur_us", "awake"), [(0, False), (1, True)])
def test_what_lasts_no_time_wakes_nobody(dur_us: int, *, awake: bool) -> None:
    threat = happening(
        "03:00:00.5", "threat", level=1.0, social_eval=1.0, control=0.0, dur_us=dur_us
    )
    assert Alone(person(), [threat]).at("03:00:00.5").flags.awake is awake
