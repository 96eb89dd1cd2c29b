"""YAML: plain values with their lines, and nothing that runs, multiplies or is guessed."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.core.errors import BadInputError
from mindpipe.core.records import Record
from mindpipe.core.yaml import MAX_BYTES, load_yaml, record_of
from support.tables import each_row

_TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\x85\u2028\u2029\ufeff")
)
_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


class Route(Record):
    """One route."""

    path: str
    weight: float = 1.0


class Routes(Record):
    """Some routes."""

    routes: tuple[Route, ...]


def fault(text: str | bytes) -> str:
    octets = text.encode() if isinstance(text, str) else text
    with pytest.raises(BadInputError) as caught:
        load_yaml(octets, source="a.yaml")
    return caught.value.problems[0].line_of_text()


@given(_PLAIN)
def test_what_another_program_wrote_is_read(value: object) -> None:
    written = yaml.safe_dump(value, allow_unicode=True)
    assert load_yaml(written.encode(), source="x").value == value


@each_row(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("12:30", "12:30"),
        ("2026-01-05", "2026-01-05"),
        ("007", 7),
        ("0x1f", "0x1f"),
        ("1.5", 1.5),
        ("1e999", "1e999"),
        ("1" * 30, 1e29 * 10 / 9),
        ("'5'", "5"),
        ("~", None),
        ("", None),
        ("true", True),
        ("[a, {b: 1}]", ["a", {"b": 1}]),
    ],
)
def test_only_what_is_surely_no_word_is_more_than_one(text: str, value: object) -> None:
    found = load_yaml(text.encode(), source="x").value
    assert found == (pytest.approx(value) if isinstance(value, float) else value)
    assert type(found) is type(value)


@each_row(
    ("text", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", 'a.yaml:3: "a" appears twice'),
        ("a: &x [1]\nb: *x\n", "a.yaml:1: an anchor; leave it out"),
        ("a:\n  - *x\n", "a.yaml:2: an alias; write out what it stands for"),
        ("a: !!python/object/apply:os.system [ls]\n", "a.yaml:1: a tag; leave it out"),
        ("a: 1\n---\nb: 1\n", "a.yaml:2: a second document; give one"),
        ("? [a]\n: 1\n", "a.yaml:1: a key that is no text"),
        ("a: [1\nb: 2\n", "a.yaml:2: not YAML: did not find expected ',' or ']'"),
        (b"a: \xff\n", "a.yaml: not UTF-8 at byte 3"),
        ("[" * 5000, "a.yaml:1: nested deeper than 128 levels"),
        ("- " * 5000, "a.yaml:1: nested deeper than 128 levels"),
        (b"a" * (MAX_BYTES + 1), f"a.yaml: longer than {MAX_BYTES} bytes"),
        ("a: \x00\n", "a.yaml: not YAML: unacceptable character"),
    ],
)
def test_what_is_refused_is_named_with_its_line(text: str, words: str) -> None:
    assert fault(text).startswith(words)


def test_every_fault_of_a_record_has_its_line() -> None:
    text = b"routes:\n  - path: a\n    wieght: 2\n  - weight: much\n    path: b\n  - weight: 1\n"
    with pytest.raises(BadInputError) as caught:
        record_of(load_yaml(text, source="r.yaml"), Routes, source="r.yaml")
    assert [one.line_of_text() for one in caught.value.problems] == [
        "r.yaml:3: $.routes[0].wieght: unknown field; did you mean weight?",
        "r.yaml:4: $.routes[1].weight: expected float, got str",
        "r.yaml:6: $.routes[2].path: missing",
    ]


def test_a_sound_document_is_its_record() -> None:
    document = load_yaml(b"routes: [{path: a, weight: 2}]", source="r")
    assert record_of(document, Routes, source="r") == Routes(routes=(Route(path="a", weight=2),))
