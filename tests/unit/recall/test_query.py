"""What the words of a question show of what it asks for."""

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.recall.query import MOST_WORDS, dense_words, understand
from support.tables import each_row

AT = "2024-06-10T12:00:00Z"


def test_words_that_carry_meaning_are_wanted_once_with_their_irregular_forms() -> None:
    asked = understand("When did Mia go painting, and what did she paint?", at=AT)
    assert [one.stem for one in asked.wanted] == ["mia", "go", "paint"]
    assert asked.words == ("mia", "go", "went", "gone", "painting")


def test_words_lead_to_others_of_their_topic() -> None:
    asked = understand("Where does Mia live?", at=AT)
    (home,) = asked.kin
    assert home.stem == "live"
    assert {"flat", "move", "address"} <= set(home.forms)
    assert "flat" in asked.led
    assert "flat" not in asked.words
    # A name is not taken for the word that it is.
    assert understand("What did Dean Work say?", at=AT).kin == ()
    # What belongs to a topic leads to its names, and not to all that belongs there.
    (pet,) = understand("Which cat is it?", at=AT).kin
    assert pet.forms == ("pet", "animal")


def test_who_asks_in_words_that_nobody_answers_in_asks_for_what_they_mean() -> None:
    assert understand("Who am I?", at=AT).words == ("name",)
    assert "call" in understand("What is my name?", at=AT).led
    assert {"job", "work"} <= {
        *(asked := understand("What is it you do for a living?", at=AT)).words,
        *asked.led,
    }
    assert understand("Who am I married to?", at=AT).words == ("married",)
    assert {"mum", "mom"} <= set(understand("Who is my mother?", at=AT).led)


def test_a_question_says_whether_it_is_in_the_present_tense() -> None:
    present = ("Where does Mia live?", "What's my number?", "Is he ill?", "Who is it now?")
    others = ("Where did Mia live?", "Mia's home?", "Where does she live since May 2023?")
    assert [one for one in present if not understand(one, at=AT).present] == []
    assert [one for one in others if understand(one, at=AT).present] == []
    assert not understand("What does she have before her meals?", at=AT).present


def test_a_question_of_function_words_alone_is_taken_by_these() -> None:
    assert understand("Who are you?", at=AT).words == ("who", "are", "you")
    assert understand("?!", at=AT).words == ()
    assert understand('Who is "The Who"?', at=AT).words == ("who", "the")
    assert understand('Who is "The Kite"?', at=AT).words == ("kite",)


def test_a_question_of_very_many_words_is_taken_by_its_first() -> None:
    words = understand(" ".join(f"w{number}" for number in range(2 * MOST_WORDS)), at=AT).words
    assert words == tuple(f"w{number}" for number in range(MOST_WORDS))


def test_names_phrases_and_days_are_found() -> None:
    asked = understand('Where did Zoë say "So be it" in May 2023?', at=AT)
    assert asked.names == ("zoe", "may")
    assert asked.phrases == ("so be it",)
    assert [(one.since, one.until) for one in asked.days] == [
        ("2023-05-01T00:00:00Z", "2023-06-01T00:00:00Z")
    ]


def test_days_are_meant_from_the_instant_of_the_question() -> None:
    (day,) = understand("What happened last May?", at="2022-01-01T00:00:00Z").days
    assert day.since == "2021-05-01T00:00:00Z"
    with pytest.raises(UsageError):
        understand("What happened last May?", at="whenever")


@each_row(
    ("text", "shows"),
    [
        ("When does the ferry leave?", {"when"}),
        ("Which day is the market?", {"when"}),
        ("Can you help me plan the garden?", set()),
        ("Where does she live these days?", {"now"}),
        ("Is the shop still open?", {"now"}),
        ("What is there to do on 8 July 2031?", {"now"}),
        ("Where did she live before she came to where she is now?", {"earlier"}),
        ("What was it originally written in?", {"earlier"}),
        ("Where did Jonas use to live?", {"earlier"}),
        ("What does Jonas use to get to work?", set()),
        ("How did you suggest to write to her?", {"assistant"}),
        ("What was your advice?", {"assistant"}),
        ("How did it go over time?", {"earlier"}),
        ("How many days lie between the review and the talk?", {"spans"}),
        ("What happened between Monday and last Friday?", {"spans"}),
        ("What did she do between 3 May and 1 June?", {"spans"}),
        ("Is the road between Bremen and Bo's home long?", set()),
        ("What lies between Bremen, where Bo lives, and the sea?", set()),
        ("What is the relationship between Ana and Tom now?", {"now"}),
        ("How long did it take to paint the boat?", {"when", "spans"}),
        ("What was there to do on 8 July 2031?", set()),
        ("What colour is the door?", set()),
    ],
)
def test_what_is_asked_for(text: str, shows: set[str]) -> None:
    asked = understand(text, at=AT)
    signs = ("when", "now", "earlier", "spans")
    found = {name for name in signs if getattr(asked, name)}
    assert found | ({asked.of} - {"anybody"}) == shows


def test_names_that_many_rows_hold_are_not_embedded() -> None:
    asked = understand("What did Mia's aunt say to Noor?", at=AT)
    rows_with = {"mia": 6, "noor": 5, "aunt": 90}
    assert dense_words(asked, rows=100, rows_with=rows_with) == "What did aunt say to Noor?"
    alone = understand("Mia", at=AT)
    assert dense_words(alone, rows=100, rows_with=rows_with) == "Mia"
