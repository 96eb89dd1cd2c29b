"""Lives at their own pace: company and turns reach body and identity, however they are split."""

from collections.abc import Iterator, Sequence

import msgspec
import pytest

from mindpipe.core.records import to_json
from mindpipe.person.calendar import DAY_US, instant_us
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.mind.week_tables import ROUTINES
from mindpipe.person.records.episode import RoutineBlock
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import LearntFact, Person, PersonIdentity, PersonSettings
from mindpipe.person.records.state import PersonState, Readouts
from support.lone_life import happening

pytestmark = pytest.mark.heavy

QUIET = PersonSettings(awareness=False)
HOUR_US = DAY_US // 24
WIFE = PersonIdentity(
    self_narrative="I'm Ole, 58, a joiner.",
    relational_markers=("Ines, my wife", "my brother Kai"),
)
DEATH = happening(
    "1d03:30:10", "news", text="the clinic calls: Ines has died", valence=-1.0, importance=1.0
)
EXAM = happening(
    "09:00", "goal", text="pass the driving test", importance=0.9, due_us=instant_us("3d10:00")
)
FLU = happening("1d15:00", "illness", peak_c=1.5, dur_us=40 * HOUR_US, number=1)
WORK = happening("2d10:00", "action", text="Rita brings soup", source="Rita", valence=0.8,
                 intensity=0.9, closeness=0.6)  # fmt: skip
EVENTS = (EXAM, DEATH, FLU, WORK)


def ole(**changes: object) -> Person:
    return msgspec.structs.replace(
        Person(person="ann", seed=3, identity=WIFE, settings=QUIET), **changes
    )


def live(who: Person, events: Sequence[PersonEvent], *stops: str) -> tuple[Person, PersonState]:
    """Let a person live from stop to stop, through its lines of JSON at each."""
    *_, end = lived(who, events, *stops)
    return end


def lived(
    who: Person, events: Sequence[PersonEvent], *stops: str
) -> Iterator[tuple[Person, PersonState]]:
    """Yield what a person and its state are at each stop."""
    state, last_us = first_state(who), 0
    for stop in stops:
        until_us = instant_us(stop)
        population = Population([who], [state])
        due = [one for one in events if last_us < one.t_us <= until_us or one.t_us == last_us == 0]
        population.advance(until_us, {"ann": due})
        (who,), (state,) = population.persons, population.states()
        who = msgspec.json.decode(to_json(who), type=Person)
        state = msgspec.json.decode(to_json(state), type=PersonState)
        last_us = until_us
        yield who, state


def read(who: Person, events: Sequence[PersonEvent], at: str) -> Readouts:
    population = Population([who], [first_state(who)])
    population.advance(instant_us(at), {"ann": list(events)})
    found = population.states(read=True)[0].read
    assert isinstance(found, Readouts)
    return found


@pytest.mark.parametrize("routine", [None, ROUTINES["nurse-nights"]])
def test_any_split_is_the_same_life(routine: tuple[RoutineBlock, ...] | None) -> None:
    who = ole(routine=routine)
    whole = live(who, EVENTS, "4d02:20")
    pieces = live(
        who, EVENTS, "08:59:59", "18:30", "1d00:00", "1d03:30:10", "1d03:30:11", "1d19:14:30",
        "2d00:00:00.5", "2d10:00:01", "3d10:00", "4d02:20",
    )  # fmt: skip
    assert pieces == whole


def test_a_person_among_others_is_the_person_alone() -> None:
    many = [
        msgspec.structs.replace(ole(routine=routine), person=name, seed=seed)
        for seed, (name, routine) in enumerate(
            (("ann", None), ("b", ROUTINES["student"]), ("c", ROUTINES["nurse-nights"]), ("d", ()))
        )
    ]
    until_us = instant_us("1d19:07")
    events = {
        one.person: [msgspec.structs.replace(event, person=one.person) for event in EVENTS]
        for one in many
    }
    together = Population(many, [first_state(one) for one in many])
    together.advance(until_us, events)
    for one, state in zip(many, together.states(), strict=True):
        alone = Population([one], [first_state(one)])
        alone.advance(until_us, {one.person: events[one.person]})
        assert alone.states() == [state]
        assert alone.persons[0] in together.persons


def test_a_life_of_the_version_before_goes_on() -> None:
    who = ole()
    _, state = live(who, (), "1d07:10:20")
    kept = msgspec.json.decode(to_json(state))
    del kept["mind"]["episodes"], kept["mind"]["situation"]
    older = msgspec.convert(kept, PersonState)
    population = Population([who], [older])
    population.advance(instant_us("1d20:00"))
    assert population.states()[0].modes.iso < 0.05


def test_nothing_of_it_reaches_a_person_at_the_pace_of_the_seed() -> None:
    seed = PersonSettings(awareness=False, pacing="seed")
    plain = Person(person="ann", seed=3, settings=seed)
    who, state = live(ole(settings=seed, routine=ROUTINES["office"]), EVENTS, "4d00:00")
    _, expected = live(plain, EVENTS, "4d00:00")
    assert state.modes == expected.modes
    assert state.active == expected.active
    assert not who.identity.learnt
    assert [one.topic for one in state.mind.episodes] == [""] * len(state.mind.episodes)


def test_who_lives_with_somebody_is_not_lonely() -> None:
    assert read(ole(), (), "2d21:00").isolation < 0.08
    alone = PersonIdentity(self_narrative="I'm Ole, 58. I live alone.")
    assert read(ole(identity=alone), (), "3d21:00").isolation_phase == "loneliness"


def test_a_death_takes_sleep_appetite_and_energy_and_is_learnt_at_once() -> None:
    who, after = live(ole(), [DEATH], "1d03:30:11")
    assert after.flags.awake
    (episode,) = after.mind.episodes
    assert episode.topic == "bereavement"
    assert who.identity.relational_markers == WIFE.relational_markers
    was, fact = who.identity.learnt
    assert (fact.about, fact.turn) == ("Ines", "bereavement")
    assert (was.text, was.until_us) == ("you were married to Ines", DEATH.t_us)
    mourning, usual = read(ole(), [DEATH], "1d15:00"), read(ole(), (), "1d15:00")
    assert mourning.energy < usual.energy - 0.08
    assert mourning.hunger < usual.hunger * 0.85
    assert mourning.regulation < usual.regulation - 0.1
    assert mourning.boredom < 0.1


def test_a_turn_fades_and_ends() -> None:
    sick = happening("10:00", "illness", peak_c=1.0, dur_us=6 * HOUR_US)
    levels = []
    for _, state in lived(ole(), [sick], "12:00", "1d06:00", "3d06:00", "6d18:00"):
        (level,) = [
            *(one.chan["weary"] for one in state.active if one.type == "turn:illness"),
            0.0,
        ][:1]
        levels.append(level)
    assert levels[0] > levels[1] > levels[2] > levels[3] == 0.0


def test_an_exam_weighs_more_the_nearer_it_is_and_no_more_once_it_is_passed() -> None:
    levels = []
    for _, state in lived(ole(), [EXAM], "12:00", "2d12:00", "3d09:00", "3d10:00:01"):
        levels.append(max((one.chan["unrest"] for one in state.active
                           if one.type == "turn:exam"), default=-1.0))  # fmt: skip
    assert 0.0 <= levels[0] < levels[1] < levels[2]
    assert levels[3] == -1.0
    done = happening("2d12:00", "goal_done", text="pass the driving test")
    who, state = live(ole(), [EXAM, done], "3d00:00")
    assert not any(one.type == "turn:exam" for one in state.active)
    assert LearntFact(
        text="you did it: passed the driving test", since_us=instant_us("2d12:00")
    ) in (who.identity.learnt)


def test_a_night_nurse_is_up_for_her_shift_and_sleeps_by_day() -> None:
    who = Person(person="ann", settings=QUIET, routine=ROUTINES["nurse-nights"])
    (_, night), (_, day) = lived(who, (), "1d04:00", "1d11:00")
    assert night.flags.awake
    assert not day.flags.awake
    working = [one for one in night.active if one.event == "routine"]
    assert [one.chan["task"] for one in working] == [0.45]


def test_news_that_is_taken_back_weighs_no_more_on_body_mood_and_mind() -> None:
    back = happening("1d12:00", "speech", text="It was a mistake, Ines is alive.", source="Kai")
    who, eased = live(ole(), [DEATH, back], "2d12:00")
    assert not any(one.type == "turn:bereavement" for one in eased.active)
    grieving = read(ole(), [DEATH], "2d12:00").valence
    assert read(ole(), [DEATH, back], "2d12:00").valence > grieving + 0.2
    assert [one.text for one in who.identity.learnt if one.until_us is None and one.turn] == []
    assert [one.is_over_well for one in eased.mind.episodes] == [True, False]


def test_a_fear_that_ended_well_is_closed() -> None:
    fear = happening("08:00", "concern", text="Kai is late and his boat is out in the storm")
    home = happening("12:00", "news", text="Kai is home", valence=0.7, importance=0.6)
    _, state = live(ole(), [fear, home], "13:00")
    assert [one.is_over_well for one in state.mind.episodes] == [True, False]
    assert not any(one.event == fear.id for one in state.mind.queue)
