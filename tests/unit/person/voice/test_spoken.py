"""What somebody says aloud in answer."""

from typing import Any

from mindpipe.person.mind.sentences import sentences_of
from mindpipe.person.records.episode import Episode, HeardWords, LifeSituation
from mindpipe.person.records.person import PersonIdentity
from mindpipe.person.records.thought import Affect, LifeMoment, ThoughtMoment
from mindpipe.person.voice.spoken import spoken
from support.tables import each_row

IDENTITY = PersonIdentity(
    self_narrative="I'm Ines, thirty-four, a nurse in Porto.",
    relational_markers=("Rui, my husband", "Alda, my mother"),
)
DIED = Episode(
    id="e",
    t_us=0,
    until_us=0,
    type="news",
    text="the ward telephones: Rui's heart has stopped",
    valence=-1.0,
    emotion="sadness",
)
# What is heard, and words of which one is in every answer.
ANSWERS = (
    ("Good morning, Ines!", ("Hello", "Good", "find me")),
    ("How is Rui?", ("Rui is", "Rui for long")),
    ("What happened?", ("Rui", "no words")),
    ("Where are you?", ("at home", "At home")),
    ("Who was Magellan?", ("know", "tell you", "think about that")),
    ("Goodbye!", ("Goodbye", "See you", "Take care", "Sleep well", "Good night")),
    ("Who are you?", ("Ines",)),
    ("Are you a robot?", ("Ines",)),
    ("Who is Alda?", ("my mother", "My mother")),
    ("Are you alone?", ("Just now", "nobody")),
    ("Which ward telephoned?", ("Rui", "no words", "ward", "telephon")),
    ("What will you do about the hospital?", ("know", "tell you", "think about that", "words")),
    ("What time is it?", ("Sunday",)),
)


def said(text: str, t_us: int = 0, **fields: Any) -> str:
    lived: dict[str, Any] = {
        "name": "Ines",
        "identity": IDENTITY,
        "affect": Affect(arousal=0.3, valence=-0.5, energy=0.5, stress=0.2),
        "situation": LifeSituation(place="at home", weekday="Sunday"),
        "weighs": DIED,
    }
    moment = ThoughtMoment(
        person="ines", seed=1, t_us=t_us, mode="respond", codes=(), trigger="respond0",
        lived=LifeMoment(**(lived | fields)),
    )  # fmt: skip
    return spoken(moment, HeardWords(t_us=t_us, text=text, source="Bo"))


@each_row("heard, words", ANSWERS)
def test_an_answer_is_about_what_was_said(heard: str, words: tuple[str, ...]) -> None:
    for number in range(40):
        answer = said(heard, 9_000_000_000 + number)
        assert any(one in answer for one in words), answer
        assert 1 <= len(sentences_of(answer)) <= 4
        assert answer == said(heard, 9_000_000_000 + number)


BROKEN = Episode(
    id="i",
    t_us=0,
    until_us=0,
    type="injury",
    text="you fell on the stairs and broke your leg",
    valence=-0.7,
    emotion="fear",
)
# What is heard by who broke a leg, and words of which one is in every answer.
OF_THE_LEG = (
    ("How is your leg?", ("my leg", "hurts")),
    ("Is your leg better?", ("my leg", "hurts")),
    ("Does it hurt?", ("hurts", "does")),
    ("Can you walk?", ("pain", "Hardly", "slowly")),
    (
        "Did you fall on the stairs?",
        ("fell", "broke", "stairs", "falling", "breaking", "no words", "my leg"),
    ),
)


@each_row("heard, words", OF_THE_LEG)
def test_who_is_asked_of_an_injury_knows_of_it(heard: str, words: tuple[str, ...]) -> None:
    for number in range(40):
        answer = said(heard, 9_000_000_000 + number, weighs=BROKEN, unwell=True)
        assert any(one in answer for one in words), answer


def test_who_is_whole_has_no_pain_and_can_walk() -> None:
    for number in range(20):
        assert said("Does it hurt?", number, weighs=None).startswith("No")
        assert "can" in said("Can you walk?", number, weighs=None)
        healed = said("How is your leg?", number, weighs=BROKEN)
        assert any(one in healed for one in ("Better", "healed", "forget"))


def test_who_died_is_not_said_to_be_well() -> None:
    answers = {said("How is Rui?", number) for number in range(60)}
    assert not any("all right" in one or "?" in one for one in answers)
    living = {said("How is Alda?", number, weighs=None) for number in range(60)}
    assert any("my mother" in one for one in living)


def test_an_answer_needs_no_life_around_it() -> None:
    moment = ThoughtMoment(person="x", seed=1, t_us=5, mode="respond", codes=(), trigger="respond0")
    for text in ("", "Hello", "???", "🎉", "Wie geht es dir?", "A" * 4000):
        assert spoken(moment, HeardWords(t_us=5, text=text)).endswith((".", "?", "!"))


# What is told that is grave, or a joy, and words of which one is in every answer.
TOLD = (
    ("My mother died this morning.", ("sorry", "No.", "Oh no", "terrible", "no words")),
    ("Didn't you hear? Old Bento has died.", ("sorry", "No.", "Oh no", "terrible", "no words")),
    ("Alda had an accident, she is in hospital.", ("Alda", "sorry", "No.", "Oh no", "terrible")),
    ("I passed the exam!", ("Really", "glad", "best news", "Well done", "good to hear")),
    ("We are getting married!", ("Really", "glad", "best news", "Well done", "good to hear")),
)
GLAD = ("glad", "wonderful", "best news", "Well done", "drink to")


@each_row("heard, words", TOLD)
def test_what_is_grave_is_answered_gravely_and_joy_with_joy(
    heard: str, words: tuple[str, ...]
) -> None:
    for number in range(40):
        answer = said(heard, 9_000_000_000 + number)
        assert any(one in answer for one in words), answer


def test_a_joy_that_is_denied_and_words_that_hurt_are_no_joy() -> None:
    for number in range(40):
        for heard in ("I did not get the scholarship.", "My brother has died."):
            assert not any(one in said(heard, number) for one in GLAD)
    moment = ThoughtMoment(
        person="ines", seed=1, t_us=5, mode="respond", codes=(), trigger="respond-",
        lived=LifeMoment(name="Ines", identity=IDENTITY, affect=Affect(
            arousal=0.3, valence=0.2, energy=0.5, stress=0.2)),
    )  # fmt: skip
    insult = HeardWords(t_us=5, text="You are a fool.", source="Bo")
    assert "fool" not in spoken(moment, insult, valence=-0.5)
