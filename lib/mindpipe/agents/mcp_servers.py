"""Turn the tools that an MCP server lists into an agent's tools, and refuse what cannot be one."""

import re
from collections.abc import Container, Sequence
from pathlib import PurePath
from typing import NamedTuple

import msgspec

from mindpipe.agents.manifests import read_tools
from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.text import terminal_text
from mindpipe.core.tools import ToolManifest

_NAME_LENGTH = 48
_DESCRIPTION_LENGTH = 4000


class Offered(NamedTuple):
    """One tool of a server: its name there, what the server says of it, and how it is called."""

    name: str
    description: str
    input_schema: dict[str, object]
    command: tuple[str, ...]


def tools_of_server(
    server: ToolManifest,
    offered: Sequence[Offered],
    *,
    source: str,
    reserved: Container[str] = (),
) -> tuple[ToolManifest, ...]:
    """Return one tool for each that the server offers, named SERVER_TOOL.

    `server` is a manifest whose command starts the server; its effect, limits, environment and
    approval hold for every tool. As whatever a server says comes from outside, every tool reads
    what is not trusted, its description says whose words it is, and `server` that they taint.

    Raises:
        BadInputError: the server offers nothing, two tools of one name, or one that cannot be a
            tool; its manifest asks for what there is not for a server.
    """
    problems = [*_asked_too_much(server, source)]
    names = [_name(server, one) for one in offered]
    if not offered:
        problems.append(Problem(source=source, message="this MCP server offers no tools"))
    problems += [
        Problem(source=source, message=f"this MCP server offers two tools named {name}")
        for name in sorted({name for name in names if names.count(name) > 1})
    ]
    if problems:
        raise BadInputError(problems)
    given = [
        msgspec.structs.replace(
            server,
            name=name,
            description=_description(server, one),
            input_schema=one.input_schema,
            labels=tuple(dict.fromkeys((*server.labels, "reads_untrusted"))),
            command=one.command,
        )
        for name, one in zip(names, offered, strict=True)
    ]
    document = msgspec.json.encode(given)
    said = f"{source} (as the server lists it)"
    read = read_tools(document, source=said, folder=PurePath("/"), reserved=reserved)
    return tuple(msgspec.structs.replace(tool, server=server.name) for tool in read)


def _asked_too_much(server: ToolManifest, source: str) -> list[Problem]:
    """Return the fields that a server cannot have."""
    bare = ToolManifest(name=server.name, description="", command=server.command)
    return [
        Problem(source=source, field=f"$.{field}", message="is not for an MCP server; take it out")
        for field in ("input_schema", "verify", "sandbox")
        if getattr(server, field) != getattr(bare, field)
    ]


def _name(server: ToolManifest, offered: Offered) -> str:
    """Return the name of a tool as an agent calls it."""
    return re.sub(r"[^a-z0-9_]", "_", f"{server.name}_{offered.name}".lower())[:_NAME_LENGTH]


def _description(server: ToolManifest, offered: Offered) -> str:
    """Return whose words these are, and the words."""
    words = terminal_text(offered.description).strip()[:_DESCRIPTION_LENGTH]
    return f"{server.description}\nThe MCP server {server.name} says of it: {words}"
