"""What an MCP server offers as tools, and everything of it that is refused."""

import msgspec
import pytest

from mindpipe.agents.manifests import OfferedTool, tools_of_server
from mindpipe.core.errors import BadInputError
from mindpipe.core.tools import ToolManifest
from support.tables import each_row

SERVER = ToolManifest(
    name="town", description="Ours.", command=("serve",), labels=("sends_out",), open_files=99
)
LOOK = OfferedTool("Look-Up", "Look.", {"type": "object"}, ("bridge", "Look-Up"))
OUTSIDE = {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1/x"}}}


def test_each_offer_becomes_a_tool_with_the_limits_of_its_server() -> None:
    (tool,) = tools_of_server(SERVER, [LOOK], source="s.toml")
    assert tool == ToolManifest(
        name="town_look_up",
        description="Ours.\nThe MCP server town says of it: Look.",
        command=("bridge", "Look-Up"),
        labels=("sends_out",),
        open_files=99,
        server="town",
    )


def test_words_of_a_server_are_cut_and_cleaned_and_a_name_fits() -> None:
    (tool,) = tools_of_server(
        SERVER,
        [LOOK._replace(name="x" * 90, description="\x1b[2Ja\u202eb" + "c" * 9000)],
        source="s",
    )
    assert len(tool.name) == 48
    assert tool.description.endswith("says of it: ab" + "c" * 3998)


@each_row(
    ("offered", "words"),
    [
        ([], "s.toml: this MCP server offers no tools"),
        (
            [LOOK, LOOK._replace(name="look_up")],
            "s.toml: this MCP server offers two tools named town_look_up",
        ),
        (
            [LOOK._replace(input_schema={"type": "array"})],
            's.toml (as the server lists it): $[0].input_schema.type: expected "object"',
        ),
        (
            [LOOK._replace(input_schema=OUTSIDE)],
            "s.toml (as the server lists it): $[0].input_schema.properties.a.$ref: only references",
        ),
        (
            [LOOK._replace(input_schema={"type": "object", "$ref": "#"})],
            "s.toml (as the server lists it): $[0].input_schema: its references lead back to it",
        ),
        (
            [LOOK._replace(command=("bridge", "{name}"))],
            "s.toml (as the server lists it): $[0].command[1]: input_schema declares no property",
        ),
        (
            [LOOK._replace(name="taken")],
            "s.toml (as the server lists it): $[0].name: town_taken is a built-in tool",
        ),
    ],
)
def test_what_cannot_be_a_tool_is_refused(offered: list[OfferedTool], words: str) -> None:
    with pytest.raises(BadInputError) as raised:
        tools_of_server(SERVER, offered, source="s.toml", reserved={"town_taken"})
    (problem,) = raised.value.problems
    assert problem.line_of_text().startswith(words)


@each_row(
    ("fields", "field"),
    [
        ({"verify": ["look"]}, "$.verify"),
        ({"sandbox": "bubblewrap"}, "$.sandbox"),
        ({"input_schema": {"type": "object", "title": "x"}}, "$.input_schema"),
    ],
)
def test_what_there_is_not_for_a_server_is_refused(fields: dict[str, object], field: str) -> None:
    bare = {"name": "town", "description": "Ours.", "command": ["serve"]}
    server = msgspec.convert({**bare, **fields}, ToolManifest)
    with pytest.raises(BadInputError) as raised:
        tools_of_server(server, [LOOK], source="s.toml")
    assert [problem.field for problem in raised.value.problems] == [field]
