"""Grave news in plain words is not neutral; what only sounds like it is."""

import pytest

from mindpipe.person.mind.tidings import understood
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import PersonIdentity

IDENTITY = PersonIdentity(relational_markers=("my brother Jonas", "my friend Ada"))
KNOWN = (
    "Your brother is dead.",
    "I am so sorry. Jonas passed away at ten past four.",
    "You have cancer, I am afraid.",
    "Ada had a stroke this morning.",
    "You are fired. Hand in your keys.",
    "Our house burned down last night.",
    "Ada didn't survive the operation.",
)
OTHERS = (
    "my mother died",
    "My mother died.",
    "My mother fell asleep for good last night.",
    "Hello. My father passed away last night, and I cannot sleep.",
    "The doctor says it's cancer.",
    "my dog was run over by a lorry",
    "I was fired today.",
    "She left me.",
    "My little sister is in intensive care.",
    "I lost my job.",
    "I had a miscarriage",
)
NOT_GRAVE = (
    "Hello!",
    "How are you today?",
    "My phone died.",
    "Did your mother die?",
    "I nearly died of shame.",
    "He has not died, as the neighbours said.",
    "If he died I would sell the house.",
    "My grandmother died in 1987.",
    "I am dead tired.",
    "The fire has died down.",
    "I lost my keys.",
    "In the film the hero is killed.",
    "I dreamt that you were dead.",
    "He left me the keys.",
    "The shop closes at six.",
)


def told(text: str, **fields: object) -> PersonEvent:
    return PersonEvent(v=1, person="mara", t_us=0, id="e", type="speech", text=text, **fields)  # type: ignore[arg-type]  # the fields of a row


@pytest.mark.parametrize("text", KNOWN)
def test_what_is_of_the_person_or_of_somebody_it_knows_is_gravest(text: str) -> None:
    found = understood(told(text), IDENTITY)
    assert found.valence is not None and found.valence <= -0.65
    assert found.cls == "sadness"


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_of_others_is_grave_as_well(text: str) -> None:
    found = understood(told(text), IDENTITY)
    assert found.valence is not None and -0.7 <= found.valence <= -0.4


@pytest.mark.parametrize("text", NOT_GRAVE)
def test_what_only_sounds_like_it_stays_as_it_is(text: str) -> None:
    assert understood(told(text), IDENTITY) == told(text)


def test_whoever_says_how_it_is_meant_is_believed() -> None:
    said = told("Your brother is dead.", valence=0.2)
    assert understood(said, IDENTITY) == said
