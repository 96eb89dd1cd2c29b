"""What somebody says aloud in answer."""

from typing import Any

import msgspec
import pytest

from mindpipe.person.calendar import DAY_US, HOUR_US
from mindpipe.person.mind.sentences import sentences_of
from mindpipe.person.records.episode import (
    ComingThing,
    Episode,
    HeardWords,
    LifeSituation,
    RoutineBlock,
)
from mindpipe.person.records.person import LearntFact, PersonIdentity
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
    ("What will you do about the hospital?", ("say yet", "made up my mind", "think about that")),
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


@pytest.mark.heavy
@each_row("heard, words", ANSWERS)
def test_an_answer_is_about_what_was_said(heard: str, words: tuple[str, ...]) -> None:
    for number in range(40):
        answer = said(heard, 9_000_000_000 + number)
        assert any(one in answer for one in words), answer
        assert 1 <= len(sentences_of(answer)) <= 4
        assert answer == said(heard, 9_000_000_000 + number)


SHIFT = ComingThing(text="work on the ward", t_us=21 * HOUR_US, when="this evening")
EXAM = ComingThing(text="you have an exam", t_us=57 * HOUR_US, when="on Wednesday")


@each_row(
    "asked, words",
    (
        ("What will you do tonight?", "ork on the ward, this evening"),
        ("What are you doing on Wednesday?", "I have an exam, on Wednesday"),
        ("What are your plans?", "ork on the ward"),
        ("What will you do tomorrow?", "plan"),
    ),
)
def test_plans_are_told_of_the_time_that_is_asked_for(asked: str, words: str) -> None:
    assert words in said(asked, 15 * HOUR_US, plans=(SHIFT, EXAM))


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
        answer = said(heard, 9_000_000_000 + number, weighs=BROKEN, ails=BROKEN)
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
    assert all("Alda" in one for one in living)


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


HOUR_US = 3_600_000_000
TEACHER = PersonIdentity(
    self_narrative=(
        "I'm Mirko, forty-four, a physics teacher in Split."
        " I repair old radios and sing in a choir."
    ),
    disposition_traits=("jokes about everything",),
    relational_markers=(
        "Dora, my wife",
        "Lana, our daughter, eleven",
        "Pavao, my older brother, a fisherman in Zadar",
    ),
)


def talked(
    text: str,
    *,
    before: tuple[tuple[str, str], ...] = (),
    source: str = "Dora",
    t_us: int = 30 * HOUR_US,
    **fields: Any,
) -> str:
    """Return what Mirko answers at 6:00 of day 1, after events of given types an hour apart."""
    episodes = tuple(
        Episode(
            id=f"e{number}",
            t_us=t_us - (len(before) - number) * HOUR_US,
            until_us=t_us - (len(before) - number) * HOUR_US,
            type="speech" if by else "task",
            text=words,
            source=by,
        )
        for number, (by, words) in enumerate(before)
    )
    lived: dict[str, Any] = {
        "name": "Mirko",
        "identity": TEACHER,
        "affect": Affect(arousal=0.3, valence=0.0, energy=0.5, stress=0.1),
    }
    moment = ThoughtMoment(
        person="mirko", seed=3, t_us=t_us, mode="respond", codes=(), trigger="respond0",
        lived=LifeMoment(**(lived | fields)),
    )  # fmt: skip
    return spoken(moment, HeardWords(t_us=t_us, text=text, source=source), episodes=episodes)


# What is asked, and what is in every answer, of what somebody is.
OF_ONESELF = (
    ("What do you teach?", "physics"),
    ("So what's your job?", "teacher"),
    ("Where do you work?", "Split"),
    ("How old are you?", "forty-four"),
    ("What do you repair?", "radios"),
    ("Do you sing in a choir?", "Yes. I sing"),
    ("Who is Pavao?", "my older brother"),
    ("What is your brother called?", "Pavao"),
    ("Where does Pavao live?", "Zadar"),
    ("Is Lana eleven?", "Yes."),
    ("Do you have children?", "Yes. Lana"),
    ("Do you have a brother?", "Yes. Pavao"),
    ("Do you have any pets?", "No"),
    ("Are you married?", "Dora"),
    ("Who am I?", "my wife"),
)


@each_row("heard, words", OF_ONESELF)
def test_who_is_asked_of_itself_answers_from_its_identity(heard: str, words: str) -> None:
    assert words in talked(heard), talked(heard)


AN_ACCOUNTANT = PersonIdentity(
    self_narrative="I'm Rosa, thirty-three, an accountant from Porto. I am pregnant.",
    relational_markers=("Nuno, my husband", "Susan, my sister in Canada", "Joana, my friend"),
    learnt=(
        LearntFact(text="you were dismissed", since_us=HOUR_US, about="work", turn="dismissal"),
        LearntFact(text="your daughter is born", since_us=HOUR_US, about="Ava", turn="birth"),
        LearntFact(
            text="Joana, your friend, died", since_us=HOUR_US, about="Joana", turn="bereavement"
        ),
    ),
)
SINCE_THEN = (
    ("Do you still have your job?", "dismissed"),
    ("Is your job safe?", "dismissed"),
    ("Are you pregnant?", "daughter was born"),
    ("Where do you live?", "from Porto"),
)


@each_row("heard, words", SINCE_THEN)
def test_what_a_turn_has_ended_is_answered_by_the_turn(heard: str, words: str) -> None:
    answer = talked(heard, identity=AN_ACCOUNTANT)
    assert words in answer, answer
    assert "Yes" not in answer


A_WIDOW = PersonIdentity(
    self_narrative="I'm Lea, fifty. I live with my husband Nuno.",
    relational_markers=("Nuno, my husband",),
    learnt=(
        LearntFact(
            text="Nuno, your husband, died; you are widowed", since_us=HOUR_US, about="Nuno",
            turn="bereavement",
        ),
    ),
)  # fmt: skip


def test_who_is_widowed_lives_with_nobody_and_is_not_married() -> None:
    for asked in ("Who do you live with?", "Are you married?"):
        answer = talked(asked, source="Bo", identity=A_WIDOW)
        assert "I live with" not in answer, answer
        assert "Yes" not in answer, answer
    assert "widowed" in talked("Are you married?", source="Bo", identity=A_WIDOW)


def test_who_is_asked_whether_somebody_died_knows() -> None:
    assert "Joana, my friend, died" in talked("Is Joana dead?", identity=AN_ACCOUNTANT)


TOLD_BEFORE = (
    ("Dora", "I start at the library on Monday."),
    ("", "you tune the piano in the parish hall"),
    ("Lana", "Pavao is bringing the boat on Saturday."),
    ("Captain Radić", "The tide will not wait for anybody."),
    ("", "your daughter won the race"),
    ("Dora", "Is there any bread left?"),
)
# What is asked after that, and how every answer begins.
OF_WHAT_WAS_TOLD = (
    ("What did I tell you?", "You start at the library on Monday"),
    ("Where do I work now?", "You start at the library"),
    ("Do you know when I start at the library?", "You start at the library on Monday"),
    ("Is anybody coming on Saturday?", "Not that I|I do not know|I don't know|No idea|Lana said"),
    ("Who is bringing the boat?", "Lana said"),
    ("What did Radić say?", "Captain Radić said"),
    ("How is your daughter?", "My daughter won the race"),
    ("Did you tune the piano?", "Yes. I tuned the piano"),
    ("Did you paint the fence today?", "Not that I|I do not remember|I don't remember"),
    ("When does the ferry leave?", "I do not|I don't|I could not|That I do not|I am sorry|No idea"),
)


@each_row("heard, words", OF_WHAT_WAS_TOLD)
def test_who_was_told_something_knows_it(heard: str, words: str) -> None:
    answer = talked(heard, before=TOLD_BEFORE)
    assert answer.startswith(tuple(words.split("|"))), answer
    assert "bread" not in answer


# What is said, and words of which one is in every answer, and some of which none is.
MEANT = (
    ("Pavao broke his arm, but he is all right.", "no worse", "wonderful|Lovely|terrible"),
    ("I lost my keys, luckily Lana found them.", "no worse", "wonderful|Lovely|terrible"),
    ("I failed the exam.", "sorry|pity|not easy|bad", "glad|Lovely"),
    ("Shall I drive you to the station?", "es, please|Thank you|glad of that", "terrible|No."),
    ("I'm sorry, I spilt wine on your book.", "all right|mind|fine|anybody|said", "glad|rich"),
    ("I have bad news. They are closing the road.", "sorry|pity|not easy|bad", "glad|know"),
    ("You played so well yesterday.", "kind|Thank you", "see|know|mind"),
    ("Sleep well!", "oodbye|See you|Take care|leep well|ood night|ye", "see.|know."),
    ("You did well.", "kind|Thank you", "see|know|mind"),
    ("I am so sorry for your loss.", "kind|Thank you", "mind|fine|all right"),
    ("I'm sorry about your cup, I broke it.", "all right|mind|fine|anybody|said", "kind"),
    (
        "Don't worry, it will be all right.",
        "Thank you|thank you|helps|try|tomorrow",
        "I see|Good to",
    ),
    ("I forgive you.", "Thank you|glad|well", "see|mind"),
    ("Happy birthday!", "Thank you", "see|know"),
    ("You are a stupid liar.", "unkind|hurts|heard you|kept that", "sorry|terrible"),
    ("What is your favourite opera?", "made up|say yet|think about", "tomorrow"),
)


@each_row("heard, words, never", MEANT)
def test_what_is_told_is_answered_by_what_it_means(heard: str, words: str, never: str) -> None:
    for number in range(30):
        answer = talked(heard, t_us=30 * HOUR_US + number)
        assert any(one in answer for one in words.split("|")), answer
        assert not any(one in answer for one in never.split("|")), answer


def test_who_speaks_is_greeted_as_such_and_nobody_says_good_night_for_hello() -> None:
    for number in range(30):
        assert "Dora" in talked("Hi Mirko!", t_us=48 * HOUR_US + number)
        assert "Dora" in talked("Hello, it's me, Dora. How are you?", source="", t_us=number)
        assert "night" not in talked("Hi", source="Bo", t_us=48 * HOUR_US + number)


def test_nobody_jokes_on_the_day_of_a_death() -> None:
    died = Episode(
        id="d", t_us=29 * HOUR_US, until_us=29 * HOUR_US, type="news", importance=1.0,
        text="your brother Pavao has died in the night", valence=-0.95, emotion="sadness",
    )  # fmt: skip
    for number in range(40):
        for heard in ("How are you?", "I am so sorry.", "What happened?"):
            answer = talked(heard, t_us=30 * HOUR_US + number, weighs=died)
            assert not any(one in answer for one in ("rich", "rent", "joke", "mind", "weather"))


def test_who_asks_for_its_own_name_is_told_it_where_it_is_known() -> None:
    for asked in ("What is my name?", "Who am I?", "What am I called?"):
        assert "Ada" in talked(asked, source="Ada"), asked
        assert "You are" not in talked(asked, source=""), asked


def test_what_was_so_with_somebody_who_died_is_answered_by_that() -> None:
    widow = msgspec.structs.replace(A_WIDOW, key_memories=("the wedding in the rain",))
    for asked in ("Who do you live with?", "Are you married?"):
        answer = talked(asked, identity=widow)
        assert "widowed" in answer or "died" in answer, answer
        assert "Yes" not in answer


A_COOK = PersonIdentity(
    self_narrative="I'm Egil, thirty-one, a cook in Bodø. I live with my wife Tuva by the sea.",
    relational_markers=(
        *("Tuva, my wife, who repairs boats", "Nils, my son, who is four", "Mum, my mother"),
        *("Papa, my father", "Doctor Sand", "Rolf, my boss"),
    ),
    learnt=(
        LearntFact(text="Papa, your father, died", since_us=0, about="Papa", turn="bereavement"),
        LearntFact(
            text="the owner writes that your post ends in June",
            since_us=DAY_US,
            about="notice",
            turn="dismissal",
        ),
    ),
)


def happened(id_: str, type_: str, t_us: int, text: str, **fields: Any) -> Episode:
    importance = fields.pop("importance", 0.6)
    ends_us = t_us + 1
    return Episode(
        id=id_, t_us=t_us, until_us=ends_us, type=type_, text=text, importance=importance, **fields
    )


NOON_US = 12 * HOUR_US
OF_A_COOK = (
    happened("a", "news", NOON_US, "your father has died", topic="bereavement", valence=-1.0),
    happened("b", "news", DAY_US + NOON_US, "Doctor Sand says that it is flu", topic="illness"),
    happened("c", "news", NOON_US + 1, "you have an exam in hygiene on Friday at nine"),
    happened("d", "speech", 2 * DAY_US + NOON_US, "You burnt the fish.", source="Rolf"),
    happened("e", "speech", 2 * DAY_US + NOON_US + 1, "Will you help on Sunday?", source="Rolf"),
    happened("f", "news", HOUR_US, "the neighbour's boat was burnt and sank", importance=0.4),
    happened("g", "news", HOUR_US + 1, "the roof lost nine tiles and the piano got wet"),
)
WEEK = (
    RoutineBlock(
        what="work", start_min=540, minutes=180, days=(0, 1, 2, 3), place="in the kitchen"
    ),
    RoutineBlock(
        what="work", start_min=750, minutes=150, days=(0, 1, 2, 3), place="in the kitchen"
    ),
)


@each_row(
    "asked, words",
    (
        ("Is your father alive?", "No. Papa, my father, died"),
        ("Is your wife alive?", "Tuva"),
        ("What did the doctor say?", "Doctor Sand said yesterday afternoon that it is flu"),
        ("Are you ill?", "Yes. It is flu"),
        ("When does your post end?", "in June"),
        ("What do you do for a living?", "a cook"),
        ("What does your wife do for a living?", "who repairs boats"),
        ("When is your exam?", "I have an exam in hygiene on Friday at nine"),
        ("How many children do you have?", "One: my son Nils"),
        ("How many brothers do you have?", "None"),
        ("How old is Nils?", "who is four"),
        ("Who lives with you?", "My wife Tuva and my son Nils"),
        ("What did Tuva do yesterday?", "know|No idea|tell you"),
        ("What did Rolf say?", "Will you help on Sunday?"),
        ("What happened today?", "You burnt the fish"),
        ("What happened on Monday?", "My father has died"),
        ("What happened to the neighbour's boat?", "The neighbour's boat was burnt and sank"),
        ("Where were you yesterday?", "in the kitchen, at work"),
        ("Do you work tomorrow?", "Yes, in the kitchen, from nine to three"),
        ("Do you work on Saturday?", "No, I am off then"),
        ("Is Rolf safe?", "Will you help on Sunday?"),
        ("Where is Rolf?", "Will you help on Sunday?"),
        ("Did your father die?", "Yes. Papa, my father, died"),
        ("When do you start work?", "At nine, in the kitchen"),
        ("How is the weather?", "It rains"),
        ("Is it raining outside?", "Yes. It rains"),
        ("Will it rain tomorrow?", "know|No idea|tell you|say yet|heard"),
        ("What happened to the piano?", "The piano got wet"),
        ("What happened to the roof?", "The roof lost nine tiles"),
    ),
)
def test_what_is_known_of_one_s_days_and_people_is_told(asked: str, words: str) -> None:
    now_us = 2 * DAY_US + 18 * HOUR_US
    moment = ThoughtMoment(
        person="egil", seed=1, t_us=now_us, mode="respond", codes=(), trigger="respond0",
        lived=LifeMoment(
            name="Egil",
            identity=A_COOK,
            affect=Affect(arousal=0.3, valence=0.0, energy=0.5, stress=0.0),
            situation=LifeSituation(place="at home", weather="it rains"),
        ),
    )  # fmt: skip
    heard = HeardWords(t_us=now_us, text=asked, source="Bo")
    answer = spoken(moment, heard, episodes=OF_A_COOK, week=WEEK)
    answer = answer.replace("it's", "it is").replace("It's", "It is").replace("who's", "who is")
    answer = answer.replace("I'm", "I am")
    assert any(one in answer for one in words.split("|")), answer


def test_what_was_to_come_is_told_as_what_was_once_its_time_is_over() -> None:
    now_us = 6 * DAY_US + NOON_US
    moment = ThoughtMoment(
        person="egil", seed=1, t_us=now_us, mode="respond", codes=(), trigger="respond0",
        lived=LifeMoment(
            name="Egil",
            identity=A_COOK,
            affect=Affect(arousal=0.3, valence=0.0, energy=0.5, stress=0.0),
        ),
    )  # fmt: skip
    heard = HeardWords(t_us=now_us, text="How did your exam go?", source="Bo")
    assert "I had an exam in hygiene on Friday" in spoken(moment, heard, episodes=OF_A_COOK)


HEARD = (
    ("Ruth", "The neighbour's dog Bruno died tonight."),
    ("Otto", "The landlord wants to raise the rent by eighty euros."),
    ("Dora", "I hate parsley."),
    ("Dora", "I have a son. He is called Arne and he is six."),
)


@each_row(
    "asked, words",
    (
        ("Is Bruno well?", "Bruno"),
        ("Is the rent going down?", "raise"),
        ("Do I like parsley?", "parsley"),
        ("How old is my son?", "six"),
        ("Does the landlord want to raise the rent?", "Yes"),
    ),
)
def test_a_yes_is_borne_out_by_what_is_told(asked: str, words: str) -> None:
    answer = talked(asked, before=HEARD)
    assert words in answer, answer
    assert ("Yes" in answer) is (words == "Yes"), answer


def test_what_somebody_else_does_is_no_work_of_one_s_own() -> None:
    borrower = PersonIdentity(
        self_narrative="I'm Ilse, fifty, a book-keeper in Passau.",
        relational_markers=("Otto, my neighbour, who borrows tools",),
    )
    answer = talked("Do you have a job?", identity=borrower)
    assert "borrows" not in answer
    assert "book-keeper" in answer, answer


def test_who_is_asked_whether_it_lives_alone_says_so() -> None:
    assert talked("Do you live alone?").startswith("No"), talked("Do you live alone?")
    assert "Yes" in talked("Do you live with Dora?", source="Bo")
    assert "No" in talked("Do you live with Pavao?", source="Bo")


def test_a_notice_is_told_with_all_that_it_says() -> None:
    fact = LearntFact(
        text="the firm writes that the ship is sold and you are laid off in June",
        since_us=HOUR_US, about="notice", turn="dismissal",
    )  # fmt: skip
    answer = talked("Is your job safe?", identity=msgspec.structs.replace(TEACHER, learnt=(fact,)))
    assert "laid off" in answer
    assert "Yes" not in answer
