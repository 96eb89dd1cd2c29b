"""What tools an agent is given: manifests in files, and those of MCP servers."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

import msgspec

from mindpipe.agents.schema_references import faults_of_references, references_out
from mindpipe.core.errors import BadInputError, UnavailableError
from mindpipe.core.json import load_json
from mindpipe.core.plugins import Plugin
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.text import terminal_text
from mindpipe.core.toml import load_toml
from mindpipe.core.tools import ABOUT, PROVIDER_KEYS, ServerClaims, ToolManifest, faults_of

_OURS = ("HOME", "IDEMPOTENCY_KEY", "LANG", "PATH", "TMPDIR")


def read_tools(
    document: bytes, *, source: str, folder: PurePath, reserved: Container[str] = ()
) -> tuple[ToolManifest, ...]:
    """Return the tools of one manifest; a `source` that ends in .toml is TOML, else it is JSON.

    A list stands at the top of a JSON file, or under `tools` in either form. A relative path in a
    command (its first word if it holds a slash, any other word that begins with `./` or `../`) is
    taken from `folder`, as a tool runs in a folder of its own. `reserved` are the names of the
    built-in tools, which no other may have.

    Raises:
        BadInputError: every fault, as `FILE: $.field: fault`.
    """
    found = list(_entries(_parsed(document, source)))
    problems = [
        problem
        for at, entry in found
        for problem in (
            problems_of(entry, ToolManifest, source=source, at=at)
            or [
                *tool_problems(_tool(entry), reserved, source=source, at=at),
                *_schema_problems(_tool(entry).input_schema, source=source, at=at),
                *_server_problems(_tool(entry), source=source, at=at),
            ]
        )
    ]
    if problems:
        raise BadInputError(problems)
    return tuple(_placed(_tool(entry), folder) for _, entry in found)


def plugin_tools(plugin: Plugin, *, reserved: Container[str] = ()) -> tuple[ToolManifest, ...]:
    """Return the tools of a plugin, which go the way of those in files: each is a program.

    Raises:
        BadInputError: every fault of a manifest, under the plugin's name.
        UnavailableError: the plugin cannot be loaded, fails, or gives no manifests.
    """
    made = plugin.make()
    if not isinstance(made, Sequence) or isinstance(made, str | bytes) or not made:
        raise UnavailableError(f"{plugin.label()} gives no manifests: it must return a list.")
    try:
        document = msgspec.json.encode(made)
    except Exception as error:
        raise plugin.unavailable(error) from error
    return read_tools(document, source=plugin.label(), folder=PurePath("/"), reserved=reserved)


def _tool(entry: object) -> ToolManifest:
    """Return an entry without faults as a tool."""
    return msgspec.convert(entry, ToolManifest)


def tool_problems(
    tool: ToolManifest, reserved: Container[str], *, source: str, at: str
) -> Iterator[Problem]:
    """Yield what is wrong with a tool's name, commands and variables; `at` is its JSON path."""
    if tool.name in reserved:
        message = f"{tool.name} is a built-in tool; give this one another name"
        yield Problem(source=source, field=f"{at}.name", message=message)
    for field, words in (("command", tool.command), ("verify", tool.verify)):
        for place, message in faults_of(words, tool.input_schema):
            yield Problem(source=source, field=f"{at}.{field}[{place}]", message=message)
    properties = tool.input_schema.get("properties")
    own = properties if isinstance(properties, Mapping) else {}
    for name in ABOUT if tool.approval == "decide" else ():
        if name in own:
            message = 'approval = "decide" asks for this by itself; give yours another name'
            yield Problem(
                source=source, field=f"{at}.input_schema.properties.{name}", message=message
            )
    for place, name in enumerate(tool.environment):
        fault = fault_of_variable(name)
        if fault is not None:
            yield Problem(source=source, field=f"{at}.environment[{place}]", message=fault)


def _server_problems(tool: ToolManifest, *, source: str, at: str) -> Iterator[Problem]:
    """Yield that a manifest says what only the tools of an MCP server say."""
    for field in ("server", "claims"):
        if getattr(tool, field) is not None:
            message = f"{field} is set by mindpipe alone; take it out"
            yield Problem(source=source, field=f"{at}.{field}", message=message)


def fault_of_variable(name: str) -> str | None:
    """Return why no tool may be given this variable, or None."""
    if name in PROVIDER_KEYS:
        return f"{name} is a model provider's key, which no tool is given"
    if name in _OURS or name.startswith("MIND_"):
        return f"{name} is set by mindpipe alone; take it out"
    return None


def _parsed(document: bytes, source: str) -> object:
    """Parse the document as its name says."""
    if not source.endswith(".toml"):
        return load_json(document, source=source)
    return load_toml(document, source=source)


def _entries(document: object) -> Iterator[tuple[str, object]]:
    """Yield the JSON path and the value of every tool in the document."""
    at = "$"
    if isinstance(document, dict) and document.keys() == {"tools"}:
        at, document = "$.tools", document["tools"]
    if isinstance(document, list):
        yield from ((f"{at}[{place}]", entry) for place, entry in enumerate(document))
    else:
        yield at, document


def _schema_problems(schema: dict[str, object], *, source: str, at: str) -> Iterator[Problem]:
    """Yield what is wrong with the schema of a tool's arguments."""
    at = f"{at}.input_schema"
    if schema.get("type") != "object":
        yield Problem(source=source, field=f"{at}.type", message='expected "object"')
    yield from schema_problems(schema, source=source, at=at)


def schema_problems(schema: Mapping[str, object], *, source: str, at: str) -> Iterator[Problem]:
    """Yield what is wrong with a JSON Schema that values are checked by; `at` is its JSON path."""
    from jsonschema import Draft202012Validator

    from mindpipe.agents.json_schema import pattern_format, unbounded

    validator = Draft202012Validator(
        Draft202012Validator.META_SCHEMA, format_checker=pattern_format()
    )
    plain = msgspec.to_builtins(schema)
    outward = list(references_out(plain, at))
    unsound = [
        (at + error.json_path.removeprefix("$"), str(error.cause or error.message))
        for error in validator.iter_errors(plain)
    ]
    if (why := unbounded(plain)) is not None:
        unsound.append((at, why))
    followed = () if outward or unsound else faults_of_references(plain, at)
    for place, message in (*outward, *unsound, *followed):
        yield Problem(source=source, field=place, message=message)


def _placed(tool: ToolManifest, folder: PurePath) -> ToolManifest:
    """Return the tool with the relative paths of its commands made absolute."""
    return msgspec.structs.replace(
        tool, command=placed_words(tool.command, folder), verify=placed_words(tool.verify, folder)
    )


def placed_words(words: tuple[str, ...], folder: PurePath) -> tuple[str, ...]:
    """Return a command with its relative paths taken from `folder`."""
    return tuple(
        str(folder / word)
        if word.startswith(("./", "../")) or (place == 0 and "/" in word)
        else word
        for place, word in enumerate(words)
    )


_NAME_LENGTH = 48
_DESCRIPTION_LENGTH = 4000
_TITLE_LENGTH = 200


class OfferedTool(NamedTuple):
    """One tool of a server: its name there, what the server says of it, and how it is called."""

    name: str
    description: str
    input_schema: dict[str, object]
    command: tuple[str, ...]
    claims: ServerClaims | None = None


def claims_of(title: str | None, annotations: Mapping[str, object]) -> ServerClaims | None:
    """Return what a server claims of a tool; what is no hint of the MCP specification is left out.

    The title of the tool itself goes before that of its annotations.
    """
    shown = title or annotations.get("title")
    hints = {
        field: said
        for field, name in _HINTS.items()
        if isinstance(said := annotations.get(name), bool)
    }
    text = " ".join(terminal_text(str(shown or "")).split())[:_TITLE_LENGTH]
    claims = ServerClaims(title=text or None, **hints)
    return None if claims == ServerClaims() else claims


_HINTS = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}


def tools_of_server(
    server: ToolManifest,
    offered: Sequence[OfferedTool],
    *,
    source: str,
    reserved: Container[str] = (),
) -> tuple[ToolManifest, ...]:
    """Return one tool for each that the server offers, named SERVER_TOOL.

    `server` is a manifest whose command starts the server; its effect, labels, limits, environment
    and approval hold for every tool. As whatever a server says comes from outside, a description
    says whose words it is, and `server` that these, and what the tool answers, taint.

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
            command=one.command,
        )
        for name, one in zip(names, offered, strict=True)
    ]
    document = msgspec.json.encode(given)
    said = f"{source} (as the server lists it)"
    read = read_tools(document, source=said, folder=PurePath("/"), reserved=reserved)
    return tuple(
        msgspec.structs.replace(tool, server=server.name, claims=one.claims)
        for tool, one in zip(read, offered, strict=True)
    )


def _asked_too_much(server: ToolManifest, source: str) -> list[Problem]:
    """Return the fields that a server cannot have."""
    bare = ToolManifest(name=server.name, description="", command=server.command)
    return [
        Problem(source=source, field=f"$.{field}", message="is not for an MCP server; take it out")
        for field in ("input_schema", "verify", "sandbox")
        if getattr(server, field) != getattr(bare, field)
    ]


def _name(server: ToolManifest, offered: OfferedTool) -> str:
    """Return the name of a tool as an agent calls it."""
    return re.sub(r"[^a-z0-9_]", "_", f"{server.name}_{offered.name}".lower())[:_NAME_LENGTH]


def _description(server: ToolManifest, offered: OfferedTool) -> str:
    """Return whose words these are, and the words."""
    words = terminal_text(offered.description).strip()[:_DESCRIPTION_LENGTH]
    return f"{server.description}\nThe MCP server {server.name} says of it: {words}".lstrip()
