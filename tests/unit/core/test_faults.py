"""Every fault of an object is named, and an object without one becomes a record."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.core.events import NewEvent
from mindpipe.core.problems import problems_of
from mindpipe.core.records import Record
from mindpipe.core.tools import ToolManifest
from support.tables import each_row


class Outer(Record):
    inner: ToolManifest
    many: tuple[NewEvent, ...] = ()


class Lenient(msgspec.Struct):
    """What takes fields that it does not know."""

    known: str


TOOL = {"name": "look", "description": "Look.", "command": ["look"]}


@each_row(
    ("value", "into", "faults"),
    [
        (TOOL, ToolManifest, []),
        (TOOL | {"name": "9"}, ToolManifest, ["$.name: expected str matching regex"]),
        (
            {"type": "service", "sender": "bob\ud800"},
            NewEvent,
            ["$.sender: holds half of a surrogate pair"],
        ),
        (
            {"type": "service", "sender": "bob\ud800", "priority": 9},
            NewEvent,
            ["$.priority: expected int <= 4", "$.sender: holds half of a surrogate pair"],
        ),
        ({"known": "a", "\ud800": 1}, Lenient, ["$.\ud800: holds half of a surrogate pair"]),
        (TOOL | {"comand": ["x"]}, ToolManifest, ["$.comand: unknown field; did you mean command"]),
        ({"name": "look"}, ToolManifest, ["$.description: missing", "$.command: missing"]),
        (
            TOOL | {"command": []},
            ToolManifest,
            ["$.command: expected array of length >= 1, got []"],
        ),
        (TOOL | {"command": ["a", 1]}, ToolManifest, ["$.command[1]: expected str, got int"]),
        (
            TOOL | {"effect": "x"},
            ToolManifest,
            ['$.effect: expected one of pure, idempotent, keyed, unsafe, got "x"'],
        ),
        (
            TOOL | {"labels": ["sends_out", "q"]},
            ToolManifest,
            ["$.labels[1]: expected one of reads_private, reads_untrusted, sends_out"],
        ),
        ({"priority": 9}, NewEvent, ["$.priority: expected int <= 4, got 9"]),
        (
            {"priority": "high", "due": 3},
            NewEvent,
            ["$.priority: expected int, got str", "$.due: expected str | null, got int"],
        ),
        ([], NewEvent, ["$: expected an object, got []"]),
        (
            {"inner": {"name": 1}, "many": [{}, {"priority": -1}, 3]},
            Outer,
            [
                "$.inner.name: expected str, got int",
                "$.inner.description: missing",
                "$.inner.command: missing",
                "$.many[1].priority: expected int >= 0, got -1",
                "$.many[2]: expected object, got int",
            ],
        ),
    ],
)
def test_faults_are_named_with_their_path(
    value: object, into: type[msgspec.Struct], faults: list[str]
) -> None:
    found = [problem.line_of_text() for problem in problems_of(value, into, source="f", line=2)]
    assert len(found) == len(faults)
    for line, fault in zip(found, faults, strict=True):
        assert line.startswith(f"f:2: {fault}")


def test_a_path_can_begin_elsewhere() -> None:
    (problem,) = problems_of({"inner": TOOL, "x": 1}, Outer, source="f", at="$.tools[3]")
    assert problem.field == "$.tools[3].x"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
FIELDS = st.sampled_from(NewEvent.__struct_fields__)


@given(
    st.dictionaries(FIELDS | st.text(max_size=6), JSON | st.sampled_from(["plan", 3]), max_size=4)
)
def test_faults_are_found_exactly_where_conversion_fails(value: dict[str, object]) -> None:
    try:
        msgspec.convert(value, NewEvent)
        converts = True
    except msgspec.ValidationError:
        converts = False
    assert (problems_of(value, NewEvent, source="f") == []) == converts
