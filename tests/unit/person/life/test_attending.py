"""Lives that think: limits, waiting, sleep, company, and voices that fail."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from mindpipe.core.records import to_json
from mindpipe.person.calendar import instant_us
from mindpipe.person.life.population import Happening, Population
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person, PersonSettings
from mindpipe.person.records.state import Mind
from mindpipe.person.records.thought import (
    Failure,
    SalienceLine,
    Thought,
    Voice,
    VoiceError,
    VoiceRequest,
)
from mindpipe.person.voice.composed import composed
from support.drawn_lives import HOUR_US, SECOND_US, history, instants, somebody
from support.lone_life import happening, person
from support.persons import aware
from support.tables import each_row

JUDGED = {"social_eval": 1.0, "control": 0.0, "dur_us": 600 * SECOND_US}
TSST = (
    happening("08:00", "task", load=0.4, level=0.4, **JUDGED),
    happening("08:10", "task", load=0.6, level=1.0, **JUDGED),
)

MINUTE_US = 60 * SECOND_US


def ann(**settings: object) -> Person:
    return Person(person="ann", seed=7, settings=PersonSettings(**settings))  # type: ignore[arg-type]  # named settings


def fails(asked: VoiceRequest) -> str:
    raise VoiceError("the line is dead", error_class="unreachable")


def ruminates(asked: VoiceRequest) -> str:
    return "I can't stop thinking about it."


def lived(
    who: Person, until: str, events: Sequence[PersonEvent] = (), voice: Voice | None = composed
) -> list[Happening]:
    population = aware([who], voice)
    return population.advance(instant_us(until), {who.person: list(events)})


def thoughts(found: Sequence[Happening]) -> list[Thought]:
    return [one for one in found if isinstance(one, Thought)]


def test_the_first_thought_of_the_reference_person() -> None:
    first = thoughts(lived(ann(), "07:02"))[0]
    assert first.t_us == instant_us("07:01:30")
    assert (first.trigger.category, first.trigger.source) == ("BiologicalNeed", "sleep")
    assert first.content == "I could eat something. I think about my bed. I am useless."


@pytest.mark.heavy
@each_row("voice", [composed, fails, ruminates])
def test_calls_keep_their_distance_whatever_comes_of_them(voice: Voice) -> None:
    found = [
        one for one in lived(ann(), "09:40", TSST, voice) if isinstance(one, Thought | Failure)
    ]
    assert {type(one) for one in found} == {Failure if voice is fails else Thought}
    times = [one.t_us for one in found]
    assert all(b - a >= 2 * SECOND_US for a, b in itertools.pairwise(times))
    alone = [one.t_us for one in found if one.mode == "spontaneous"]
    assert all(b - a >= 30 * SECOND_US for a, b in itertools.pairwise(alone))
    assert len(alone) >= 190
    assert {one.mode for one in found} == {"spontaneous", "react"}


def test_without_a_limit_there_is_still_one_thought_at_an_instant() -> None:
    said = [
        happening("08:00", "speech", text="Hello.", number=0),
        happening("08:00", "speech", text="Do you hear?", number=1),
        happening("08:00", "injury", nrs=9.0, cls="fracture", number=2),
    ]
    found = thoughts(lived(ann(min_call_interval_us=0), "08:00:10", said))
    since = [(one.t_us - instant_us("08:00"), one.mode) for one in found]
    first = [one for one in since if one[0] >= 0][:3]
    assert first == [
        (0, "respond"),
        (SECOND_US, "respond"),
        (2 * SECOND_US, "react"),
    ]


def test_a_reaction_that_has_to_wait_fires_as_soon_as_it_may_with_what_it_was() -> None:
    before = thoughts(lived(ann(), "08:00"))[-1].t_us
    hurt_us = before + SECOND_US
    at = f"{hurt_us // HOUR_US:02}:{hurt_us // 60_000_000 % 60:02}:{hurt_us // SECOND_US % 60:02}"
    hurt = happening(at, "injury", nrs=9.0, cls="fracture", text="you fell")
    quick = thoughts(lived(ann(min_call_interval_us=0), at, [hurt]))[-1]
    waited = thoughts(lived(ann(), "08:01", [hurt]))
    fired = next(one for one in waited if one.mode == "react")
    assert fired.t_us == before + 2 * SECOND_US
    assert fired.trigger.salience == quick.trigger.salience
    assert fired.trigger.text == "you fell — a sharp pain takes hold of you"


@pytest.mark.heavy
@each_row(("limit_s", "reacts"), [(6, True), (7, False)])
def test_a_trigger_is_carried_for_five_seconds_and_then_dropped(limit_s: int, reacts: bool) -> None:  # noqa: FBT001  # a row of a table
    settings = {"min_call_interval_us": limit_s * SECOND_US}
    before = thoughts(lived(ann(**settings), "08:00"))[-1].t_us
    loud_us = before + SECOND_US
    at = f"{loud_us // HOUR_US:02}:{loud_us // 60_000_000 % 60:02}:{loud_us // SECOND_US % 60:02}"
    noise = happening(at, "noise", db=95.0, dur_us=2_000_000, text="a bang")
    found = thoughts(lived(ann(**settings), "08:01", [noise]))
    loud = [one for one in found if one.mode == "react" and (one.trigger.text).startswith("a bang")]
    assert bool(loud) == reacts
    assert all(one.t_us == before + limit_s * SECOND_US for one in loud)


def test_an_alert_outlives_the_limit_of_calls_and_is_over_once_it_was_noticed() -> None:
    settings = {"min_call_interval_us": 20 * SECOND_US}
    hurt = happening("08:00", "pain", nrs=9.0, dur_us=1_200_000_000)
    found = thoughts(lived(ann(**settings), "08:15", [hurt]))
    alerts = [one.t_us for one in found if one.trigger.dim == "pain"]
    assert len(alerts) == 1
    assert instant_us("08:00:05") < alerts[0] <= instant_us("08:00:20")


def test_a_standing_extreme_breaks_in_once_and_again_after_it_was_over() -> None:
    hurts = [
        happening(at, "pain", nrs=9.0, dur_us=300_000_000) for at in ("08:00", "08:20", "08:40")
    ]
    found = thoughts(lived(ann(), "08:50", hurts))
    alerts = [one.t_us for one in found if one.trigger.dim == "pain" and one.trigger.dir == "+"]
    since = {(t_us // MINUTE_US, t_us % MINUTE_US < 6 * SECOND_US) for t_us in alerts}
    assert since == {(480, True), (500, True), (520, True)}


def test_no_thought_asleep_and_words_wake() -> None:
    nights = [
        happening("00:30", "noise", db=95.0, dur_us=2 * SECOND_US),
        happening("01:30", "injury", nrs=3.0, cls="bruise"),
        happening("02:00:00.5", "noise", db=95.0, dur_us=2 * SECOND_US),
        happening("03:00", "speech", text="Wake up."),
    ]
    found = thoughts(lived(ann(), "03:30", nights))
    assert found[0].t_us == instant_us("00:30:30"), "the first evaluation never triggers"
    woken = next(one for one in found if one.mode == "react")
    assert woken.t_us == instant_us("02:00:00.5")
    assert woken.trigger.text == "you are pulled out of sleep"
    answered = next(one for one in found if one.mode == "respond")
    assert answered.t_us == instant_us("03:00")
    population = aware([ann()], composed)
    given = {"ann": nights}
    for one in found:
        population.advance(one.t_us, given)
        given = {}
        assert population.states()[0].flags.awake
        assert population.states()[0].mind.event_woken
    population.advance(instant_us("03:30"))
    assert not population.states()[0].flags.awake


def test_without_a_voice_what_breaks_in_only_marks_awareness() -> None:
    who = ann()
    population = aware([who])
    events = [
        happening("08:00", "injury", nrs=9.0, cls="fracture"),
        happening("08:00:01", "speech", text="Hello."),
    ]
    noticed = population.advance(instant_us("08:00:02"), {"ann": events})
    lines = [one for one in noticed if isinstance(one, SalienceLine)]
    assert len(lines) == len(noticed)
    assert [(one.t_us, one.trigger and one.trigger.dim) for one in lines] == [
        (instant_us("08:00"), "pain"),
        (instant_us("08:00:01"), "arousal"),
    ]
    assert all(one.salience == max(one.dims.values()) > one.threshold for one in lines)
    mind = population.states()[0].mind
    assert mind.salience.aware_us.pain == instant_us("08:00")
    assert not mind.salience.latch.pain
    assert mind.salience.inside.pain
    assert (mind.inbox, mind.last_call_us, mind.calls) == ((), None, 0)


def test_without_awareness_nothing_is_looked_at() -> None:
    population = aware([ann(awareness=False)], composed)
    hurt = happening("08:00", "injury", nrs=9.0, cls="fracture")
    assert population.advance(instant_us("09:00"), {"ann": [hurt]}) == []
    assert population.states()[0].mind.salience == Mind().salience


def test_a_thought_acts_on_the_body_from_its_instant_on() -> None:
    population = aware([ann()], ruminates)
    found = thoughts(population.advance(instant_us("07:01:30")))
    (hold,) = population.states()[0].holds
    assert (hold.start_us, hold.end_us) == (found[0].t_us, found[0].t_us + SECOND_US)
    population.advance(instant_us("07:01:31"))
    state = population.states(read=True)[0]
    assert state.holds == ()
    for at in ("07:05", "07:05:30"):
        population.advance(instant_us(at))
        later = population.states()[0]
        assert later.mind.salience.prev_us == later.anchor_us == instant_us(at)
    assert state.modes.cort_up == pytest.approx(0.0198, abs=1e-4)


def _written(population: Population) -> list[bytes]:
    return [to_json(state) for state in population.states(read=True)]


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("seed", "voice"),
    [
        (1, ruminates),
        pytest.param(0, composed, marks=pytest.mark.long),
        pytest.param(1, composed, marks=pytest.mark.long),
    ],
)
def test_who_thinks_in_company_or_in_any_ticks_thinks_as_alone(seed: int, voice: Voice) -> None:
    chance = np.random.default_rng(seed)
    people = [somebody(chance, number) for number in range(2)]
    until_us = 8 * HOUR_US
    events = {one.person: history(chance, one, instants(chance, 8)) for one in people}
    company = aware(people, voice)
    found = company.advance(until_us, events)
    for one, line in zip(people, _written(company), strict=True):
        alone = aware([one], voice)
        told = alone.advance(0, {one.person: events[one.person]})
        for edge in sorted({*instants(chance, 8, 12), until_us}):
            told += alone.advance(edge)
        assert _written(alone) == [line]
        mine = [to_json(happened) for happened in found if happened.person == one.person]
        assert [to_json(happened) for happened in told] == mine


def test_all_who_ask_at_once_are_told_at_once() -> None:
    people = [person(name, seed=number) for number, name in enumerate(("ann", "ben", "cleo"))]
    together: list[set[str]] = []

    def one_by_one(asked: VoiceRequest) -> str:
        together[-1].add(asked.moment.person)
        return composed(asked)

    population = aware(people, one_by_one)
    for minute in range(420, 426):
        together.append(set())
        population.advance(minute * 60 * SECOND_US)
    assert {"ann", "ben", "cleo"} in together


def test_a_trigger_that_waits_for_a_call_is_told_once_when_it_breaks_in() -> None:
    population = aware([ann()], composed)
    hurt = happening("08:00", "injury", nrs=9.0, cls="fracture")
    found = population.advance(instant_us("08:00:04"), {"ann": [hurt]})
    late = [one for one in found if one.t_us >= instant_us("08:00")]
    told = [one for one in late if isinstance(one, SalienceLine)]
    reactions = [one for one in thoughts(late) if one.mode == "react"]
    assert [one.t_us for one in told] == [instant_us("08:00"), instant_us("08:00:01")]
    assert [one.t_us for one in reactions] == [instant_us("08:00"), instant_us("08:00:02")]
    assert [one.trigger for one in told] == [one.trigger for one in reactions]
