"""Faults of types and ranges, as people read them."""

import pytest

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.person.lines import LinePlace, plain, read_line
from mindpipe.person.records.person import PersonSettings
from mindpipe_cli.person_input import settings_with
from support.tables import each_row


@each_row(
    ("message", "words"),
    [
        ("expected float | null, got str", "expected a number, got text"),
        ("expected int >= 0", "expected a whole number of at least 0"),
        ("expected float <= 2.0, got 9", "expected a number of at most 2.0, got 9"),
        ("expected bool, got int", "expected true or false, got a whole number"),
        ("expected object, got array", "expected an object, got a list"),
        ("expected 0..10, got 11", "expected 0..10, got 11"),
        ("missing", "missing"),
    ],
)
def test_types_are_told_in_words(message: str, words: str) -> None:
    assert plain(message) == words


def test_faults_of_lines_are_told_in_words() -> None:
    line = b'{"kind":"person","person":"a b","name":"A","traits":{"o":"x"}}'
    with pytest.raises(BadInputError) as raised:
        read_line(line, LinePlace("a", 1))
    assert [problem.line_of_text() for problem in raised.value.problems] == [
        'a:1: $.person: expected 1 to 64 of A-Z, a-z, 0-9, _ . -, got "a b"',
        "a:1: $.traits.o: expected a number, got text",
    ]


@each_row(
    ("given", "fault"),
    [
        ("max_calls=x", "--set max_calls: expected a whole number, got text."),
        ("max_calls=-1", "--set max_calls: expected a whole number of at least 0."),
        ("review=maybe", "--set review: expected true or false, got text."),
        ("parser=b", '--set parser: expected one of seed, improved, got "b".'),
    ],
)
def test_faults_of_settings_are_told_in_words(given: str, fault: str) -> None:
    with pytest.raises(UsageError) as raised:
        settings_with(PersonSettings(), (given,))
    assert str(raised.value) == fault
