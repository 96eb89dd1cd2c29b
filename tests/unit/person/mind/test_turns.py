"""What turns a life, by its words and weight, and what is learnt of it."""

import msgspec
import pytest

from mindpipe.person.mind.learnt import MOST_FACTS, added, mended, past, turned
from mindpipe.person.mind.relations import others_of
from mindpipe.person.mind.turns import turn_of
from mindpipe.person.records.person import LearntFact, PersonIdentity
from support.drawn_lives import HOUR_US
from support.lone_life import happening

WHO = PersonIdentity(
    self_narrative="I'm Ole, 40, a joiner.",
    relational_markers=("Ines, my wife", "my mother Elif", "Rex, our dog", "Ana from work"),
)
BAD = {"valence": -0.9, "importance": 0.9}
GOOD = {"valence": 0.8, "importance": 0.8}


@pytest.mark.parametrize(
    ("text", "weight", "topic", "about"),
    [
        ("Ines has died in the night", BAD, "bereavement", "Ines"),
        ("your mother died this morning", BAD, "bereavement", "Elif"),
        ("your mother fell asleep for good this morning", BAD, "bereavement", "Elif"),
        ("Ines went to sleep and did not wake up", BAD, "bereavement", "Ines"),
        ("your mother has stopped breathing", BAD, "bereavement", "Elif"),
        ("Ines slipped away in her sleep", BAD, "bereavement", "Ines"),
        ("your mother closed her eyes for the last time", BAD, "bereavement", "Elif"),
        ("Rex had to be put down", BAD, "bereavement", "Rex"),
        ("Ines fell asleep on the sofa", BAD, "", ""),
        ("Ines slipped away from the party", BAD, "", ""),
        ("Ines went to sleep and did not wake up until noon", BAD, "", ""),
        ("Ines was put down by her boss", BAD, "", ""),
        ("the doctor says Ines did not make it", BAD, "bereavement", "Ines"),
        ("the battery has died", BAD, "", ""),
        ("Ines nearly died", BAD, "", ""),
        ("an actor died", {"valence": -0.3, "importance": 0.3}, "death", ""),
        ("Ines leaves you for a colleague", BAD, "separation", "Ines"),
        ("Ana is fired", BAD, "", ""),
        ("you are laid off", BAD, "dismissal", "work"),
        ("the factory closes at Easter", BAD, "dismissal", "work"),
        ("your daughter is born at six", GOOD, "birth", ""),
        ("your daughter Nia is born", GOOD, "birth", ""),
        ("the depot lets you go at the end of the month", BAD, "dismissal", "notice"),
        ("you are laid off at once", BAD, "dismissal", "work"),
        ("you and Anna lost the baby", BAD, "bereavement", "your baby"),
        ("Bernd finds your mother dead in her chair", BAD, "bereavement", "Elif"),
        ("you have pneumonia", BAD, "illness", ""),
        ("your granddaughter is born", GOOD, "birth", "your family"),
        ("you are diagnosed with diabetes", BAD, "illness", ""),
        ("the doctor says it is cancer", BAD, "illness", ""),
        ("the doctor says a month off work", BAD, "illness", "sick leave"),
        ("you win at cards", GOOD, "", ""),
    ],
)
def test_news(text: str, weight: dict[str, float], topic: str, about: str) -> None:
    found = turn_of(happening("10:00", "news", text=text, **weight), WHO)
    assert ((found.topic, found.about) if found else ("", "")) == (topic, about)


def test_a_kiss_turns_a_life_and_one_of_the_family_does_not() -> None:
    warm = {"valence": 0.9, "intensity": 0.9}
    kiss = happening("10:00", "action", text="Ana kisses you", source="Ana", **warm)
    assert turn_of(kiss, WHO) is not None
    said = happening("10:00", "speech", text="I love you", source="Ines", **warm)
    assert turn_of(said, WHO) is None


def test_only_work_through_the_night_is_night_work() -> None:
    for at, hours, topic in (("22:00", 8, "night_work"), ("20:00", 4, ""), ("09:00", 8, "")):
        task = happening(at, "task", load=0.5, dur_us=hours * HOUR_US)
        found = turn_of(task, WHO)
        assert (found.topic if found else "") == topic


def test_what_an_event_says_of_itself_stands_above_its_words() -> None:
    news = happening("10:00", "news", text="Ines has died", topic="", **BAD)
    assert turn_of(news, WHO) is None


def test_a_newer_fact_supersedes_one_of_the_same_thing_but_no_turn() -> None:
    first = LearntFact(text="Ines died", since_us=1, about="Ines", turn="bereavement")
    soup = LearntFact(text="Rita brings soup", since_us=2, about="Rita")
    bread = LearntFact(text="Rita brings bread", since_us=3, about="Rita")
    letter = LearntFact(text="a letter from Ines comes", since_us=4, about="Ines")
    who = WHO
    for fact in (first, soup, soup, bread, letter):
        who = added(who, fact)
    over = msgspec.structs.replace(soup, until_us=3)
    assert who.learnt == (first, over, bread, letter)


def test_facts_are_bounded_and_turns_are_forgotten_last() -> None:
    who = added(WHO, LearntFact(text="Ines died", since_us=0, about="Ines", turn="bereavement"))
    for number in range(1, 40):
        who = added(who, LearntFact(text=f"day {number}", since_us=number))
    assert len(who.learnt) == MOST_FACTS
    assert who.learnt[0].turn == "bereavement"
    assert who.learnt[-1].text == "day 39"


@pytest.mark.parametrize(
    ("goal", "done"),
    [
        ("pass the oral", "passed the oral"),
        ("choose the hymns", "chose the hymns"),
        ("study for it", "studied for it"),
        ("plan the trip", "planned the trip"),
        ("bake bread", "baked bread"),
        ("50 laps", "50 laps"),
    ],
)
def test_a_goal_as_what_was_done(goal: str, done: str) -> None:
    assert past(goal) == done


def test_a_parting_that_is_only_wanted_is_not_learnt_as_done() -> None:
    identity = PersonIdentity(relational_markers=("Nuno, my husband",))
    event = happening("10:00", "news", text="Nuno wants a divorce", valence=-0.9, intensity=0.9)
    turn = turn_of(event, identity)
    assert turn is not None and turn.topic == "separation"
    after = turned(identity, turn, event)
    assert [one.text for one in after.learnt] == ["Nuno, your husband, wants to part from you"]
    assert not others_of(after)[0].gone


IDA = PersonIdentity(
    self_narrative="I'm Ida, fifty, a tram driver in Lille. I live with my husband Paul.",
    relational_markers=(
        *("Paul, my husband", "Marc, my son in Nice", "Lou, my sister", "Papa, my father"),
        *("Sister Hale, my ward sister", "Doctor Roux", "Moka, our dog", "Ana, my colleague"),
    ),
)
EVEN = {"valence": -0.1, "importance": 0.6}


@pytest.mark.parametrize(
    ("text", "weight", "turn"),
    [
        ("Marc writes that his daughter is born", GOOD, ("birth", "Marc", 0.0)),
        ("Lou has had a baby boy", GOOD, ("birth", "Lou", 0.0)),
        ("your sister has given birth to a girl", GOOD, ("birth", "Lou", 0.0)),
        ("the council writes that your post ends in March", BAD, ("dismissal", "notice", 0.9)),
        ("your contract runs out at the end of May", BAD, ("dismissal", "notice", 0.9)),
        ("Doctor Roux says that it is leukaemia", BAD, ("illness", "", 0.9)),
        ("Doctor Roux says that it is not leukaemia", BAD, None),
        ("Paul says that it is flu", BAD, None),
        ("your exam in Thai is tomorrow at nine", EVEN, ("exam", "pass the exam in Thai", 0.6)),
        ("tomorrow is your driving test", EVEN, ("exam", "pass the driving test", 0.6)),
        ("Marc has an exam on Wednesday", EVEN, None),
        ("Mr Bell in bed four dies", BAD, ("death", "", 0.0)),
        ("Mr Bell dies while you hold his hand", BAD, ("death", "Mr Bell", 0.0)),
        ("your neighbour's dog was run over and died", BAD, ("death", "", 0.0)),
        ("Sister Hale has died", BAD, ("death", "Sister Hale", 0.0)),
        ("Ana has died", BAD, ("death", "Ana", 0.0)),
        ("your sister has died", BAD, ("bereavement", "Lou", 0.72)),
    ],
)  # fmt: skip
def test_turns_in_other_words(
    text: str, weight: dict[str, float], turn: tuple[str, str, float] | None
) -> None:
    found = turn_of(happening("10:00", "news", text=text, **weight), IDA)
    assert (found and (found.topic, found.about, round(found.strength, 2))) == turn


@pytest.mark.parametrize(
    ("text", "topic", "denial"),
    [
        ("your father has died", "bereavement", "It was a mistake. Your father is alive."),
        ("Paul has died", "bereavement", "Paul is alive, they found him at the station."),
        ("your uncle Jo has died", "bereavement", "Uncle Jo is alive, they mixed up two beds."),
        ("Doctor Roux says that it is leukaemia", "illness", "it is not leukaemia after all"),
        ("the council writes that your post ends in March", "dismissal", "you keep your post"),
    ],
)
def test_what_is_denied_is_no_longer_so(text: str, topic: str, denial: str) -> None:
    news = happening("10:00", "news", text=text, **BAD)
    turn = turn_of(news, IDA)
    assert turn is not None and turn.topic == topic
    taught = turned(IDA, turn, news)
    after = mended(taught, happening("16:00", "news", text=denial, **GOOD))
    assert [one for one in after.learnt if one.turn and one.until_us is None] == []
    assert not any(one.gone for one in others_of(after))
    assert any(denial.startswith(one.text[:12]) for one in after.learnt if one.until_us is None)
