"""Promise 50: no pattern and no schema of a stranger holds a worker."""

import subprocess
from pathlib import Path

import pytest

from mindpipe.engine.tools.calls import fault_by_schema
from mindpipe.observers.rules import fits
from support.broken_builds import broken_program
from support.command import clean_environment
from support.proofs import proved, turned_red

pytestmark = pytest.mark.heavy

LETTERS = "a" * 51 + "!"
PATTERNS = (
    r"^([a-zA-Z0-9]+)+@example.com$",
    r"^(a+)+$",
    r"^(a|a)*$",
    r"^(a|aa)+$",
    r"(.*a){25}$",
    r"^(\w*)*\s$",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
)
UNKNOWN = (r"(?=a)a", r"(a+)\1+$", r"(?<!b)a", "(" * 500 + ")" * 500, "a{1000}{1000}{1000}")
GO_DOWN = {"type": "object", "properties": {"next": {"$ref": "#"}}}


def doubling(levels: int) -> dict[str, object]:
    """Return a schema whose branches double with each of its levels."""
    levels_of = {f"l{at}": {"anyOf": [{"$ref": f"#/$defs/l{at + 1}"}] * 2} for at in range(levels)}
    return {"$ref": "#/$defs/l0", "$defs": {**levels_of, f"l{levels}": {"type": "string"}}}


def nested(depth: int) -> dict[str, object]:
    """Return arguments that are so deep."""
    value: dict[str, object] = {}
    for _ in range(depth):
        value = {"next": value}
    return value


CIRCLES = (
    {"$ref": "#"},
    {"$dynamicRef": "#"},
    {"allOf": [{"$ref": "#"}]},
    {"anyOf": [{"type": "null"}, {"$ref": "#"}]},
    {"not": {"$ref": "#"}},
    {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
)


def test_every_bomb_is_checked_or_refused_at_once() -> None:
    for pattern in (*PATTERNS, *UNKNOWN):
        for schema in (
            {"properties": {"a": {"pattern": pattern}}},
            {"properties": {"a": {"type": "object", "patternProperties": {pattern: False}}}},
            {"properties": {"a": {"propertyNames": {"pattern": pattern}}}},
        ):
            for value in (LETTERS, {LETTERS: 1}):
                fault = fault_by_schema({"a": value}, {"type": "object", **schema})
                assert fault is None or len(fault) < 2000
    for schema in (*CIRCLES, doubling(40)):
        fault = fault_by_schema({"a": 1}, {"type": "object", **schema})
        assert fault is not None
        assert fault.startswith("$: ")
    assert fault_by_schema(nested(20), GO_DOWN) is None
    fault = fault_by_schema(nested(400), GO_DOWN)
    assert fault is not None
    assert "too deep" in fault
    assert not fits("a" * 4000, "*a" * 20 + "*b")
    proved(50, patterns=len(PATTERNS) + len(UNKNOWN), schemas=len(CIRCLES) + 2, held=0)


def test_a_build_that_goes_back_is_held_for_ever(tmp_path: Path) -> None:
    program, environment = broken_program("patterns_by_backtracking"), clean_environment(tmp_path)
    ended = subprocess.run(
        [*program, PATTERNS[0], "a!"], env=environment, capture_output=True, check=False
    )
    assert b"does not match" in ended.stderr
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([*program, PATTERNS[0], LETTERS], env=environment, timeout=3, check=False)
    turned_red(50, "patterns_by_backtracking", held=1)
