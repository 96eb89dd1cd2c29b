"""Who asks for what is so finds the value of today first, and what it was before below."""

import json

import pytest

from support.command import Mind

TOLD = (
    ("2026-01-05", "Ana", "I live in Graz. Call me Ani."),
    ("2026-01-06", "Ana", "I work at Fiat."),
    ("2026-01-07", "Ana", "My dentist is Dr Holm."),
    ("2026-01-08", "Ana", "I drive a Skoda."),
    ("2026-01-09", "Ana", "I go swimming on Mondays."),
    ("2026-01-10", "Ana", "I'm 33 years old."),
    ("2026-01-11", "Tom", "I live in Ulm."),
    ("2026-01-12", "Tom", "my bike is a blue Gazelle"),
    ("2026-03-05", "Ana", "I moved to Linz."),
    ("2026-03-06", "Ana", "I work at Bosch now."),
    ("2026-03-07", "Ana", "My dentist is Dr Weiss now."),
    ("2026-03-08", "Ana", "I drive a Zoe now."),
    ("2026-03-09", "Ana", "I go swimming on Fridays now."),
    ("2026-03-10", "Ana", "I turned 34 today."),
    ("2026-03-11", "Tom", "sold the Gazelle to a colleague"),
)
ASKED = (
    ("Where does Ana live?", "Linz", "Graz"),
    ("Where does Ana work?", "Bosch", "Fiat"),
    ("Who is Ana's dentist?", "Weiss", "Holm"),
    ("What car does Ana drive?", "Zoe", "Skoda"),
    ("When does Ana swim?", "Fridays", "Mondays"),
    ("How old is Ana?", "34", "33"),
)
OWN = (
    ("Where do I live?", "Linz"),
    ("What is our address?", "Linz"),
    ("Who is my dentist?", "Weiss"),
    ("Who am I?", "Ani"),
    ("What is my name?", "Ani"),
)


@pytest.fixture
def told(mind: Mind) -> Mind:
    mind("init", "--agent", "ava")
    items = (
        {"id": f"m{n}", "speaker": who, "at": f"{day}T10:00:00Z", "text": text}
        for n, (day, who, text) in enumerate(TOLD)
    )
    mind("memory", "add", "--agent", "ava", stdin="".join(f"{json.dumps(one)}\n" for one in items))
    mind("consolidate", "--agent", "ava", "--now", "2026-03-20T10:00:00Z")
    return mind


def asked(mind: Mind, *words: str) -> list[str]:
    """Return what is found, best first."""
    given = ("recall", "--agent", "ava", "--now", "2026-03-21T10:00:00Z")
    return [str(one["text"]) for one in mind(*given, *words).records()]


def test_the_value_of_today_stands_above_the_one_before(told: Mind) -> None:
    for question, new, old in ASKED:
        found = asked(told, question)
        (first, *_) = (n for n, text in enumerate(found) if new in text)
        before = [n for n, text in enumerate(found) if old in text]
        assert before, question
        assert first < min(before), question


def test_a_speaker_who_asks_of_himself_finds_what_is_believed_about_him(told: Mind) -> None:
    for question, answer in OWN:
        (first, *more) = asked(told, question, "--speaker", "Ana")
        assert answer in first, question
        assert not any("Ulm" in text for text in (first, *more))
    (first, *_) = asked(told, "Where do I live?", "--speaker", "Tom")
    assert "Ulm" in first


def test_what_nothing_is_believed_of_is_over_where_its_speaker_says_so(told: Mind) -> None:
    found = asked(told, "Which bike does Tom have?")
    assert found[:2] == ["sold the Gazelle to a colleague", "my bike is a blue Gazelle"]
    found = asked(told, "Which bike did Tom have before?")
    assert found[0] == "my bike is a blue Gazelle"
