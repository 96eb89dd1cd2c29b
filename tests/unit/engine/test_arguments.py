import inspect

import pytest

from mindpipe.engine.tools.calls import fault_by_schema, fault_by_type, hash_of, key_of, schema_of
from mindpipe.engine.tools.specs import ReadMessages, SendMessage, SetGoal
from support.tables import each_row

SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "lines": {"type": "array", "items": {"type": "integer"}},
        "mode": {"enum": ["r", "w"]},
    },
    "required": ["path"],
    "additionalProperties": False,
}


@each_row(
    ("args", "named"),
    [
        ({"path": "a", "lines": [1, 2], "mode": "r"}, None),
        ({}, "'path'"),
        ({"path": 7}, "$.path"),
        ({"path": "a", "lines": [1, "x"]}, "$.lines[1]"),
        ({"path": "a", "mode": "rw"}, "$.mode"),
        ({"path": "a", "more": 1}, "'more'"),
    ],
)
def test_a_fault_of_a_tools_own_schema_names_the_field(
    args: dict[str, object], named: str | None
) -> None:
    fault = fault_by_schema(args, SCHEMA)
    assert (fault is None) == (named is None)
    assert named is None or (fault is not None and named in fault)


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ({"$ref": "#"}, "too deep"),
        ({"$dynamicRef": "#"}, "too deep"),
        ({"properties": {"a": {"$ref": "#/properties/a"}}}, "too deep"),
        ({"$ref": "#/$defs/none"}, "/$defs/none"),
        ({"properties": {"a": {"pattern": "("}}}, "missing )"),
        ({"properties": {"n": {"multipleOf": 0.5}}}, "too large"),
    ],
)
def test_arguments_that_cannot_be_checked_are_a_fault(
    schema: dict[str, object], named: str
) -> None:
    fault = fault_by_schema({"a": "b", "n": 10**400}, {"type": "object", **schema})
    assert fault is not None
    assert fault.startswith("$: the arguments cannot be checked")
    assert named in fault


def test_a_schema_that_goes_down_with_its_arguments_is_followed() -> None:
    tree = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["name"]}
    assert fault_by_schema({"name": "a", "next": {"name": "b"}}, tree) is None
    fault = fault_by_schema({"name": "a", "next": {}}, tree)
    assert fault is not None
    assert "$.next" in fault


@each_row(
    ("args", "kind", "named"),
    [
        ({"text": "Hi"}, SendMessage, None),
        ({"text": "Hi", "space": None}, SendMessage, None),
        ({}, SendMessage, "`text`"),
        ({"text": ""}, SendMessage, "$.text"),
        ({"text": 7}, SendMessage, "$.text"),
        ({"text": "Hi", "to": "x"}, SendMessage, "`to`"),
        ({"limit": 0}, ReadMessages, "$.limit"),
        ({"limit": "20"}, ReadMessages, "$.limit"),
        ({"state": "later"}, SetGoal, "$.state"),
    ],
)
def test_a_fault_of_a_built_in_tools_arguments_names_the_field(
    args: dict[str, object], kind: type, named: str | None
) -> None:
    fault = fault_by_type(args, kind)
    assert (fault is None) == (named is None)
    assert named is None or (fault is not None and named in fault)


def test_the_schema_of_a_record_stands_alone() -> None:
    schema = schema_of(SendMessage)
    assert (schema["type"], schema["required"]) == ("object", ["text"])
    assert set(schema["properties"]) == {
        *("text", "space", "message_id"),
        *("wait", "wait_for", "wait_minutes"),
    }
    assert "$ref" not in repr(schema)


@each_row(
    ("one", "other", "hashes"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, 1),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 2, "x": 1}}, 1),
        ({"a": 1}, {"a": 1.0}, 2),
        ({"a": 1}, {"a": "1"}, 2),
        ({"a": 1}, {"a": True}, 2),
        ({"a": [1, 2]}, {"a": [2, 1]}, 2),
        ({"a": "é"}, {"a": "e\u0301"}, 2),
        ({}, None, 2),
    ],
)
def test_equal_arguments_have_equal_hashes_and_no_others(
    one: dict[str, object], other: dict[str, object] | None, hashes: int
) -> None:
    assert len({hash_of(one), hash_of(other)}) == hashes


def test_a_lone_surrogate_has_a_hash() -> None:
    assert len(hash_of({"a": "\ud800"})) == 64


def test_a_key_is_made_of_store_agent_and_call_and_knows_no_attempt() -> None:
    assert list(inspect.signature(key_of).parameters) == ["store", "agent", "call"]
    assert key_of("s", "ava", "c_1") == key_of("s", "ava", "c_1")
    others = {key_of("t", "ava", "c_1"), key_of("s", "bo", "c_1"), key_of("s", "ava", "c_2")}
    assert len({*others, key_of("s", "ava", "c_1"), key_of("sa", "va", "c_1")}) == 5
