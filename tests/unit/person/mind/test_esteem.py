"""Kind and unkind words to a person and plain news are not neutral; near misses are."""

import pytest

from mindpipe.person.mind.tidings import understood
from mindpipe.person.records.event import EventType, PersonEvent
from mindpipe.person.records.person import PersonIdentity

IDENTITY = PersonIdentity(relational_markers=("my brother Jonas", "my friend Ada"))
UNKIND = (
    "You are useless.",
    "You're such an idiot!",
    "You really are the most selfish person I know.",
    "You stupid woman.",
    "I hate you.",
    "I'm so disappointed in you.",
    "You make me furious.",
    "You ruined everything.",
    "Everyone laughs at you.",
    "Your work is dull and terrible.",
    "Shame on you.",
    "You failed the exam.",
    "Jonas was turned down.",
)
KIND = (
    "You are a wonderful cook.",
    "You are amazing.",
    "I am so proud of you.",
    "I trust you.",
    "Your soup is delicious.",
    "Well done!",
    "You passed the driving test!",
    "We won the match!",
    "Ada got the job.",
    "The lump is benign.",
    "My sister has fully recovered.",
    "We are getting married!",
)
NEITHER = (
    "Great, you are useless at this too.",
    "Oh wonderful, you won the match.",
    "Are you stupid?",
    "Did we win the match?",
    "Tom says you are useless.",
    "They told me you passed the exam.",
    "You are not stupid.",
    "You did not fail the exam.",
    "Nobody hates you.",
    "You look sad and tired.",
    "I think you are a fool.",
    "You should be proud.",
    "I hope you passed the exam.",
    "If you failed the exam we will manage.",
    "You will pass the exam.",
    "I dreamt that we won the lottery.",
    "He is an idiot.",
    "The weather is terrible.",
    "You are pretty late.",
    "What kind of bread do you want?",
    "People like you are rare.",
    "You used to be lovely.",
    "I hate to tell you this.",
    "It is good for you.",
    "You are killing it",
    "You are better than him.",
    "You are late for the awful meeting.",
    "Your brother is sick.",
    "You passed the salt to Jonas.",
    "In the film she said you are worthless.",
)
UNKIND_DEEDS = (
    "The foreman insults you in front of everybody",
    "A boy steals your bicycle",
    "The boys laugh at you",
)
KIND_DEEDS = ("Mira kisses you", "A stranger smiles at you", "The neighbour praises your roses")
PLAIN_DEEDS = (
    "you hug your mother",
    "The cat wants to be fed",
    "The postman hands you a letter",
    "Someone pretends to attack you",
    "your boss dies of laughter",
)


def taken(text: str, kind: EventType = "speech") -> float | None:
    event = PersonEvent(v=1, person="mara", t_us=0, id="e", type=kind, text=text)
    return understood(event, IDENTITY).valence


@pytest.mark.parametrize("text", UNKIND)
def test_unkind_words_and_failures_are_bad(text: str) -> None:
    found = taken(text)
    assert found is not None and -0.75 <= found <= -0.3


@pytest.mark.parametrize("text", KIND)
def test_kind_words_and_successes_are_good(text: str) -> None:
    found = taken(text)
    assert found is not None and 0.3 <= found <= 0.8


@pytest.mark.parametrize("text", NEITHER)
def test_what_is_asked_denied_reported_wished_or_meant_otherwise_stays_neutral(text: str) -> None:
    assert taken(text) is None


@pytest.mark.parametrize("text", UNKIND_DEEDS)
def test_what_is_done_to_the_person_may_be_bad(text: str) -> None:
    found = taken(text, "action")
    assert found is not None and found < 0.0


@pytest.mark.parametrize("text", KIND_DEEDS)
def test_what_is_done_to_the_person_may_be_good(text: str) -> None:
    found = taken(text, "action")
    assert found is not None and found > 0.0


@pytest.mark.parametrize("text", PLAIN_DEEDS)
def test_a_plain_deed_stays_neutral(text: str) -> None:
    assert taken(text, "action") is None


def test_the_worse_of_two_counts_and_grave_news_most() -> None:
    assert taken("You are lovely. I hate you, Jonas died.") == -0.9
    assert taken("I am proud of you. You are an idiot.") == pytest.approx(-0.575)


def test_elsewhere_news_weighs_less() -> None:
    near, far = taken("Ada got the job."), taken("My cousin got the job.")
    assert near is not None and far is not None and far < near
