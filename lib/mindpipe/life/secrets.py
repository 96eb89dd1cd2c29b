"""What does not go into a life's file: values that its MCP servers keep for themselves."""

from collections.abc import Iterator

import msgspec

from mindpipe.agents.mcp_servers import without_secrets
from mindpipe.core.ports import Row
from mindpipe.core.records import to_json
from mindpipe.life.records import TableHeader
from mindpipe.store.changes import UNDO, Values

_BODY = "body"


def kept_out(header: TableHeader, found: Iterator[Row]) -> Iterator[Row]:
    """Yield the rows of a table without such values, in an agent as it is and as it ever was."""
    clean, column = _CLEAN.get(header.table, (None, ""))
    if clean is None:
        return found
    place = header.columns.index(column)
    return ((*row[:place], clean(str(row[place])), *row[place + 1 :]) for row in found)


def _undone(undo: str) -> str:
    """Return what takes a change back without such values."""
    if '"agent":' not in undo:
        return undo
    tables = UNDO.decode(undo)
    if "agent" not in tables:
        return undo
    before = tables["agent"]
    changed = [(key, _bare(values)) for key, values in before.changed]
    gone = [(key, _bare(values)) for key, values in before.gone]
    if (changed, gone) == (before.changed, before.gone):
        return undo
    tables["agent"] = msgspec.structs.replace(before, changed=changed, gone=gone)
    return to_json(tables).decode()


def _bare(values: Values) -> Values:
    body = values.get(_BODY)
    return {**values, _BODY: without_secrets(body)} if isinstance(body, str) else values


_CLEAN = {"agent": (without_secrets, _BODY), "change": (_undone, "undo")}
