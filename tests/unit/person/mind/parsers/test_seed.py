"""The parser `seed` finds each of its keywords however it is written, and nothing else."""

import itertools
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person.mind.parsers.seed import KEYWORDS, parse_feedback
from mindpipe.person.records.state import CONTRACT
from support.tables import each_row

CASES = [(label, keyword) for label, keywords in KEYWORDS.items() for keyword in keywords]
ENDS = ("", ".", "!", "?", ", and so on", " \u2026 ", "\u201d")
APOSTROPHES = ("'", "\u2018", "\u2019", "\u201b", "\u02bc", "\u2032")
TABLE = {
    "rumination": ("can't stop thinking", "going over and over", "replaying"),
    "acceptance": ("it's okay", "accept", "let it go", "it is what it is"),
    "reappraisal": ("maybe it's not that bad", "another way to look", "reframe"),
    "suppression": ("push it down", "don't feel", "ignore it"),
    "catastrophizing": ("worst case", "disaster", "going to die"),
    "problem_solving": ("figure this out", "need a plan", "solve this"),
    "distraction": ("think about something else", "distract myself"),
    "denial": ("it's fine", "nothing's wrong", "not happening"),
}


def test_the_table_is_that_of_the_founding_requirements() -> None:
    assert KEYWORDS == TABLE
    assert tuple(KEYWORDS) == CONTRACT


@each_row(("label", "keyword"), CASES)
def test_a_keyword_is_found_in_every_writing(label: str, keyword: str) -> None:
    writings: list[Callable[[str], str]] = [str.lower, str.upper, str.title]
    for apostrophe, written, end in itertools.product(APOSTROPHES, writings, ENDS):
        words = written(keyword).replace("'", apostrophe).replace(" ", " \n ")
        text = f"\u201cWell, {words}{end}"
        assert (parse_feedback(text), text) == ((label,), text)


@each_row(("label", "keyword"), CASES)
def test_a_keyword_with_a_letter_missing_is_none(label: str, keyword: str) -> None:
    assert label not in parse_feedback(keyword[1:])


def test_wide_letters_are_letters() -> None:
    assert parse_feedback("\uff49\uff47\uff4e\uff4f\uff52\uff45 it") == ("suppression",)


def test_labels_come_once_in_the_order_of_the_table() -> None:
    assert parse_feedback("It's fine. I accept it, I accept, and I reframe it.") == (
        "acceptance",
        "reappraisal",
        "denial",
    )


@each_row("text", ["", " \n\t", "I go for a walk.", "\u2026"])
def test_other_words_have_no_label(text: str) -> None:
    assert parse_feedback(text) == ()


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    assert set(parse_feedback(text)) <= set(CONTRACT)
