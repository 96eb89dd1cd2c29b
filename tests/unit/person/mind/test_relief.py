"""What weighs no more: what was taken back, and what ended well."""

import msgspec
import pytest

from mindpipe.person.mind.episodes import episode_of
from mindpipe.person.mind.learnt import holding, mended, turned
from mindpipe.person.mind.relations import others_of
from mindpipe.person.mind.relief import relieved
from mindpipe.person.mind.turns import turn_of
from mindpipe.person.records.person import LearntFact, PersonIdentity
from support.lone_life import happening

IDA = PersonIdentity(
    self_narrative="I'm Ida, fifty, a tram driver in Lille. I live with my husband Paul.",
    relational_markers=(
        *("Paul, my husband", "Marc, my son in Nice", "Lou, my sister", "Papa, my father"),
        *("Ana, my colleague", "Rex, our dog"),
    ),
)
BAD = {"valence": -0.9, "importance": 0.9}
DEATH = "the hospital rings: your father has died"
NOTICE = "the depot lets you go at the end of the month"
PARTING = "Paul leaves you for another woman"
ILLNESS = "Doctor Roux says that it is leukaemia"


@pytest.mark.parametrize(
    ("bad", "said", "over"),
    [
        (DEATH, "It was a false alarm.", True),
        (DEATH, "He is not dead, they mixed up the files.", True),
        (DEATH, "It was a mistake, Papa is alive.", True),
        (DEATH, "The hospital called: it was all a mistake.", True),
        (DEATH, "The fire alarm was a false alarm.", False),
        (DEATH, "I was wrong about the cake.", False),
        (DEATH, "I changed my mind about the sofa.", False),
        (DEATH, "I've changed my mind.", False),
        (DEATH, "We made a mistake with your tax bill.", False),
        (DEATH, "Lou is alive and kicking.", False),
        (DEATH, "She is not dead.", False),
        (DEATH, "Was it a false alarm?", False),
        (NOTICE, "They changed their mind: you keep the job.", True),
        (NOTICE, "We changed our minds. You stay.", True),
        (PARTING, "I did not mean it.", True),
        (PARTING, "Your soup is cold.", False),
        (ILLNESS, "It was a false alarm.", True),
    ],
)
def test_a_turn_is_undone_by_whoever_takes_the_news_of_it_back(
    bad: str, said: str, *, over: bool
) -> None:
    news = happening("10:00", "news", text=bad, **BAD)
    turn, episode = turn_of(news, IDA), episode_of(news, IDA)
    assert turn is not None and episode is not None
    episode = msgspec.structs.replace(episode, topic=turn.topic)
    back = happening("1d10:00", "speech", text=said, source="Paul")
    known = turned(IDA, turn, news)
    after = mended(known, back, relieved(back, [episode], known))
    assert [one.turn for one in holding(after) if one.turn] == ([] if over else [turn.topic])
    if over:
        assert not any(one.gone for one in others_of(after))


@pytest.mark.parametrize(
    ("fear", "told", "over"),
    [
        ("Paul's boat has not come back and there is a storm", "the boat came home", True),
        ("Paul's boat has not come back", "they are back, all of them", True),
        ("Paul's boat has not come back", "the boat is back without Paul", False),
        ("Paul's boat has not come back", "the bus is back", False),
        ("Marc has not answered for two days", "Lou says that Marc is fine", True),
        ("Marc has not answered for two days", "Marc may be back on Sunday", False),
        ("Lou was taken to hospital with a stroke", "Lou is out of danger", True),
        ("Lou has cancer", "Lou is home for Christmas", False),
        ("the dog has run away", "the dog is home again", True),
        ("Rex has run away from the beach", "the dog is found, wet and pleased", True),
        ("Rex has run away from the beach", "the cat is found", False),
    ],
)
def test_a_fear_is_over_when_it_is_told_to_have_ended_well(
    fear: str, told: str, *, over: bool
) -> None:
    episode = episode_of(happening("10:00", "news", text=fear, valence=-0.6, importance=0.7), IDA)
    assert episode is not None
    event = happening("20:00", "news", text=told, valence=0.6, importance=0.6)
    assert relieved(event, [episode], IDA) == ([episode] if over else [])


def test_what_is_meant_without_a_name_is_the_gravest_or_nothing() -> None:
    tellings = (("10:00", "the doctor says that it is cancer", 0.9), ("18:00", "it rains in", 0.4))
    told = [
        episode_of(happening(at, "news", text=text, valence=-0.6, importance=weight), IDA)
        for at, text, weight in tellings
    ]
    episodes = [one for one in told if one is not None]
    said = happening("20:00", "speech", text="It was a false alarm.", source="Lou")
    assert relieved(said, episodes, IDA) == []
    assert relieved(said, episodes[:1], IDA) == episodes[:1]


HOSPITAL = "Papa fell on the ice and is in hospital"


@pytest.mark.parametrize(
    ("bad", "said", "over"),
    [
        (HOSPITAL, "your father is home from hospital with a stick", True),
        (HOSPITAL, "They sent Papa home this morning.", True),
        (HOSPITAL, "Lou is home from hospital", False),
        ("Marc has died in a fire", "It was another Marc, ours is in his kitchen.", True),
        ("Marc has died in a fire", "It wasn't Marc who died, it was a neighbour.", True),
        ("Marc has died in a fire", "Another Marc rang about the roof.", False),
    ],
)
def test_what_ended_is_known_by_whom_it_is_of(bad: str, said: str, *, over: bool) -> None:
    """Who was taken to hospital is home again, and who was told to be dead was another."""
    event = happening("08:00", "news", text=bad, **BAD)
    episode = episode_of(event, IDA)
    assert episode is not None

    found = relieved(happening("10:00", "news", text=said, valence=0.8), [episode], IDA)

    assert bool(found) is over


def test_what_somebody_wants_no_more_is_no_fact() -> None:
    """Who wanted to part and makes up with the person wants it no more."""
    told = happening("08:00", "speech", source="Paul", text="I want a divorce.", **BAD)
    turn = turn_of(told, IDA)
    assert turn is not None
    wanted = turned(IDA, turn, told)
    assert [one.about for one in holding(wanted)] == ["Paul"]

    made_up = happening("10:00", "action", text="Paul hugs you and you make up", valence=0.9)

    assert holding(mended(wanted, made_up)) == []


def test_a_birth_ends_the_labour() -> None:
    """Who has had her child is in labour no more."""
    told = LearntFact(text="your sister Lou is in labour", since_us=0)
    expecting = msgspec.structs.replace(IDA, learnt=(told,))
    event = happening(
        "10:00", "news", text="Lou has had a little girl, Zoe", valence=0.9, importance=0.9
    )
    turn = turn_of(event, expecting)
    assert turn is not None

    assert told.text not in [one.text for one in holding(turned(expecting, turn, event))]


def test_a_museum_may_give_work() -> None:
    """Where one is to work says nothing of how long ago it is."""
    fact = LearntFact(text="you lost your work", since_us=0, about="work", turn="dismissal")
    idle = msgspec.structs.replace(IDA, learnt=(fact,))
    event = happening("10:00", "news", text="the museum writes: you have the job", valence=0.9)

    assert [one.turn for one in holding(mended(idle, event))] == [""]
