"""Where somebody is, with whom, at what and how: by its routine, and by what happens."""

import pytest

from mindpipe.person.calendar import DAY_US
from mindpipe.person.life.cut import note
from mindpipe.person.mind.situation import situation_of
from mindpipe.person.mind.week_tables import ROUTINES
from mindpipe.person.records.episode import RoutineBlock
from mindpipe.person.records.event import HOUR_US, MINUTE_US, PersonEvent
from mindpipe.person.records.person import Person, PersonIdentity
from mindpipe.person.records.state import Mind
from support.lone_life import happening

OLE = PersonIdentity(
    self_narrative="I'm Ole, 40, a clerk.", relational_markers=("Ines, my wife", "Bo, my brother")
)
BAKER = PersonIdentity(self_narrative="I'm Ruta, forty, a baker.")


def where(
    identity: PersonIdentity, at: float, *events: PersonEvent, routine: str | None = None
) -> tuple[str, tuple[str, ...], str, str]:
    """Return place, company, activity and posture at an hour of Monday."""
    week = ROUTINES[routine] if routine else None
    person = Person(person="ann", identity=identity, routine=week)
    mind = Mind()
    for event in events:
        mind = note(mind, event, identity)
    found = situation_of(person, mind, round(at * HOUR_US), awake=True)
    return found.place, found.company, found.activity, found.posture


OFFICE = "at work, in the office"


@pytest.mark.parametrize(
    ("at", "place", "company", "activity", "posture"),
    [
        (10.0, OFFICE, ("your colleagues",), "working", "sitting"),
        (12.75, "at work", ("your colleagues",), "eating", "sitting"),
        (18.25, "at home", ("Ines",), "doing the housework", "moving"),
        (19.5, "at home", ("Ines",), "eating", "sitting"),
        (23.5, "at home", ("Ines",), "resting", "lying"),
    ],
)
def test_a_given_week_has_its_place_company_activity_and_posture(
    at: float, place: str, company: tuple[str, ...], activity: str, posture: str
) -> None:
    assert where(OLE, at, routine="office") == (place, company, activity, posture)


def test_who_is_called_is_not_there() -> None:
    week = (RoutineBlock(what="call", start_min=600, minutes=60, place="at home", people=("Bo",)),)
    person = Person(person="ole", identity=OLE, routine=week)
    found = situation_of(person, Mind(), 10 * HOUR_US + MINUTE_US, awake=True)
    assert (found.company, found.activity) == ((), "on the telephone with Bo")


def test_a_suggested_week_places_whom_nothing_tells_of() -> None:
    tuesday = 34.0
    assert where(BAKER, tuesday) == ("at work, in the bakery", (), "working", "standing")
    told = happening("8:00", "news", text="a letter has come", valence=0.1, importance=0.2)
    assert where(BAKER, tuesday, told)[0] == "at work, in the bakery"
    busy = happening(
        "8:00", "task", text="you mend the roof of your shed", load=0.4, dur_us=HOUR_US
    )
    assert where(BAKER, tuesday, busy)[0] == "at home"
    # On its first day nothing has been silent yet.
    assert where(BAKER, 10.0)[0] == "at home"
    assert where(OLE, 10.0, told, routine="office")[0] == OFFICE


DRIVER = PersonIdentity(self_narrative="I'm Rosa, 50. I have driven coaches for nineteen years.")
PUPIL = PersonIdentity(
    self_narrative="I'm Ani, sixteen. I have played the violin since I was five."
)
SATURDAY = 24.0 * 5


@pytest.mark.parametrize(
    ("identity", "at", "hours", "place"),
    [
        (DRIVER, 11.0, 5, "at work, at the wheel"),
        (DRIVER, SATURDAY + 11.0, 5, "at work, at the wheel"),
        (DRIVER, SATURDAY + 10.25, 1, "at home"),
        (PUPIL, 11.0, 4, "at school"),
        (OLE, SATURDAY + 11.0, 4, OFFICE),
    ],
)
def test_a_task_of_half_a_day_without_words_is_work(
    identity: PersonIdentity, at: float, hours: int, place: str
) -> None:
    event = happening(f"{at // 24:.0f}d10:00", "task", dur_us=hours * HOUR_US, load=0.5)
    assert where(identity, at, event)[0] == place


@pytest.mark.parametrize(
    ("trade", "place"),
    [
        ("I have driven coaches for years.", "at work, at the wheel"),
        ("I drive a long-distance coach.", "at work, at the wheel"),
        ("I drove London buses.", "at work, at the wheel"),
        ("I'm a coach driver.", "at work, at the wheel"),
        ("I have driven lorries for years.", "at work, in the cab"),
        ("I'm a football trainer who coaches juniors at the club.", "at work, at the club"),
        ("I am driven.", "at work"),
        ("I sell coaches trips.", "at work"),
    ],
)
def test_who_drives_is_at_the_wheel_and_no_trainer_is(trade: str, place: str) -> None:
    identity = PersonIdentity(self_narrative=f"I'm Rosa, 50. {trade}")
    event = happening("10:00", "task", dur_us=5 * HOUR_US, load=0.5)
    assert where(identity, 11.0, event, routine="office")[0] == place


def test_an_illness_keeps_somebody_at_home() -> None:
    ill = happening("6:00", "illness", text="a fever", peak_c=1.5, dur_us=DAY_US)
    assert where(OLE, 10.0, ill, routine="office")[0] == "at home"


@pytest.mark.parametrize(
    ("what", "text", "place", "posture"),
    [
        ("contact", "you sit with Bo at the harbour", "at the harbour", "sitting"),
        ("contact", "you walk with Bo in the park", "in the park", "moving"),
        ("contact", "you stand at the bus stop with Bo", "at the bus stop", "standing"),
        ("contact", "you lie in the hospital and Bo reads to you", "in the hospital", "lying"),
    ],
)
def test_what_happens_stands_above_the_week(what: str, text: str, place: str, posture: str) -> None:
    event = happening("10:00", what, text=text, dur_us=HOUR_US)
    found = where(OLE, 10.5, event, routine="office")
    assert (found[0], found[3]) == (place, posture)
    assert found[1] == ("Bo",)
