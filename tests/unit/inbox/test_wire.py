"""What the fast look takes for sound is sound, and nothing hides from it."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.core.events import NewEvent
from mindpipe.inbox.lines import look_closely
from mindpipe.inbox.push_rules import LineRules
from mindpipe.inbox.wire import FIELDS, PushedLine, lines_of, said_in, said_in_all, sure_words
from support.draws import tries
from support.tables import each_row

RULES = LineRules(source="stdin", agent_needed=False)


def sure(octets: bytes) -> bool:
    return sure_words(octets, agent_needed=False) is not None


def test_a_line_has_the_fields_of_a_pushed_event() -> None:
    assert sorted(FIELDS) == sorted(NewEvent.__struct_fields__)


@each_row(
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


@each_row(
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
    assert sure_words(line, agent_needed=True) is None
    assert sure_words(b'{"agent":"avo"}', agent_needed=True, unknown=lambda _: None) is not None
    assert sure_words(b'{"agent":"avo"}', agent_needed=True, unknown=lambda _: "no") is None


def test_columns_are_read_across_lines() -> None:
    lines = [PushedLine(text="a"), PushedLine(text="b", priority=1)]
    said = said_in(lines)
    assert said.columns == {"text": ["a", "b"], "priority": [None, 1]}
    assert (said.count, said.fields, said.column("priority")) == (2, 3, [1])
    assert said_in_all([said_in([line]) for line in lines]) == said_in_all([said]) == said


def test_a_field_that_the_first_line_does_not_say_is_found() -> None:
    said = sure_words(b'{"text":"a"}\n{"text":"b","priority":1}\n{}\n', agent_needed=False)
    assert said == said_in([PushedLine(text="a"), PushedLine(text="b", priority=1), PushedLine()])


def test_only_a_line_feed_ends_a_line() -> None:
    assert lines_of(b"a\rb\x0bc\x0cd\n\ne") == [b"a\rb\x0bc\x0cd", b"", b"e"]


_SPACES = st.sampled_from([b""] * 9 + [b" ", b"\t", b"\r", b"  "])
_SOUND = (
    (b"text", b'"a"'),
    (b"text", b'"20:00"'),
    (b"agent", b'"ava"'),
    (b"source", b'"s"'),
    (b"priority", b"0"),
    (b"lossy", b"true"),
    (b"body", b'{"a":1,"b":[{"a":1},{"a":2}]}'),
)
_ODD = (
    (b"text", b'"\\":"'),
    (b"text", b'" :"'),
    (b"text", b'"\\u0000"'),
    (b"text", b"null"),
    (b"text", b"1"),
    (b"priority", b"5"),
    (b"priority", b"-0"),
    (b"body", b'{"a":1,"a":2}'),
    (b"body", b'{"a" :1,"a":2}'),
    (b"body", b'{"a":[{"b":1,"b":null}]}'),
    (b"body", b'{"a":"\\":"}'),
    (b"body", b'{"a":NaN}'),
    (b"more", b"true"),
)
_PAIRS = st.sampled_from(_SOUND) | st.sampled_from(_SOUND) | st.sampled_from(_ODD)


@st.composite
def written(draw: st.DrawFn) -> bytes:
    """Draw a line with keys that may come twice, white space, and colons in strings."""
    pairs = draw(st.lists(_PAIRS, max_size=3))
    return b"{%s}" % b",".join(
        b'"%s"%s:%s%s' % (key, draw(_SPACES), draw(_SPACES), value) for key, value in pairs
    )


@settings(max_examples=tries(1000), deadline=None)
@given(st.lists(written(), min_size=1, max_size=2))
def test_what_is_sure_is_what_a_close_look_finds(lines: list[bytes]) -> None:
    said = sure_words(b"\n".join(lines), agent_needed=False)
    if said is not None:
        looks = [look_closely(number, line + b"\n", RULES) for number, line in enumerate(lines, 1)]
        assert said == said_in([wire for wire, _ in looks])
        assert not any(original for _, original in looks)


def test_the_lines_that_are_drawn_are_sure_often_enough_to_prove_anything() -> None:
    counts = [0, 0]

    @settings(max_examples=300, deadline=None)
    @given(written())
    def count(line: bytes) -> None:
        counts[sure(line)] += 1

    count()
    assert min(counts) >= 40
