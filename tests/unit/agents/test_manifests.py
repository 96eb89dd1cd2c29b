"""Tool manifests: forms that are read, and every fault that is named."""

import json
from pathlib import PurePosixPath

import pytest

from mindpipe.agents.manifests import read_tools
from mindpipe.core.errors import BadInputError
from mindpipe.core.tools import ToolManifest
from support.tables import each_row

TOOL = {"name": "look", "description": "Look.", "command": ["look"]}
LOOK = ToolManifest(name="look", description="Look.", command=("look",))
FOLDER = PurePosixPath("/home/ava/tools")
TOML = b"""
name = "look"
description = "Look."
command = ["look"]
"""
TOML_LIST = b"""
[[tools]]
name = "look"
description = "Look."
command = ["look"]
[[tools]]
name = "pay"
description = "Pay."
command = ["./pay", "--now"]
effect = "keyed"
labels = ["sends_out"]
[tools.input_schema]
type = "object"
properties.amount = {type = "integer"}
"""


def read(value: object, source: str = "t.json") -> tuple[ToolManifest, ...]:
    document = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_tools(document, source=source, folder=FOLDER)


def faults(value: object, source: str = "t.json") -> list[str]:
    with pytest.raises(BadInputError) as raised:
        read(value, source)
    return [problem.line_of_text() for problem in raised.value.problems]


@each_row("value", [TOOL, [TOOL], {"tools": [TOOL]}])
def test_one_tool_and_a_list_are_read(value: object) -> None:
    assert read(value) == (LOOK,)


def test_toml_is_read() -> None:
    assert read(TOML, "t.toml") == (LOOK,)
    look, pay = read(TOML_LIST, "t.toml")
    assert look == LOOK
    assert pay.command == ("/home/ava/tools/pay", "--now")
    assert pay.input_schema["properties"] == {"amount": {"type": "integer"}}


@each_row(
    ("command", "placed"),
    [
        (["look"], ("look",)),
        (["/bin/look", "a/b"], ("/bin/look", "a/b")),
        (["./look"], ("/home/ava/tools/look",)),
        (["bin/look"], ("/home/ava/tools/bin/look",)),
        (["sh", "./look.sh", "../x"], ("sh", "/home/ava/tools/look.sh", "/home/ava/tools/../x")),
    ],
)
def test_relative_paths_are_taken_from_the_folder(
    command: list[str], placed: tuple[str, ...]
) -> None:
    (tool,) = read(TOOL | {"command": command, "verify": command})
    assert tool.command == placed
    assert tool.verify == placed


@each_row(
    ("value", "expected"),
    [
        (b"{", ["t.json: not JSON"]),
        (3, ["t.json: $: expected an object, got 3"]),
        (
            {"tools": {}},
            ["t.json: $.tools.name: missing", "t.json: $.tools.desc", "t.json: $.tools"],
        ),
        (
            [TOOL, TOOL | {"efect": "pure", "timeout": 0}],
            ["t.json: $[1].efect: unknown field; did you mean effect?", "t.json: $[1].timeout: "],
        ),
        (
            TOOL | {"input_schema": {"type": "array"}},
            ['t.json: $.input_schema.type: expected "object"'],
        ),
        (
            TOOL | {"input_schema": {"type": "object", "properties": {"a": {"type": "strin"}}}},
            ["t.json: $.input_schema.properties.a.type: 'strin' is not valid"],
        ),
        (
            TOOL
            | {
                "approval": "decide",
                "input_schema": {"type": "object", "properties": {"decide_reason": {}}},
            },
            ['t.json: $.input_schema.properties.decide_reason: approval = "decide" asks for'],
        ),
        (
            TOOL | {"input_schema": {"type": "object", "anyOf": [{"$ref": "http://127.0.0.1/x"}]}},
            ["t.json: $.input_schema.anyOf[0].$ref: only references inside the same schema"],
        ),
    ],
)
def test_every_fault_is_named(value: object, expected: list[str]) -> None:
    found = faults(value)
    assert len(found) == len(expected)
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(start)


ENDLESS = "its references lead back to it without an end"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$ref": "#"}, f": {ENDLESS}"),
        ({"$dynamicRef": "#"}, f": {ENDLESS}"),
        ({"properties": {"a": {"$ref": "#/properties/a"}}}, f".properties.a: {ENDLESS}"),
        (
            {"allOf": [{"anyOf": [{"$ref": "#/$defs/x"}]}], "$defs": {"x": {"not": {"$ref": "#"}}}},
            f": {ENDLESS}",
        ),
        (
            {"properties": {"a": {"$ref": "#x"}}, "$defs": {"x": {"$anchor": "x", "$ref": "#x"}}},
            f".properties.a: {ENDLESS}",
        ),
        ({"if": True, "then": {"dependentSchemas": {"a": {"$ref": "#"}}}}, f": {ENDLESS}"),
        ({"$ref": "#/$defs/none"}, ".$ref: #/$defs/none is not in this schema"),
        (
            {"properties": {"a": {"pattern": "("}}},
            ".properties.a.pattern: the pattern '(' cannot be matched: missing ): (",
        ),
        (
            {
                "$ref": "#/$defs/0",
                "$defs": {f"{n}": {"$ref": f"#/$defs/{n + 1}"} for n in range(2000)} | {"2000": {}},
            },
            ": its references lead too deep",
        ),
    ],
)
def test_a_schema_that_no_arguments_could_be_checked_by_is_refused(
    schema: dict[str, object], expected: str
) -> None:
    (line,) = faults(TOOL | {"input_schema": {"type": "object", **schema}})
    assert line == f"t.json: $.input_schema{expected}"


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"next": {"$ref": "#"}}},
        {"$defs": {"node": {"items": {"$ref": "#/$defs/node"}}}, "$ref": "#/$defs/node"},
        {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {}}},
        {"properties": {"$ref": {"type": "string"}}},
    ],
)
def test_a_schema_that_goes_down_with_its_arguments_is_read(schema: dict[str, object]) -> None:
    (tool,) = read(TOOL | {"input_schema": {"type": "object", **schema}})
    assert tool.input_schema == {"type": "object", **schema}


@each_row(
    ("fields", "expected"),
    [
        ({"command": ["look", "{town}"]}, "$.command[1]: input_schema declares no property town"),
        ({"verify": ["{town}"]}, "$.verify[0]: the program itself cannot be a placeholder"),
        ({"environment": ["A", "OPENAI_API_KEY"]}, "$.environment[1]: OPENAI_API_KEY is a model"),
        ({"environment": ["ANTHROPIC_AUTH_TOKEN"]}, "$.environment[0]: ANTHROPIC_AUTH_TOKEN is a"),
        ({"environment": ["PATH"]}, "$.environment[0]: PATH is set by mindpipe"),
        ({"environment": ["MIND_FAIL"]}, "$.environment[0]: MIND_FAIL is set by mindpipe"),
        ({"server": "town"}, "$.server: server is set by mindpipe alone; take it out"),
        ({"claims": {}}, "$.claims: claims is set by mindpipe alone; take it out"),
    ],
)
def test_a_command_or_a_variable_that_no_tool_may_have_is_refused(
    fields: dict[str, object], expected: str
) -> None:
    (line,) = faults(TOOL | fields)
    assert line.startswith(f"t.json: {expected}")


def test_bad_toml_is_named() -> None:
    (line,) = faults(b"name = ", "t.toml")
    assert line.startswith("t.toml: not TOML: ")


def test_a_built_in_name_is_refused() -> None:
    document = json.dumps([TOOL, TOOL | {"name": "done"}]).encode()
    with pytest.raises(BadInputError) as raised:
        read_tools(document, source="t.json", folder=FOLDER, reserved={"done"})
    assert [problem.line_of_text() for problem in raised.value.problems] == [
        "t.json: $[1].name: done is a built-in tool; give this one another name"
    ]
