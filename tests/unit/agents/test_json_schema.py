"""A value is checked by a schema in bounded time, and as the library checks it where it ends."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mindpipe.agents.json_schema import UncheckedError, fault_of, matcher


def strings(pattern: str) -> dict[str, object]:
    """Return a schema of which the member `a` matches a pattern."""
    return {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}


def doubled(depth: int) -> dict[str, object]:
    """Return a schema whose checks double with each definition."""
    names = [f"d{number}" for number in range(depth)]
    both = {
        name: {"allOf": [{"$ref": f"#/$defs/{after}"}] * 2}
        for name, after in itertools.pairwise(names)
    }
    return {"$defs": {**both, names[-1]: {"type": "object"}}, "$ref": "#/$defs/d0"}


TREE: dict[str, object] = {
    "type": "object",
    "properties": {"items": {"type": "array", "items": {"$ref": "#"}}},
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (strings("^([a-zA-Z0-9]+)+@example.com$"), {"a": "a" * 51 + "!"}),
        (strings("(x+x+)+y"), {"a": "x" * 5000}),
        ({"patternProperties": {"^(a+)+$": {"type": "null"}}}, {"a" * 5000: 1}),
    ],
)
def test_no_pattern_takes_long(schema: dict[str, object], value: object) -> None:
    assert fault_of(value, schema) is not None


@pytest.mark.heavy
def test_a_check_that_multiplies_is_given_up() -> None:
    with pytest.raises(UncheckedError, match="takes more than 100,000 steps"):
        fault_of({}, doubled(40))


def test_a_schema_that_comes_again_below_an_item_is_followed_as_deep_as_the_value() -> None:
    def nested(depth: int) -> dict[str, object]:
        value: dict[str, object] = {"items": []}
        for _ in range(depth):
            value = {"items": [value]}
        return value

    assert fault_of(nested(20), TREE) is None
    assert fault_of({"items": [{"items": [{"other": 1}]}]}, TREE) is not None
    with pytest.raises(UncheckedError, match="go too deep"):
        fault_of(nested(2000), TREE)


@pytest.mark.parametrize("pattern", ["(?!x)a", r"(a)\1", "((a{1000}){1000}){1000}", "("])
def test_a_pattern_that_is_not_known_is_named(pattern: str) -> None:
    with pytest.raises(UncheckedError, match="cannot be matched: "):
        matcher(pattern)


def test_patterns_that_the_library_would_match_itself_are_not_checked() -> None:
    schema = {"patternProperties": {"a": True}, "unevaluatedProperties": False}
    with pytest.raises(UncheckedError, match="go with additionalProperties"):
        fault_of({}, schema)


def test_many_equal_items_are_found_at_once() -> None:
    items: list[object] = [{"n": number} for number in range(20_000)]
    assert fault_of(items, {"uniqueItems": True}) is None
    assert fault_of([*items, {"n": 7.0}], {"uniqueItems": True}) is not None


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([1.0, 2.5]) | st.text("ab1"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab1", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)
SCHEMAS: tuple[dict[str, object], ...] = (
    {"uniqueItems": True, "items": {"uniqueItems": True}},
    {"pattern": "^a+b?$"},
    {"patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": False},
    {"properties": {"a": {}}, "additionalProperties": {"type": "string"}},
    {
        "properties": {"b": {"type": "array"}},
        "patternProperties": {"a": True, "1$": {"uniqueItems": True}},
        "additionalProperties": {"type": "boolean"},
    },
)


@given(value=plain, schema=st.sampled_from(SCHEMAS))
def test_what_ends_in_time_is_judged_as_by_the_library(
    value: object, schema: dict[str, object]
) -> None:
    assert (fault_of(value, schema) is None) == Draft202012Validator(schema).is_valid(value)
