"""The table of all records that travel on lines of JSON: `mind schema` and mind-records(5)."""

import difflib
import importlib
import inspect
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import UsageError


class Entry(NamedTuple):
    """One record: the module and the name of its type, and where it is met."""

    module: str
    type: str
    summary: str


RECORDS: dict[str, Entry] = {
    "event": Entry("mindpipe.core.events", "NewEvent", "What mind inbox push reads."),
    "message": Entry("mindpipe.core.messages", "Message", "One row of a history."),
    "head": Entry("mindpipe.core.messages", "Head", "What stands before a segment's cycles."),
    "tool": Entry("mindpipe.core.tools", "ToolManifest", "A user's own executable as a tool."),
    "finding": Entry("mindpipe.store.records", "Finding", "What mind store check prints."),
    "copy": Entry("mindpipe.store.records", "Copied", "What mind store backup prints."),
    "migration": Entry("mindpipe.store.records", "Migrated", "What mind store migrate prints."),
    "restoration": Entry("mindpipe.store.records", "Restored", "What mind store restore prints."),
    "setting": Entry("mindpipe.wiring.settings", "Value", "What mind config show prints."),
}


def schema_of(name: str) -> dict[str, object]:
    """Return the JSON Schema of one record.

    Raises:
        UsageError: there is no such record; names the nearest.
    """
    entry = RECORDS.get(name)
    if entry is None:
        near = difflib.get_close_matches(name, RECORDS, n=1)
        hint = f"did you mean {near[0]}?" if near else "mind schema lists them."
        raise UsageError(f'no record "{name}"; {hint}')
    kind = getattr(importlib.import_module(entry.module), entry.type)
    found: dict[str, object] = msgspec.json.schema(kind, schema_hook=_of_any)
    return {name: _unindented(part) for name, part in found.items()}


def _unindented(part: object) -> object:
    """Return a schema whose descriptions have lost the indentation of docstrings."""
    if isinstance(part, list):
        return [_unindented(one) for one in part]
    if not isinstance(part, dict):
        return part
    cleaned = {name: _unindented(below) for name, below in part.items()}
    words = cleaned.get("description")
    return cleaned | {"description": inspect.cleandoc(words)} if isinstance(words, str) else cleaned


def _of_any(kind: type) -> dict[str, object]:
    """Return the schema of `object`, the type of free JSON; raises TypeError for another."""
    if kind is not object:
        raise TypeError(f"{kind} does not travel on a line of JSON")
    return {"description": "Any JSON value."}
