"""A build in which whatever is said where an agent waits ends its wait, whoever says it."""

from mindpipe.core.ports import Rows
from mindpipe.trigger_runs import tables
from mindpipe.trigger_runs.records import ReplyWait

_find = tables.find_wait


def _oldest(rows: Rows, *, agent: str, space: str, sender: str | None) -> ReplyWait | None:
    """Return the oldest open wait in the space, for whomever it is."""
    sql = (
        "SELECT id FROM run_wait WHERE agent = :agent AND space = :space AND state = 'open' "
        "ORDER BY seq LIMIT 1"
    )
    found = rows.value(str, sql, {"agent": agent, "space": space})
    return None if found is None or sender is None else _find(rows, found)


PATCHES = ((tables, "oldest_wait_in", _oldest),)
