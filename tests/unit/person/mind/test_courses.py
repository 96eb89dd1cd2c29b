"""What becomes of a turn: work lost and found, days off that end, a parting that is mended."""

import pytest

from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.learnt import grown, holding, mended, turned
from mindpipe.person.mind.relations import others_of
from mindpipe.person.mind.routine import routine_of
from mindpipe.person.mind.turns import turn_of
from mindpipe.person.mind.week_tables import ROUTINES
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.person import Person, PersonIdentity
from support.lone_life import Alone, happening

WHO = PersonIdentity(
    self_narrative="I'm Ole, 40, a clerk.", relational_markers=("Ines, my wife", "Ana from work")
)
BAD = {"valence": -0.9, "importance": 0.9}
GOOD = {"valence": 0.7, "importance": 0.8}


def lived(who: PersonIdentity, *told: tuple[str, str, dict[str, float]]) -> PersonIdentity:
    """Return an identity after what was told it, each at an instant."""
    for at, text, weight in told:
        event = happening(at, "news", text=text, **weight)
        turn = turn_of(event, who)
        who = mended(who, event)
        if turn is not None:
            who = turned(who, turn, event)
    return who


def kinds(who: PersonIdentity, routine: str = "office") -> set[tuple[str, str]]:
    """Return what a person's week has, and where."""
    person = Person(person="ole", identity=who, routine=ROUTINES[routine])
    return {(one.what, one.place) for one in routine_of(person)}


FIRED = ("9:00", "you are laid off", BAD)
SICK = ("12:00", "the doctor says two weeks off work", BAD)


def test_a_sick_note_does_not_undo_a_dismissal() -> None:
    who = lived(WHO, FIRED, SICK)
    assert [one.turn for one in who.learnt if one.until_us is None] == ["dismissal", "illness"]
    assert ("work", "at work") not in kinds(who)


def test_with_the_work_goes_what_is_only_there_with_it_and_a_new_job_brings_both_back() -> None:
    assert {("work", "at work"), ("meal", "at work")} <= kinds(WHO)
    idle = lived(WHO, FIRED)
    assert not [place for _, place in kinds(idle) if place == "at work"]
    assert ("meal", "at home") in kinds(idle)
    for found in ("the firm takes you on again", "you have found work at the harbour"):
        assert kinds(lived(idle, ("2d10:00", found, GOOD))) == kinds(WHO), found
    hard = lived(idle, ("2d10:00", "you have found work hard to come by", BAD))
    assert kinds(hard) == kinds(idle)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("the doctor says two weeks off work", 14),
        ("the doctor signs you off work for three days", 3),
        ("the doctor says a month off work", 30),
        ("the doctor says you are unfit for work", 7),
    ],
)
def test_days_off_end(text: str, days: int) -> None:
    who = lived(WHO, ("10:00", text, BAD))
    assert ("work", "at work") not in kinds(who)
    for day in range(1, days + 1):
        assert ("work", "at work") not in kinds(who), day
        who = grown(who, (), (), t_us=day * DAY_US, since_us=(day - 1) * DAY_US)
    assert ("work", "at work") not in kinds(who)
    who = grown(who, (), (), t_us=(days + 1) * DAY_US, since_us=days * DAY_US)
    assert kinds(who) == kinds(WHO)


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("Ines comes back", True),
        ("Ines moves back in", True),
        ("you and Ines are together again", True),
        ("Ana comes back", False),
        ("Ines comes back for her books", False),
        ("Ines does not come back", False),
        ("you dream that Ines comes back", False),
    ],
)
def test_a_parting_is_mended_by_who_comes_back(text: str, back: bool) -> None:  # noqa: FBT001 # a column of the table
    parted = lived(WHO, ("9:00", "Ines leaves you for a colleague", BAD))
    assert [one.gone for one in others_of(parted)] == [True, False]
    after = lived(parted, ("3d10:00", text, GOOD))
    assert [one.gone for one in others_of(after)] == [not back, False]
    if back:
        assert after.learnt[-1].text == "you and Ines, your wife, are together again"


def test_who_is_loved_can_part() -> None:
    told = "Ana leaves you for Felix"
    assert not any(one.turn for one in lived(WHO, ("9:00", told, BAD)).learnt)
    loved = lived(WHO, ("9:00", "Ana kisses you on the bridge", GOOD))
    after = lived(loved, ("2d9:00", told, BAD))
    assert [(one.turn, one.until_us is None) for one in after.learnt] == [
        ("love", False),
        ("separation", True),
    ]


def test_an_illness_is_known_when_it_begins_and_no_more_when_it_is_over() -> None:
    flu = Episode(
        id="e", t_us=3 * DAY_US + 1, until_us=6 * DAY_US + 1, type="illness",
        text="you have the flu", valence=-0.6, importance=0.75, topic="illness",
    )  # fmt: skip
    who = grown(WHO, (flu,), (), t_us=4 * DAY_US, since_us=3 * DAY_US)
    assert [(one.text, one.since_us) for one in holding(who)] == [("you have the flu", flu.t_us)]
    who = grown(who, (flu,), (), t_us=7 * DAY_US, since_us=6 * DAY_US)
    assert not holding(who)


def test_who_died_does_not_come_back() -> None:
    dead = lived(WHO, ("9:00", "Ines has died", BAD), ("3d10:00", "Ines comes back", GOOD))
    assert others_of(dead)[0].gone


@pytest.mark.parametrize(
    ("markers", "text", "lonely"),
    [
        (("Olav, my husband",), "Olav has died", True),
        (("Olav, my husband",), "Olav has caught a cold", False),
        (("Olav, my husband", "Siri, my son, nine"), "Olav has died", False),
    ],
)
def test_the_evenings_of_who_lost_its_company_are_lonely(
    markers: tuple[str, ...],
    text: str,
    lonely: bool,  # noqa: FBT001 # a column of the table
) -> None:
    identity = PersonIdentity(
        self_narrative="I'm Aud, seventy-one, retired.", relational_markers=markers
    )
    who = Person(person="ann", name="Ann", seed=7, identity=identity)
    told = happening("4:20", "news", text=text, valence=-1.0, importance=1.0)
    life = Alone(who, [told])
    assert (life.read("1d21:30").isolation_phase == "loneliness") == lonely


@pytest.mark.heavy
def test_courses_are_the_same_however_a_life_is_split() -> None:
    identity = PersonIdentity(
        self_narrative="I'm Ann, 40, a clerk.", relational_markers=("Olav, my husband",)
    )
    who = Person(person="ann", name="Ann", seed=7, identity=identity, routine=ROUTINES["office"])
    told = [
        happening("9:00", "news", text="you are laid off", **BAD),
        happening("10:00", "news", text="the doctor says a day off work", **BAD),
        happening("11:00", "news", text="Olav leaves you for another woman", **BAD),
        happening("1d10:00", "news", text="the firm takes you on again", **GOOD),
        happening("1d11:00", "news", text="Olav comes back to you", **GOOD),
    ]
    whole, split = Alone(who, told), Alone(who, told)
    for instant in ("9:00:00.5", "10:59", "1d00:00", "1d10:00", "1d10:30"):
        split.at(instant)
    assert split.at("1d12:00") == whole.at("1d12:00")
    assert split.population.persons == whole.population.persons
    facts = whole.population.persons[0].identity.learnt
    assert [one.text for one in facts if one.until_us is None] == [
        "the firm takes you on again",
        "you and Olav, your husband, are together again",
    ]
    assert not [one.type for one in whole.at("1d12:00").active if one.type == "turn:separation"]


@pytest.mark.parametrize("told", ["news", "speech"])
def test_who_is_told_of_a_death_stays_low_for_days_whoever_tells_it(told: str) -> None:
    weight = {"valence": -1.0, "importance" if told == "news" else "intensity": 1.0}
    news = happening("10:00", told, to="ole", text="Ines died an hour ago.", **weight)
    alone = Alone(Person(person="ole", identity=WHO, routine=ROUTINES["office"]), [news])
    assert alone.read("14:00").valence < -0.5
    assert alone.read("1d20:00").valence < -0.3


def test_grave_news_that_frightens_weighs_longer_than_the_fright() -> None:
    fields = {"text": "Max's boat has not come back", "valence": -0.9, "importance": 1.0}
    news = happening("10:00", "news", to="ole", cls="fear", **fields)
    calm = Alone(Person(person="ole", identity=WHO, routine=ROUTINES["office"]))
    told = Alone(Person(person="ole", identity=WHO, routine=ROUTINES["office"]), [news])
    assert told.read("15:00").valence < calm.read("15:00").valence - 0.25
    assert told.read("20:00").valence < calm.read("20:00").valence - 0.1
