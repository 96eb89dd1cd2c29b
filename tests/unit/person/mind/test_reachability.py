"""Every threshold is reached by the scenario that is given for it, and none on a rested day.

Base protocol: habits, company three times a day, mean traits; the scenario is on day 2.
"""

import itertools
from collections.abc import Sequence
from functools import cache

import msgspec
import pytest

from mindpipe.person.calendar import instant_us
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.mind.parsers.improved import parse_improved
from mindpipe.person.mind.queue import DRIFTS, EXHAUSTED, drift, update_needs
from mindpipe.person.mind.salience import Sense, threshold
from mindpipe.person.psyche.distortions import DISTORTIONS
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person, PersonSettings, Traits
from mindpipe.person.records.state import PersonState, Readouts
from support.drawn_lives import HOUR_US, SECOND_US
from support.lone_life import happening, person
from support.persons import aware
from support.tables import each_row

MINUTE_US = 60 * SECOND_US
MORNING_US = instant_us("2d06:50")


def company(days: range, to: str = "ann") -> list[PersonEvent]:
    """Return the contacts of some days: 1.5 h in the morning, at noon and in the evening."""
    return [
        happening(f"{day}d{at}", "contact", quality=0.7, dur_us=90 * MINUTE_US, to=to)
        for day in days
        for at in ("08:00", "12:30", "18:00")
    ]


def awake(hours: int = 48) -> PersonEvent:
    return happening("2d06:54", "stay_awake", dur_us=hours * HOUR_US)


def stress(at: str, then: str, *, to: str = "ann") -> list[PersonEvent]:
    """Return P-TSST: ten minutes of preparing, and ten of speaking before judges."""
    judged = {"social_eval": 1.0, "control": 0.0, "dur_us": 10 * MINUTE_US}
    return [
        happening(at, "task", to=to, load=0.4, level=0.4, **judged),
        happening(then, "task", to=to, load=0.6, level=1.0, **judged),
    ]


@cache
def base(n: float) -> PersonState:
    """Return a person on the morning of day 2, before it wakes."""
    who = person(n=n)
    population = Population([who], [first_state(who)])
    population.advance(MORNING_US, {who.person: company(range(2))})
    return population.states()[0]


def span(
    events: Sequence[PersonEvent], first: str, last: str, *, n: float = 0.5, step_s: int = 20
) -> list[Readouts]:
    """Return the readouts of a base life with events, from one instant of day 2 to another."""
    population = Population([person(n=n)], [base(n)])
    found: list[Readouts] = []
    given = {"ann": [*company(range(2, 3)), *events]}
    for t_us in range(instant_us(first), instant_us(last) + 1, step_s * SECOND_US):
        population.advance(t_us, given)
        given = {}
        found += population.readouts()
    return found


def most(found: Sequence[Readouts], name: str) -> float:
    return float(max(getattr(read, name) for read in found))


def least(found: Sequence[Readouts], name: str) -> float:
    return float(min(getattr(read, name) for read in found))


def test_arousal_passes_its_thresholds_under_social_stress() -> None:
    found = span(stress("2d16:00", "2d16:10"), "2d16:00", "2d16:20", step_s=5)
    assert most(found, "arousal") == pytest.approx(0.825, abs=0.002)
    assert any(read.arousal > 0.5 and read.valence < -0.2 for read in found)


def test_valence_passes_its_thresholds_in_bereavement() -> None:
    news = happening("2d10:00", "news", valence=-1.0, importance=1.0, cls="sadness")
    found = span([news], "2d10:00", "2d10:30")
    assert least(found, "valence") == pytest.approx(-0.82, abs=0.01)


@pytest.fixture(scope="module")
def sleepless() -> dict[float, Readouts]:
    """Readouts of somebody who stays awake for 48 h, by the hours awake, from 17 on."""
    found = span([awake()], "2d23:54", "4d06:54", step_s=120)
    return {17.0 + place / 30: read for place, read in enumerate(found)}


@pytest.mark.heavy
def test_energy_passes_its_thresholds_in_somebody_who_stays_awake(
    sleepless: dict[float, Readouts],
) -> None:
    first = {
        level: next(hour for hour, read in sleepless.items() if read.energy < level)
        for level in (0.3, 0.2, 0.15)
    }
    assert first[0.3] == pytest.approx(17.5, abs=0.1)
    assert first[0.2] == pytest.approx(19.1, abs=0.2)
    assert first[0.15] == pytest.approx(39.9, abs=0.1)
    assert least(list(sleepless.values()), "energy") == 0.0
    exhausted = sleepless[22.0]
    assert exhausted.energy == pytest.approx(0.151, abs=0.003)
    assert EXHAUSTED in [need.text for need in update_needs(exhausted, 0)]


def test_energy_passes_its_threshold_after_an_hour_of_exertion_at_night() -> None:
    hard = happening("3d03:54", "exercise", met=5.0, dur_us=HOUR_US)
    (read,) = span([awake(), hard], "3d04:54", "3d04:54")
    assert read.energy == pytest.approx(0.087, abs=0.002)


def test_pain_passes_its_threshold_with_a_fracture() -> None:
    hurt = happening("2d15:00", "injury", nrs=9.0, cls="fracture")
    found = span([hurt], "2d15:00", "2d15:05", step_s=1)
    assert most(found, "pain") == pytest.approx(0.769, abs=0.01)
    assert most(found, "attention") == pytest.approx(0.66, abs=0.01)


def test_cognitive_load_and_outward_attention_pass_theirs_with_a_heavy_task() -> None:
    task = happening("2d14:00", "task", load=0.9, dur_us=2 * HOUR_US)
    found = span([task], "2d14:00", "2d15:59")
    assert most(found, "cognitive_load") == pytest.approx(0.83, abs=0.01)
    assert least(found, "attention") == pytest.approx(-0.72, abs=0.02)


@pytest.mark.heavy
def test_inward_attention_passes_its_threshold_awake_for_46_hours(
    sleepless: dict[float, Readouts],
) -> None:
    assert sleepless[46.0].attention == pytest.approx(0.60, abs=0.01)


@pytest.mark.heavy
@each_row(("n", "expected"), [(0.84, 0.159), (0.5, 0.234)])
def test_regulation_passes_its_threshold_when_everything_comes_together(
    n: float, expected: float
) -> None:
    first_us = instant_us("3d04:12")
    thoughts = [
        msgspec.structs.replace(
            happening("3d04:12", "thought", labels=("rumination",)),
            t_us=first_us + place * 30 * SECOND_US,
            id=f"thought {place}",
        )
        for place in range(80)
    ]
    burn = happening("3d04:24", "injury", nrs=5.0, cls="burn")
    events = [awake(), *thoughts, burn, *stress("3d04:30", "3d04:40")]
    found = span(events, "3d04:12", "3d04:51", n=n, step_s=5)
    assert least(found, "regulation") == pytest.approx(expected, abs=0.003)


def test_distress_passes_its_threshold_in_deadly_danger() -> None:
    threat = happening(
        "2d15:00", "threat", level=1.0, danger=1.0, social_eval=1.0, dur_us=2 * MINUTE_US
    )
    found = span([threat], "2d15:00", "2d15:03", step_s=1)
    assert least(found, "valence") == pytest.approx(-0.78, abs=0.015)
    assert most(found, "arousal") == pytest.approx(1.0, abs=0.01)
    assert any(read.valence < -0.5 and read.arousal > 0.6 for read in found)


@pytest.mark.heavy
def test_the_phases_of_isolation_come_one_after_the_other() -> None:
    """By hours of waking time alone, from the end of a long contact on."""
    meeting = happening("0d07:30", "contact", quality=1.0, dur_us=7 * HOUR_US)
    population = Population([person()], [first_state(person())])
    first: dict[str, float] = {}
    waking, before_us = 0.0, instant_us("0d14:30")
    population.advance(before_us, {"ann": [meeting]})
    for t_us in range(before_us, instant_us("5d00:00"), 6 * MINUTE_US):
        population.advance(t_us)
        (state,) = population.states(read=True)
        assert isinstance(state.read, Readouts)
        waking += (t_us - before_us) / HOUR_US if state.flags.awake else 0.0
        first.setdefault(state.read.isolation_phase, waking)
        before_us = t_us
    assert list(first) == ["none", "boredom", "loneliness", "despair"]
    assert first["boredom"] == pytest.approx(2.0, abs=0.11)
    assert first["loneliness"] == pytest.approx(8.6, abs=0.11)
    assert first["despair"] == pytest.approx(60.6, abs=0.3)


@pytest.mark.parametrize(
    ("events", "at", "place"),
    [
        pytest.param([awake()], "3d00:54", 0, id="awake for 18 h"),
        pytest.param(
            [happening("2d10:00", "news", valence=-1.0, importance=1.0, cls="sadness")],
            "2d12:00",
            1,
            id="bereaved",
        ),
        pytest.param([], "2d12:00", 2, id="rested at noon"),
        pytest.param([], "2d22:00", 3, id="rested in the evening"),
    ],
)
def test_the_mind_drifts_in_four_ways(events: list[PersonEvent], at: str, place: int) -> None:
    (read,) = span(events, at, at)
    assert drift(read, instant_us(at)).text == DRIFTS[place]


def test_each_attainable_threshold_is_attained() -> None:
    calm = Sense(pain=0.0, arousal=0.3, valence=0.1, energy=0.6)
    anxious = calm._replace(arousal=0.6, valence=-0.3)
    found = [
        threshold(anxious._replace(energy=0.2)),
        threshold(anxious),
        threshold(calm._replace(energy=0.2)),
        threshold(calm),
        threshold(calm._replace(cognitive_load=0.7)),
        threshold(calm._replace(cognitive_load=0.7), 0.15),
    ]
    assert found == pytest.approx([0.15, 0.2, 0.25, 0.3, 0.4, 0.55], abs=1e-12)


def test_a_text_shows_more_than_two_distortions() -> None:
    text = "This will go wrong. I am such a fool. I should have done better."
    names = {name for name, _ in DISTORTIONS}
    assert len(names & set(parse_improved(text))) > 2


def test_acceptance_at_rest_relieves_serotonin_and_cortisol() -> None:
    thought = happening("2d15:00", "thought", labels=("acceptance",), hold_s=10.0)
    population = Population([person()], [base(0.5)])
    population.advance(instant_us("2d15:00:10"), {"ann": [thought]})
    modes = population.states()[0].modes
    assert modes.cort_dn > 0.0
    assert modes.ser_up > 0.0
    assert modes.cort_up == 0.0


@pytest.mark.heavy
def test_a_rested_day_is_silent_for_all_tempers_and_chronotypes() -> None:
    people = [
        Person(
            person=f"n{n}e{e}p{phi}",
            seed=7,
            traits=Traits(n=n, e=e),
            chronotype_h=phi,
            settings=PersonSettings(pacing="seed"),
        )
        for n, e, phi in itertools.product((0.0, 0.5, 1.0), (0.0, 0.5, 1.0), (-2.0, 0.0, 2.0))
    ]
    population = aware(people)
    population.advance(
        instant_us("2d00:00"), {one.person: company(range(3), one.person) for one in people}
    )
    before = population.states()
    reads: dict[str, list[Readouts]] = {one.person: [] for one in people}
    for t_us in range(instant_us("2d00:00"), instant_us("3d00:00"), 15 * MINUTE_US):
        population.advance(t_us)
        for mine, read in zip(reads.values(), population.readouts(), strict=True):
            mine.append(read)
    for old, new in zip(before, population.states(), strict=True):
        assert new.mind.salience.aware_us == old.mind.salience.aware_us, new.person
        assert not any(msgspec.structs.astuple(new.mind.salience.latch)), new.person
    for who, mine in reads.items():
        assert most(mine, "arousal") < 0.8, who
        assert least(mine, "valence") > -0.6, who
        assert most(mine, "pain") == 0.0, who
        assert most(mine, "cognitive_load") < 0.6, who


@pytest.mark.heavy
def test_the_rested_day_of_mean_traits_is_as_the_table_says() -> None:
    reads = span([], "2d06:50", "2d23:59", step_s=60)
    waking = [read for read in reads if read.arousal > 0.1]
    assert most(reads, "arousal") == pytest.approx(0.271, abs=0.001)
    assert least(waking, "valence") == pytest.approx(0.11, abs=0.01)
    assert least(waking, "energy") == pytest.approx(0.249, abs=0.001)
    assert sum(read.energy < 0.3 for read in waking[:120]) < 10
    assert most(waking, "cognitive_load") == pytest.approx(0.281, abs=0.002)
    assert least(waking, "regulation") == pytest.approx(0.520, abs=0.002)
    assert least(waking, "attention") == pytest.approx(-0.28, abs=0.002)
    assert most(waking, "attention") == pytest.approx(0.32, abs=0.01)
    assert {read.isolation_phase for read in waking} <= {"none", "boredom"}
    assert not any(read.valence < -0.5 and read.arousal > 0.6 for read in reads)
