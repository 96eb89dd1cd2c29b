"""Placeholders of a command: where they may stand, what may fill them."""

import pytest

from mindpipe.core.errors import UnavailableError
from mindpipe.core.tools import fault_in, faults_of, filled, names_in
from support.tables import each_row

SCHEMA = {
    "type": "object",
    "required": ["town", "days", "warm", "list", "many"],
    "properties": {
        "town": {"type": "string"},
        "days": {"type": "number"},
        "warm": {"type": "boolean"},
        "list": {"type": "array"},
        "many": {"type": ["string", "null"]},
        "free": {"type": "string"},
        "bare": True,
    },
}


@each_row(
    ("words", "names"),
    [
        (("look", "{town}", "--in", "{days}"), ("town", "days")),
        (("look", "{town}{days}", "{}", "{ town }", "{0}", '{"a":1}', "{town}\n"), ()),
    ],
)
def test_a_placeholder_is_a_whole_word(words: tuple[str, ...], names: tuple[str, ...]) -> None:
    assert names_in(words) == names


@each_row(
    ("word", "words"),
    [
        ("{town}", None),
        ("{days}", None),
        ("{warm}", None),
        ('{"a": 1}', None),
        ("--in={else}", None),
        ("{else}", "input_schema declares no property else"),
        ("{list}", 'the property list needs the "type"'),
        ("{many}", 'the property many needs the "type"'),
        ("{bare}", 'the property bare needs the "type"'),
        ("{free}", "input_schema must name free under required"),
        ("--in={town}", "{town} must be a word of its own"),
    ],
)
def test_what_cannot_be_filled_is_named(word: str, words: str | None) -> None:
    found = list(faults_of(("look", "x", word), SCHEMA))
    assert [place for place, _ in found] == ([] if words is None else [2])
    assert words is None or found[0][1].startswith(words)


def test_no_argument_chooses_the_program() -> None:
    assert [place for place, _ in faults_of(("{town}",), SCHEMA)] == [0]


def test_a_schema_without_properties_has_no_placeholders() -> None:
    assert [place for place, _ in faults_of(("look", "{town}"), {"type": "object"})] == [1]


@each_row(
    ("value", "word"),
    [
        ("Rome", "Rome"),
        ("", ""),
        ("a b; c", "a b; c"),
        ("{days}", "{days}"),
        (3, "3"),
        (0.5, "0.5"),
        (True, "true"),
        (False, "false"),
    ],
)
def test_a_value_fills_one_word(value: object, word: str) -> None:
    assert filled(("look", "{town}", "on"), {"town": value}) == ("look", word, "on")


@each_row(
    ("args", "words"),
    [
        ({}, "$.town: missing"),
        ({"town": "-x"}, "$.town: may not begin with -"),
        ({"town": -1}, "$.town: may not begin with -"),
        ({"town": "a\x00"}, "$.town: may not hold NUL"),
        ({"town": "\ud800"}, "$.town: may not hold NUL or lone surrogates"),
    ],
)
def test_a_value_that_could_be_an_option_or_no_word_is_refused(
    args: dict[str, object], words: str
) -> None:
    command = ("look", "{town}")
    assert (fault_in(args, command) or "").startswith(words)
    with pytest.raises(UnavailableError, match="the program look cannot start"):
        filled(command, args)
