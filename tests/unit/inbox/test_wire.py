"""What the fast look takes for sound is sound, and nothing hides from it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.core.errors import BadInputError
from mindpipe.core.events import NewEvent
from mindpipe.inbox.closely import look_closely
from mindpipe.inbox.filing import LineRules
from mindpipe.inbox.wire import FIELDS, Wire, cells_of, column, lines_of, sure_cells

RULES = LineRules(source="stdin", agent_needed=False)


def sure(octets: bytes) -> bool:
    return sure_cells(octets, agent_needed=False) is not None


def test_a_line_has_the_fields_of_a_pushed_event() -> None:
    assert sorted(FIELDS) == sorted(NewEvent.__struct_fields__)


@pytest.mark.parametrize(
    "line",
    [
        b'{"text":"a"}\n',
        b'{"text": "a", "priority": 0}\r\n',
        b"{}",
        b'{"agent":"ava","type":"plan","source":"s","key":"k","priority":4,'
        b'"due":"2026-11-21T20:00:00Z","space":"x","sender":"y","text":"t","body":{"a":{"b":[{}]}},'
        b'"lossy":true}\n',
        '{"text":"é\u2028\u0085\U0001f600"}\n'.encode(),
        b'{"text":"20:00"}\n',
        b'{"text":"\\u00e9\\n"}\n',
    ],
)
def test_usual_lines_need_no_closer_look(line: bytes) -> None:
    assert sure(line)


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"[]\n",
        b'{"text":"a"}{"text":"b"}\n',
        b'{"text":"a","text":"b"}\n',
        b'{"text" :"a","text":"b"}\n',
        b'{"text"\t:"a","text" :"b"}\n',
        b'{"text"  :"a","text":"b"}\n',
        b'{"body":{"a":1,"a":2}}\n',
        b'{"body":{"a":[{"b":1,"b":2}]}}\n',
        b'{"body":{"a" :1,"a":2}}\n',
        b'{"text":"a\\u0000"}\n',
        b'{"text":"\\ud800"}\n',
        b'{"text":"\xff"}\n',
        b'{"text":"a\0"}\n',
        b'{"body":{"x":NaN}}\n',
        b'{"body":{"x":1e999}}\n',
        b'{"body":{"x":' + b"[" * 129 + b"]" * 129 + b"}}\n",
        b'{"body":{"x":' + b"1" * 1001 + b"}}\n",
        b'{"body":' + json.dumps({str(n): n for n in range(10_001)}).encode() + b"}\n",
        b'{"priority":5}\n',
        b'{"priority":true}\n',
        b'{"key":""}\n',
        '{"key":"é'.encode() + b"x" * 255 + b'"}\n',
        b'{"due":"soon"}\n',
        b'{"agent":"../x"}\n',
        b'{"type":"other"}\n',
        b'{"more":1}\n',
        b'{"text":null,"text":"b"}\n',
        b'{"text":"a"',
    ],
)
def test_whatever_may_be_wrong_gets_a_closer_look(line: bytes) -> None:
    assert not sure(line)


def test_an_agent_that_is_needed_or_unknown_is_not_passed_over() -> None:
    line = b'{"agent":"avo"}\n{}\n'
    assert sure_cells(line, agent_needed=True) is None
    assert sure_cells(b'{"agent":"avo"}', agent_needed=True, unknown=lambda _: None) is not None
    assert sure_cells(b'{"agent":"avo"}', agent_needed=True, unknown=lambda _: "no") is None


def test_columns_are_read_across_lines() -> None:
    cells = cells_of([Wire(text="a"), Wire(text="b", priority=1)])
    assert column(cells, "text") == ["a", "b"]
    assert column(cells, "priority") == [None, 1]


def test_only_a_line_feed_ends_a_line() -> None:
    assert lines_of(b"a\rb\x0bc\x0cd\n\ne") == [b"a\rb\x0bc\x0cd", b"", b"e"]


_KEYS = st.sampled_from([*FIELDS, "a", "b", "", "text", "body"])
_SPACES = st.sampled_from([b"", b" ", b"\t", b"\r", b"  "])
_ATOMS = st.sampled_from(
    [b"1", b"-0", b"1.5", b"true", b"null", b'"x"', b'"\\":"', b'" :"', b'"2026-11-21"', b"NaN"]
) | st.text(max_size=4).map(lambda text: json.dumps(text).encode())


@st.composite
def documents(draw: st.DrawFn, depth: int = 3) -> bytes:
    """Draw JSON written in odd ways: keys twice, white space anywhere, colons in strings."""
    if depth == 0 or draw(st.integers(0, 2)) == 0:
        return draw(_ATOMS)
    if draw(st.booleans()) and depth < 3:
        items = [draw(documents(depth=depth - 1)) for _ in range(draw(st.integers(0, 2)))]
        return b"[" + b",".join(items) + b"]"
    pairs = [
        json.dumps(draw(_KEYS)).encode()
        + draw(_SPACES)
        + b":"
        + draw(_SPACES)
        + draw(documents(depth=depth - 1))
        for _ in range(draw(st.integers(0, 3)))
    ]
    return b"{" + b",".join(pairs) + b"}"


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(documents(), min_size=1, max_size=3))
def test_what_is_sure_is_what_a_close_look_finds(lines: list[bytes]) -> None:
    cells = sure_cells(b"\n".join(lines), agent_needed=False)
    close: list[Wire] | None = []
    for number, line in enumerate(lines, 1):
        try:
            wire, original = look_closely(number, line + b"\n", RULES)
        except BadInputError:
            close = None
            break
        assert original is None or cells is None
        close.append(wire)
    if cells is not None:
        assert close is not None
        assert cells == cells_of(close)
