"""What does not leave a store with a life: values that its MCP servers keep for themselves."""

from collections.abc import Iterator

import msgspec

from mindpipe.agents.mcp_servers import without_secrets
from mindpipe.core.ports import Row
from mindpipe.core.records import to_json
from mindpipe.life.records import TableHeader
from mindpipe.store.changes import UNDO, Values
from mindpipe.store.records import Cleaned

_BODY = "body"


def kept_out(header: TableHeader, found: Iterator[Row]) -> Iterator[Row]:
    """Yield the rows of a table without such values, in an agent as it is and as it ever was."""
    cleaned = CLEANED.get(header.table)
    if cleaned is None:
        return found
    place, clean = header.columns.index(cleaned.column), cleaned.clean
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


CLEANED: dict[str, Cleaned] = {
    "agent": Cleaned(_BODY, without_secrets),
    "change": Cleaned("undo", _undone),
}
"""The columns in which servers are, and what is written instead."""
