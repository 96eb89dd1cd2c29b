"""Lines become records or problems, and no key that stands twice is passed over."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mindpipe.core.lines import FoundRecord, RecordLines
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from support.tables import each_row


class Inner(Record):
    """A record inside another."""

    text: str


class Outer(Record):
    """A record of a line."""

    text: str
    inner: Inner | None = None
    words: tuple[str, ...] = ()
    marks: dict[str, int] = {}


class Book:
    """What was refused."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.lines: list[bytes] = []

    def refuse(self, problems: list[Problem], octets: bytes) -> None:
        self.problems += problems
        self.lines.append(octets)

    def settle(self) -> None:
        """Let all go on."""


def faults(one: Outer) -> list[tuple[str, str]]:
    return [("$.text", "is odd")] if one.text == "odd" else []


def read(octets: bytes, first: int = 1) -> tuple[FoundRecord[Outer], list[str]]:
    book = Book()
    found = RecordLines(Outer, faults, source="in").read(first, octets, book)
    return found, [problem.line_of_text() for problem in book.problems]


@each_row(
    ("line", "said"),
    [
        (b'{"text":"a","text":"b"}', "in:5: $.text: appears twice"),
        (b'{"text":"a","text" :"b"}', "in:5: $.text: appears twice"),
        (b'{"text":"\\":","text":"b"}', "in:5: $.text: appears twice"),
        (b'{"text":"a","inner":{"text":"b","text":"c"}}', "in:5: $.inner.text: appears twice"),
        (b'{"text":"a","text":"b","marks":{"\\\\":1}}', "in:5: $.text: appears twice"),
        (b'{"text":"odd"}', "in:5: $.text: is odd"),
        (b'{"text":1}', "in:5: $.text: expected str, got int"),
        (b'{"text":"a","more":1}', "in:5: $.more: unknown field"),
        (b'{"text":"a"} {"text":"b"}', "in:5: not JSON at character 13: Extra data"),
        (b'{"text":"\xff"}', "in:5: not UTF-8 at byte 9"),
        (b'{"text":"\\ud800"}', 'in:5: $.text: holds half of a surrogate pair, got "\\ud800"'),
    ],
)
def test_a_line_at_fault_is_refused_and_its_neighbours_are_not(line: bytes, said: str) -> None:
    found, told = read(b'{"text":"one"}\n\n' + line + b'\n{"text":"two"}', first=3)
    assert told == [said]
    assert [one.text for one in found.records] == ["one", "two"]
    assert found.numbers == [3, 6]


def test_sound_lines_may_hold_anything_in_their_texts() -> None:
    texts = ['":', "{", "}\n{", " :", "\\", '"']
    lines = "".join(json.dumps({"text": text, "words": [text]}) + "\n" for text in texts)
    found, told = read(lines.encode())
    assert told == []
    assert [one.text for one in found.records] == texts
    assert found.numbers == [1, 2, 3, 4, 5, 6]


@given(st.lists(st.tuples(st.text(max_size=5), st.booleans(), st.booleans()), max_size=5))
def test_every_line_becomes_a_record_or_a_problem(lines: list[tuple[str, bool, bool]]) -> None:
    made = []
    for text, twice, spaced in lines:
        one = {"text": text, "inner": {"text": text}}
        line = json.dumps(one, separators=(", ", " : " if spaced else ":"))
        made.append(line.replace("}}", ',"text":"x"}}') if twice else line)
    book = Book()
    octets = "\n".join(made).encode()
    found = RecordLines(Outer, lambda _one: [], source="in").read(1, octets, book)
    assert len(found.records) + len(book.lines) == len(made)
    assert len(book.lines) == sum(twice for _, twice, _ in lines)
