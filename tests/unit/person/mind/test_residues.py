"""What is left of a text: tone, words, a first sentence, and what may be stored at all."""

from mindpipe.person.mind.residue import MOST_STORED, first_sentence, residue, storable
from support.tables import each_row


@each_row(
    ("valence", "tone"),
    [
        (-1.0, "a painful moment"),
        (-0.5001, "a painful moment"),
        (-0.5, "an uneasy moment"),
        (-0.1501, "an uneasy moment"),
        (-0.15, "a plain moment"),
        (0.15, "a plain moment"),
        (0.1501, "a pleasant moment"),
        (0.5, "a pleasant moment"),
        (0.5001, "a joyful moment"),
    ],
)
def test_the_tone_is_that_of_the_valence(valence: float, tone: str) -> None:
    assert residue("Garden", valence) == f"{tone}: garden"


@each_row(
    ("text", "words"),
    [
        ("The pain fills everything. A sharp pain takes hold of me.", "fills, sharp, takes"),
        ("Apples, apples and APPLES; pears.", "apples, pears"),
        ("alpha bravo candy delta early foxes geese", "alpha, bravo, candy, delta, early, foxes"),
        ("I can't believe Müller’s weather", "believe, müller, weather"),
    ],
)
def test_the_first_six_distinct_words_of_five_letters_stay(text: str, words: str) -> None:
    assert residue(text, 0.0) == f"a plain moment: {words}"


STOPPED = """about after again always because being could every everything feeling going nothing
other really should someone something their there these thing things think those though where
which while would"""


@each_row("word", STOPPED.split())
def test_words_that_say_nothing_are_left_out(word: str) -> None:
    assert residue(f"{word} garden", 0.0) == "a plain moment: garden"


def test_without_words_the_tone_is_left() -> None:
    assert residue("I am so.", 0.0) == "a plain moment"


@each_row(
    ("text", "most", "sentence"),
    [
        ("I am tired. I want to sleep.", 60, "I am tired"),
        ("Why? I do not know.", 60, "Why"),
        ("no end at all", 60, "no end at all"),
        ("It cost 3.50 today. Then", 60, "It cost 3.50 today"),
        ("two\nlines here", 60, "two lines here"),
        ("one two three", 7, "one two"),
        ("one two three", 8, "one two"),
        ("one two three", 6, "one"),
        ("abcdefghij", 4, "abcd"),
        ("", 4, ""),
    ],
)
def test_a_first_sentence_is_cut_between_words(text: str, most: int, sentence: str) -> None:
    assert first_sentence(text, most=most) == sentence


def test_what_is_stored_has_no_control_characters_and_at_most_8000() -> None:
    assert storable("a\tb\nc\r\x00\x1b[0m\x7f\x85d") == "a\tb\nc[0md"
    assert storable("\ud800é") == "\ufffdé"
    assert storable("\x00" * 9_000 + "ab") == "ab"
    assert storable("ä" * 8_001) == "ä" * MOST_STORED
