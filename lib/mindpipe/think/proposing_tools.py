"""The built-in tool by which a model proposes what it is not sure to be allowed or wise to do."""

from typing import Annotated

import msgspec

from mindpipe.core.records import Record

PROPOSABLE = frozenset(
    {
        "send_message",
        "set_memory",
        "delete_memory",
        "set_goal",
        "delete_goal",
        "set_plan",
        "delete_plan",
        "delegate",
    }
)
"""The built-in tools that can be proposed: what they do stands by itself, outside any cycle."""


Json = Annotated[object, msgspec.Meta(extra_json_schema={"description": "Any JSON."})]


class Propose(Record):
    """Arguments of propose."""

    kind: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^[a-z][a-z0-9_.-]{0,63}(?!\n)$",
            description="What sort of action it is, in one word, e.g. message.",
        ),
    ]
    tool: Annotated[
        str, msgspec.Meta(min_length=1, max_length=64, description="The tool to be called.")
    ]
    arguments: Annotated[
        dict[str, Json], msgspec.Meta(description="Its arguments, exactly as they shall be.")
    ] = {}
    confidence: Annotated[
        float, msgspec.Meta(ge=0, le=1, description="How sure you are that it is right, 0-1.")
    ]
    importance: Annotated[
        float, msgspec.Meta(ge=0, le=1, description="How much it matters, 0-1.")
    ] = 0.5
    reason: Annotated[str, msgspec.Meta(description="Why, for whoever decides.")] = ""
    undo_tool: Annotated[
        str | None, msgspec.Meta(description="The tool whose call would undo it.")
    ] = None
    undo_arguments: Annotated[dict[str, Json], msgspec.Meta(description="Its arguments.")] = {}


TOOLS: tuple[tuple[str, type[Record], str], ...] = (
    (
        "propose",
        Propose,
        "Propose to call a tool. What you are sure of is done, else a person is asked, or you are "
        "told to find out more. You hear what came of it as an event.",
    ),
)
"""Names, arguments and what a model is told."""
