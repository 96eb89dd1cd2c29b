"""Pushed lines: every row of the table of hostile input, with its words."""

import base64

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.core.lines import AllOrNothing
from mindpipe.core.problems import Problem
from mindpipe.inbox.batch import Batch
from mindpipe.inbox.lines import check, check_text
from mindpipe.inbox.push_rules import LineRules
from mindpipe.inbox.records import Bounds, EventDefaults
from support.tables import each_row

RULES = LineRules(source="stdin", given=EventDefaults(agent="ava"))
STRICT = LineRules(source="stdin", given=EventDefaults(agent="ava"), strict=True)


class Kept:
    """Refused lines as they came."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.octets: list[bytes] = []

    def refuse(self, problems: list[Problem], octets: bytes) -> None:
        self.words += [problem.line_of_text() for problem in problems]
        self.octets.append(octets)

    def settle(self) -> None:
        pass


def refused(octets: bytes, rules: LineRules = RULES, number: int = 3) -> list[str]:
    kept = Kept()
    assert check(number, octets, rules, kept) is None
    return kept.words


def taken(octets: bytes, rules: LineRules = RULES) -> Batch:
    kept = Kept()
    piece = check(1, octets, rules, kept)
    assert kept.words == []
    assert piece is not None
    return piece


@each_row(
    ("line", "words"),
    [
        (b'{"text":"a","text":"b"}\n', ["stdin:3: $.text: appears twice"]),
        (b'{"id":1,"id":2}\n', ["stdin:3: $.id: appears twice"]),
        (b'{"body":{"x":NaN}}\n', ["stdin:3: $.body.x: NaN is not JSON"]),
        (b'{"body":{"x":-Infinity}}\n', ["stdin:3: $.body.x: -Infinity is not JSON"]),
        (b'{"body":{"x":1e999}}\n', ["stdin:3: $.body.x: 1e999 is out of range"]),
        (b"[" * 200_000 + b"\n", ["stdin:3: nested deeper than 128 levels"]),
        (b'{"body":{"x":' + b"9" * 1001 + b"}}\n", ["stdin:3: a number has more than 1000 digits"]),
        (b'{"priority":"high"}\n', ['stdin:3: $.priority: expected 0..4, got "high"']),
        (b'{"priority":9}\n', ["stdin:3: $.priority: expected 0..4, got 9"]),
        (b"[1]\n", ["stdin:3: $: expected an object, got [1]"]),
        (b'"text"\n', ['stdin:3: $: expected an object, got "text"']),
        (b"hello\n", ["stdin:3: not JSON at character 0: Expecting value"]),
        (
            b'{"text":"a',
            ["stdin:3: ends in the middle of a record; the producer may have stopped"],
        ),
        (
            b'{"priorty":1,"text":3,"key":"","due":"soon","lossy":"no","body":1}\n',
            [
                "stdin:3: $.priorty: unknown field; did you mean priority?",
                "stdin:3: $.text: expected text, got 3",
                'stdin:3: $.key: expected text of 1..256 bytes, got ""',
                'stdin:3: $.due: expected an instant like 2026-11-21T20:00:00Z, got "soon"',
                'stdin:3: $.lossy: expected true or false, got "no"',
                "stdin:3: $.body: expected an object, got 1",
            ],
        ),
    ],
)
def test_a_bad_line_is_refused_with_every_problem(line: bytes, words: list[str]) -> None:
    assert refused(line) == words


def test_a_whole_last_line_needs_no_end() -> None:
    assert taken(b'{"text":"a"}\n{"text":"b"}').whole("text") == ["a", "b"]


def test_a_broken_last_line_with_its_end_is_no_sign_of_a_dead_producer() -> None:
    assert refused(b'{"text":"a\n')[0].startswith("stdin:3: not JSON at character")


@each_row(
    ("line", "words", "text"),
    [
        (b'{"text":"caf\xe9"}', "not UTF-8 at byte 12", "caf\ufffd"),
        (b'{"text":"a\0b"}', "NUL at byte 10", "a\ufffdb"),
        (b'{"text":"\\u0000"}', "holds an escaped NUL or half of a surrogate pair", "\ufffd"),
        (b'{"text":"\\ud800"}', "holds an escaped NUL or half of a surrogate pair", "\ufffd"),
    ],
)
def test_what_cannot_be_stored_is_cleaned_and_kept_or_refused(
    line: bytes, words: str, text: str
) -> None:
    piece = taken(line + b"\r\n")
    assert piece.cell("text", 0) == text
    assert piece.cell("lossy", 0) == 1
    assert base64.b64decode(piece.word("original", 0)) == line
    problem = f"stdin:3: {words}; without --strict it is kept as base64"
    assert refused(line + b"\n", STRICT) == [problem]


@each_row("mark", ["\u2028", "\u2029", "\u0085", "\ufeff", "\\f", "\\r\\n"])
def test_other_marks_end_no_line_and_stay(mark: str) -> None:
    piece = taken(f'{{"text":"a{mark}b"}}\r\n{{"text":"c"}}\r\n'.encode())
    kept = {"\\f": "\f", "\\r\\n": "\r\n"}.get(mark, mark)
    assert piece.whole("text") == [f"a{kept}b", "c"]
    assert not piece.has("lossy")


def test_blank_lines_are_passed_over_and_numbers_stay_true() -> None:
    kept = Kept()
    piece = check(7, b'\n{"text":"a"}\n \r\nbad\n{"text":"b"}\n', RULES, kept)
    assert piece is not None
    assert piece.whole("text") == ["a", "b"]
    assert [piece.number(place) for place in range(2)] == [8, 11]
    assert kept.words == ["stdin:10: not JSON at character 0: Expecting value"]
    assert kept.octets == [b"bad\n"]


def test_nothing_but_blank_lines_is_nothing() -> None:
    assert check(1, b"\n \n", RULES, AllOrNothing()) is None


def test_an_agent_must_be_named_where_none_is_given() -> None:
    rules = LineRules(source="stdin")
    words = "stdin:3: $.agent: missing; name one there or with --agent"
    assert refused(b'{"text":"a"}\n', rules) == [words]
    assert taken(b'{"agent":"bob"}\n', rules).cell("agent", 0) == "bob"
    free = LineRules(source="stdin", agent_needed=False)
    assert taken(b'{"text":"a"}\n', free).cell("agent", 0) is None


def test_an_unknown_agent_is_a_problem_of_its_line() -> None:
    rules = LineRules(source="stdin", unknown=lambda agent: f'no agent "{agent}".')
    assert refused(b'{"agent":"avo"}\n', rules) == ['stdin:3: $.agent: no agent "avo".']


def test_what_is_given_holds_for_lines_that_do_not_say_it() -> None:
    given = EventDefaults(agent="ava", source="web", priority=4, type="observation", key="k")
    rules = LineRules(source="stdin", given=given)
    piece = taken(b'{"priority":1}\n{"source":"mail"}\n', rules)
    assert piece.whole("priority") == [1, 4]
    assert piece.whole("sources") == [None, '["claimed:mail"]']
    assert piece.same == {"agent": "ava", "source": "web", "type": "observation", "key": "k"}


def test_words_are_one_event() -> None:
    piece = check_text("Hé\n\n".encode(), RULES)
    assert (piece.count, piece.cell("text", 0), piece.has("lossy")) == (1, "Hé\n\n", False)
    odd = check_text(b"\xff", RULES)
    assert (odd.cell("text", 0), odd.cell("original", 0)) == ("\ufffd", "/w==")


@each_row(
    ("octets", "rules", "words"),
    [
        (b"\xff", STRICT, "not UTF-8 at byte 0; without --strict it is kept as base64"),
        (
            b"12345",
            LineRules(source="stdin", bounds=Bounds(max_bytes=4)),
            "longer than 4 bytes; split it or raise inbox.max_bytes",
        ),
    ],
)
def test_words_that_are_refused(octets: bytes, rules: LineRules, words: str) -> None:
    with pytest.raises(BadInputError, match=f"stdin: {words}"):
        check_text(octets, rules)


def test_all_problems_are_told_up_to_a_number_that_can_be_read() -> None:
    bad = AllOrNothing()
    bad.settle()
    check(1, b"bad\n" * 250, RULES, bad)
    with pytest.raises(BadInputError) as caught:
        bad.settle()
    assert len(caught.value.problems) == 101
    assert caught.value.problems[-1].line_of_text() == "stdin: 150 more problems not shown"
