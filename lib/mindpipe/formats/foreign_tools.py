"""Tool definitions of every form as the tools of a head."""

from collections.abc import Iterator

from mindpipe.core.messages import ToolSpec
from mindpipe.formats.items import Findings
from mindpipe.formats.reading import Members, word

_SCHEMA_NAMES = ("input_schema", "inputSchema", "parameters")


def _listed(tools: object) -> Iterator[Members]:
    """Yield definitions from a list, or from an object of definitions by name."""
    if isinstance(tools, dict):
        for name, tool in tools.items():
            yield {**(tool if isinstance(tool, dict) else {}), "name": name}
    elif isinstance(tools, list):
        for tool in tools:
            inner = tool.get("function") if isinstance(tool, dict) else None
            found = inner if isinstance(inner, dict) else tool
            yield found if isinstance(found, dict) else {}


def _schema(tool: Members) -> dict[str, object] | None:
    """Return the schema of a tool's arguments; AI SDK wraps it as `jsonSchema`."""
    for name in _SCHEMA_NAMES:
        schema = tool.get(name)
        if isinstance(schema, dict):
            inner = schema.get("jsonSchema")
            return inner if isinstance(inner, dict) else schema
    return None


def read_tools(tools: object, findings: Findings) -> tuple[ToolSpec, ...]:
    """Return the tools that have a name and a schema; the provider's own are left out."""
    found: list[ToolSpec] = []
    for tool in _listed(tools):
        name, schema = word(tool, "name"), _schema(tool)
        if not name or schema is None:
            findings.leave_out(f"tool {name or word(tool, 'type') or 'without name'!r}")
            continue
        found.append(
            ToolSpec(name=name, description=word(tool, "description"), input_schema=schema)
        )
    return tuple(found)
