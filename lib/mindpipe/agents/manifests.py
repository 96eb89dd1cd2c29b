"""Read tool manifests: one tool or a list of them, as JSON or TOML."""

from collections.abc import Container, Iterator
from pathlib import PurePath

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.faults import problems_of
from mindpipe.core.placeholders import faults_of
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import load_json
from mindpipe.core.strict_toml import load_toml
from mindpipe.core.tools import PROVIDER_KEYS, ToolManifest

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
    for place, name in enumerate(tool.environment):
        fault = _fault_of_variable(name)
        if fault is not None:
            yield Problem(source=source, field=f"{at}.environment[{place}]", message=fault)


def _server_problems(tool: ToolManifest, *, source: str, at: str) -> Iterator[Problem]:
    """Yield that a manifest names an MCP server, which only such a server's tools do."""
    if tool.server is not None:
        message = "server is set by mindpipe alone; take it out"
        yield Problem(source=source, field=f"{at}.server", message=message)


def _fault_of_variable(name: str) -> str | None:
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
    for place in _outside_references(schema, at):
        message = "only references inside the same schema (#/…) are followed"
        yield Problem(source=source, field=place, message=message)
    import jsonschema

    validator = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)
    for error in validator.iter_errors(msgspec.to_builtins(schema)):
        place = at + error.json_path.removeprefix("$")
        yield Problem(source=source, field=place, message=error.message)


def _outside_references(value: object, at: str) -> Iterator[str]:
    """Yield the paths of all references that lead out of the schema."""
    if isinstance(value, dict):
        reference = value.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#"):
            yield f"{at}.$ref"
        for name, inner in value.items():
            yield from _outside_references(inner, f"{at}.{name}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _outside_references(inner, f"{at}[{place}]")


def _placed(tool: ToolManifest, folder: PurePath) -> ToolManifest:
    """Return the tool with the relative paths of its commands made absolute."""
    return msgspec.structs.replace(
        tool, command=_placed_words(tool.command, folder), verify=_placed_words(tool.verify, folder)
    )


def _placed_words(words: tuple[str, ...], folder: PurePath) -> tuple[str, ...]:
    """Return a command with its relative paths taken from `folder`."""
    return tuple(
        str(folder / word)
        if word.startswith(("./", "../")) or (place == 0 and "/" in word)
        else word
        for place, word in enumerate(words)
    )
