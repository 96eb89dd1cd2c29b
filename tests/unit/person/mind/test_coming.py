"""What lies ahead of a person: known from what was told, and from habits."""

import pytest

from mindpipe.person.calendar import instant_us
from mindpipe.person.life.cut import note
from mindpipe.person.mind.coming import coming_things
from mindpipe.person.mind.situation import situation_of
from mindpipe.person.records.episode import ComingThing, RoutineBlock
from mindpipe.person.records.event import EventType, PersonEvent
from mindpipe.person.records.person import Person, PersonIdentity
from mindpipe.person.records.state import Mind

IDENTITY = PersonIdentity(relational_markers=("Nuno, my husband",))
ROSA = Person(person="rosa", name="Rosa", identity=IDENTITY, routine=())


def mind_of(at: str, text: str, kind: EventType = "news", source: str | None = None) -> Mind:
    event = PersonEvent(
        v=1,
        person="rosa",
        t_us=instant_us(at),
        id="told",
        type=kind,
        text=text,
        source=source,
        valence=0.1,
    )
    return note(Mind(), event, IDENTITY)


@pytest.mark.parametrize(
    ("text", "ahead", "at", "when"),
    [
        (
            "you have an exam in oven safety on Wednesday at nine",
            "you have an exam in oven safety",
            "2d09:00",
            "on Wednesday",
        ),
        ("Dinner at Rui's tomorrow at eight?", "dinner at Rui's", "1d20:00", "tomorrow evening"),
        ("I will fetch you tonight.", "Nuno: I will fetch you", "21:00", "this evening"),
        ("your driving test is tomorrow", "your driving test", "1d12:00", "tomorrow"),
        (
            "Doctor Lind says that your blood is not as it should be and that you must come back"
            " on Thursday",
            "you must come back",
            "3d12:00",
            "on Thursday",
        ),
        ("the trust writes that your post ends in March", "your post ends in March", None, ""),
    ],
)
def test_what_is_told_of_a_time_to_come_lies_ahead(
    text: str, ahead: str, at: str | None, when: str
) -> None:
    mind = mind_of("10:00", text, "speech", "Nuno")
    found = coming_things(ROSA, mind, instant_us("11:00"))
    assert found == (ComingThing(text=ahead, t_us=instant_us(at) if at else None, when=when),)


@pytest.mark.parametrize(
    "text",
    [
        "you missed the exam on Wednesday",
        "dinner is not tomorrow",
        "Rui came on Wednesday",
        "What will you do tomorrow?",
        "Are you free on Friday at six?",
        "the exam on Wednesday was called off",
        "Nuno dreams of a house in March",
        "you sit in the kitchen",
    ],
)
def test_what_is_over_or_denied_does_not_lie_ahead(text: str) -> None:
    assert coming_things(ROSA, mind_of("10:00", text), instant_us("11:00")) == ()


def test_what_was_told_lies_ahead_until_its_time() -> None:
    mind = mind_of("10:00", "you have an exam on Wednesday at nine")
    assert coming_things(ROSA, mind, instant_us("2d08:00"))[0].when == "soon"
    assert coming_things(ROSA, mind, instant_us("2d09:30")) == ()


def test_habits_have_their_next_part_ahead() -> None:
    routine = (
        RoutineBlock(what="work", start_min=1260, minutes=600, place="at work, on the ward"),
        RoutineBlock(what="rest", start_min=540, minutes=300, place="at home"),
    )
    person = Person(person="rosa", name="Rosa", identity=IDENTITY, routine=routine)
    situation = situation_of(person, Mind(), instant_us("15:00"), awake=True)
    assert (situation.ahead, situation.ahead_us) == ("work on the ward", instant_us("21:00"))


def test_what_comes_sooner_is_next() -> None:
    mind = mind_of("10:00", "Dinner at Rui's tonight at eight?", "speech", "Nuno")
    routine = (RoutineBlock(what="work", start_min=540, minutes=480),)
    person = Person(person="rosa", name="Rosa", identity=IDENTITY, routine=routine)
    found = coming_things(person, mind, instant_us("18:00"))
    assert [(one.text, one.when) for one in found] == [
        ("dinner at Rui's", "this evening"),
        ("work", "tomorrow morning"),
    ]


def test_the_shift_lies_ahead_beside_what_comes_before_it() -> None:
    routine = (
        RoutineBlock(what="meal", start_min=1080, minutes=45, people=("Nuno",)),
        RoutineBlock(what="work", start_min=1260, minutes=600),
    )
    person = Person(person="rosa", name="Rosa", identity=IDENTITY, routine=routine)
    found = coming_things(person, Mind(), instant_us("15:00"))
    assert [one.text for one in found] == ["a meal with Nuno", "work"]
