"""What is otherwise for a while: who is away, days off, and work by night."""

import msgspec
import pytest

from mindpipe.person.calendar import instant_us
from mindpipe.person.mind.arrangements import arranged
from mindpipe.person.mind.learnt import added, grown
from mindpipe.person.mind.relations import others_of
from mindpipe.person.mind.routine import block_at, routine_of
from mindpipe.person.mind.week_tables import ROUTINES
from mindpipe.person.records.person import LearntFact, Person, PersonIdentity
from support.lone_life import happening

IDA = PersonIdentity(
    self_narrative="I'm Ida, forty, a clerk in Lille. I live with my husband Paul.",
    relational_markers=("Paul, my husband", "Tom, my son, nine", "Ana, my colleague"),
)
WHO = Person(person="ann", identity=IDA, routine=ROUTINES["office"])


def told(text: str, source: str = "") -> list[LearntFact]:
    what = "speech" if source else "news"
    return arranged(happening("10:00", what, text=text, source=source or None), IDA)


def taught(text: str, source: str = "") -> Person:
    identity = IDA
    for fact in told(text, source):
        identity = added(identity, fact)
    return msgspec.structs.replace(WHO, identity=identity)


@pytest.mark.parametrize(
    ("text", "source", "fact"),
    [
        ("Paul is taken to hospital with chest pains", "", ("Paul", "in hospital", 14)),
        ("Tom has to stay in hospital for three days", "", ("Tom", "in hospital", 3)),
        ("Paul flies to Lisbon for two weeks", "", ("Paul", "away in Lisbon", 14)),
        ("Tom is in prison", "", ("Tom", "in prison", None)),
        ("Paul drives to Lidl", "", None),
        ("Paul goes to work", "", None),
        ("Paul leaves for Easter", "", None),
        ("Ana is in hospital", "", None),
        ("Is Paul in hospital?", "Ana", None),
        ("Take the week, Ida.", "the boss", ("days off", "", 7)),
        ("Don't come in until Monday.", "the boss", ("days off", "", 7)),
        ("Take a day at a time.", "the boss", None),
        ("You have two days to pay the rent.", "the boss", None),
        ("Take a week for the report.", "the boss", None),
        ("You have two days off.", "the boss", ("days off", "", 2)),
        ("Take the week off.", "Paul", None),
        ("You're on nights this week.", "Ana", ("nights", "", 7)),
    ],
)
def test_what_is_told_to_be_otherwise(
    text: str, source: str, fact: tuple[str, str, int | None] | None
) -> None:
    found = [
        (
            one.about,
            one.where,
            one.ends_us and (one.ends_us - one.since_us) // instant_us("1d00:00"),
        )
        for one in told(text, source)
    ]
    assert found == ([fact] if fact else [])


def test_who_is_away_sits_at_no_table_until_it_is_back() -> None:
    evening = instant_us("1d19:30")
    assert "Paul" in getattr(block_at(WHO, evening), "people", ())
    away = taught("Paul is taken to hospital with chest pains")
    block = block_at(away, evening)
    assert block is not None and "Paul" not in block.people and "Tom" in block.people
    assert not next(one for one in others_of(away.identity) if one.name == "Paul").at_home
    home = happening("2d10:00", "news", text="Paul is back from the hospital")
    identity = away.identity
    for fact in arranged(home, identity):
        identity = added(identity, fact)
    back = block_at(msgspec.structs.replace(away, identity=identity), evening)
    assert back is not None and "Paul" in back.people


def test_the_dead_sit_at_no_table_whatever_a_week_calls_them() -> None:
    meal = [one for one in ROUTINES["office"] if one.what == "meal"]
    week = tuple(msgspec.structs.replace(one, people=("your husband",)) for one in meal)
    fact = LearntFact(text="Paul died", since_us=0, about="Paul", turn="bereavement")
    alone = msgspec.structs.replace(WHO, routine=week, identity=added(IDA, fact))
    assert not any("your husband" in one.people for one in routine_of(alone))


def test_days_off_are_without_work_and_end() -> None:
    off = taught("Take the week, Ida.", "the boss")
    assert not any(one.what == "work" for one in routine_of(off))
    identity = grown(off.identity, (), (), t_us=instant_us("8d00:00"), since_us=0)
    again = msgspec.structs.replace(off, identity=identity)
    assert routine_of(again) == routine_of(WHO)


def test_nights_that_are_told_shift_work_and_sleep() -> None:
    nightly = taught("You're on nights this week.", "the boss")
    for at, what in (("1d23:00", "work"), ("2d03:00", "work"), ("2d10:00", "rest")):
        block = block_at(nightly, instant_us(at))
        assert block is not None and block.what == what
