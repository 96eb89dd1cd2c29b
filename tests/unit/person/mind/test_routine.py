"""The ordinary week: what an identity suggests, and what is going on when."""

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.person.mind.relations import others_of, own_age
from mindpipe.person.mind.routine import block_at, routine_of, span_at
from mindpipe.person.mind.week_tables import ROUTINES
from mindpipe.person.mind.weeks import read_week
from mindpipe.person.records.episode import RoutineBlock
from mindpipe.person.records.person import LearntFact, Person, PersonIdentity

HOUR_US = 3_600_000_000
DAY_US = 24 * HOUR_US


def named(narrative: str, *markers: str, learnt: tuple[LearntFact, ...] = ()) -> Person:
    """Return a person of an identity."""
    identity = PersonIdentity(self_narrative=narrative, relational_markers=markers, learnt=learnt)
    return Person(person="x", identity=identity)


@pytest.mark.parametrize(
    ("marker", "name", "kind", "at_home", "gone"),
    [
        ("Ines, my wife", "Ines", "partner", True, False),
        ("my husband Ole, in hospital since May", "Ole", "partner", False, False),
        ("my late husband Karl", "Karl", "partner", False, True),
        ("my wife in Lagos", "your wife", "partner", False, False),
        ("Tariq, my son, six years old", "Tariq", "child", True, False),
        ("my daughter Ana, 24", "Ana", "child", False, False),
        ("Bo, our son, studying in Lund", "Bo", "child", False, False),
        ("Priya, my flatmate at the halls", "Priya", "mate", True, False),
        ("my mother Elif, who lives with us", "Elif", "parent", True, False),
        ("my mother Elif", "Elif", "parent", False, False),
        ("Auntie Dede, who raised me", "Auntie Dede", "relative", False, False),
        ("old Mr Brandt from the choir", "Mr Brandt", "friend", False, False),
        ("Olga, the supervisor", "Olga", "colleague", False, False),
        ("my ex-wife Ruth", "Ruth", "other", False, True),
    ],
)
def test_who_somebody_is(marker: str, name: str, kind: str, at_home: bool, gone: bool) -> None:  # noqa: FBT001
    (found,) = others_of(PersonIdentity(relational_markers=(marker,)))
    assert (found.name, found.kind, found.at_home, found.gone) == (name, kind, at_home, gone)


def test_a_household_of_the_narrative() -> None:
    person = named("I'm Ana, 41, a baker. I live with my wife Lena and our two boys in Porto.")
    assert [one.name for one in others_of(person.identity) if one.at_home] == ["Lena", "your boys"]


def test_who_lives_alone_has_no_household() -> None:
    person = named("I'm Per, 60. I live alone above the shop.", "Liv, my girlfriend")
    assert not any(one.at_home for one in others_of(person.identity))
    assert not any(
        block.people == ("Liv",) and block.what != "call" for block in routine_of(person)
    )


def test_evenings_and_nights_are_with_the_household() -> None:
    person = named("I'm Jo, 40, a clerk.", "Ines, my wife", "my brother Kai")
    for hour in (19, 23, 27):
        block = block_at(person, hour * HOUR_US)
        assert block is not None
        assert block.people == ("Ines",)
        assert block.place == "at home"
    at_noon = block_at(person, 12 * HOUR_US)
    assert at_noon is not None
    assert (at_noon.what, at_noon.load) == ("work", 0.0)
    called = block_at(person, 2 * DAY_US + 18 * HOUR_US)
    assert called is not None
    assert (called.what, called.people) == ("call", ("Kai",))


def test_the_dead_and_lost_work_are_in_no_week() -> None:
    learnt = (
        LearntFact(text="Ines died.", since_us=0, about="Ines", turn="bereavement"),
        LearntFact(text="You lost your work.", since_us=0, about="work", turn="dismissal"),
    )
    person = named("I'm Jo, 40, a clerk.", "Ines, my wife", learnt=learnt)
    assert not any("Ines" in block.people or block.what == "work" for block in routine_of(person))


def test_a_lonely_person_is_hardly_met() -> None:
    lonely = Person(person="x", loneliness_trait=0.8)
    minutes = [
        sum(one.minutes * len(one.days) for one in routine_of(who))
        for who in (lonely, Person(person="x"))
    ]
    assert minutes[0] < minutes[1] / 10


def test_what_began_last_stands_above_what_goes_on() -> None:
    blocks = (
        RoutineBlock(what="work", start_min=540, minutes=480),
        RoutineBlock(what="meal", start_min=720, minutes=30),
    )
    person = Person(person="x", routine=blocks)
    span = span_at(person, 12 * HOUR_US + 1)
    assert span.block is not None
    assert (span.block.what, span.start_us, span.end_us) == (
        "meal",
        12 * HOUR_US,
        12 * HOUR_US + HOUR_US // 2,
    )


def test_a_night_goes_past_the_end_of_the_week() -> None:
    blocks = (RoutineBlock(what="work", start_min=1320, minutes=480, days=(6,)),)
    person = Person(person="x", routine=blocks)
    for t_us in (3 * HOUR_US, 7 * DAY_US - HOUR_US, 7 * DAY_US + 3 * HOUR_US, -HOUR_US):
        assert block_at(person, t_us) == blocks[0]
    assert block_at(person, 7 * HOUR_US) is None


@pytest.mark.parametrize("routine", [(), *ROUTINES.values()])
def test_spans_follow_one_another(routine: tuple[RoutineBlock, ...]) -> None:
    person = Person(person="x", routine=routine)
    t_us = -3 * HOUR_US
    while t_us < 9 * DAY_US:
        span = span_at(person, t_us)
        assert span.start_us <= t_us < span.end_us
        for inside in (max(span.start_us, -DAY_US), min(span.end_us, 9 * DAY_US) - 1):
            assert block_at(person, inside) == span.block
        t_us = span.end_us


def test_every_week_of_the_tables_has_work_or_play_and_a_household() -> None:
    for name, week in ROUTINES.items():
        kinds = {block.what for block in week}
        assert {"meal", "household", "call", "rest"} <= kinds, name
        assert max(block.start_min + block.minutes for block in week) <= 1440 + 720, name


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (b'{"what":"work","at":"9","dur":"8h"}', "$.at: expected a time of day"),
        (b'{"what":"work","at":"09:00","start_min":3,"minutes":9}', "stands beside start_min"),
        (b'[{"what":"sing","start_min":0,"minutes":9}]', "$[0].what: expected one of work"),
        (b'{"what":"work","at":"09:00","dur":"90s"}', "expected whole minutes"),
        (b'{"what":"work","at":"09:00"}', "$.minutes"),
        (b'{"what":"work","at":"09:00","dur":"8h","days":[]}', "$.days: expected a day at least"),
        (b"7", "expected an object"),
    ],
)
def test_a_written_week_that_is_none(written: bytes, said: str) -> None:
    with pytest.raises(BadInputError) as caught:
        read_week(written, "week")
    assert said in str(caught.value)


def test_a_written_week() -> None:
    block = b'{"what":"work","at":"21:00","dur":"8h","days":[0,1],"load":0.4}'
    expected = (RoutineBlock(what="work", start_min=1260, minutes=480, days=(0, 1), load=0.4),)
    assert read_week(block, "week") == read_week(b"[" + block + b"]", "week") == expected


@pytest.mark.parametrize(
    ("narrative", "age"),
    [
        ("I'm Helka, sixty-six, from Narvik; we have kept bees for thirty-nine.", 66),
        ("I'm Tarek, nineteen, in my second term.", 19),
        ("I am 68 and I grow apples.", 68),
        ("I’m Ola, a nurse, fifty, in Bergen.", 50),
        ("I am a forty-year-old baker.", 40),
        ("My name is Lin, 31, a clerk.", 31),
        ("I just turned thirty.", 30),
        ("I'm Ola. I drive the number 40 bus.", None),
        ("I'm Ola and I drive bus 40 to the depot.", None),
        ("I'm Ola, 40 hours a week a nurse.", None),
        ("I'm a mother of two, thirty-six.", 36),
        ("I'm Ola. My mother is eighty-one.", None),
        ("I have worked here for twenty years.", None),
        ("I'm Jo, in flat 3.", None),
    ],
)
def test_only_an_age_of_ones_own_is_one(narrative: str, age: int | None) -> None:
    assert own_age(narrative) == age
