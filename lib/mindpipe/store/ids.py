"""Ids of records by how they begin, as people type them."""

from collections.abc import Sequence
from itertools import islice
from typing import Literal

from mindpipe.core.errors import UsageError
from mindpipe.core.ports import Store

IdTable = Literal[
    "agent_run",
    "decision",
    "event",
    "goal",
    "import",
    "lesson",
    "memory_entity",
    "memory_item",
    "observation",
    "observation_decision",
    "pattern",
    "plan",
    "post",
    "reflection",
    "task",
    "ticket",
]
"""A table whose records are named by their ids."""

ID_BEGINS = len("t_0000")
"""So many characters at least tell an id by how it begins."""
_MOST_NAMED = 5
_LAST = "\U0010ffff"


def all_ids(store: Store, tables: Sequence[IdTable]) -> list[str]:
    """Return the ids of all records of some tables, in their order."""
    named = " UNION ".join(f'SELECT id FROM "{table}"' for table in tables)
    with store.read() as rows:
        return rows.all(str, f"{named} ORDER BY 1")


def whole_id(
    store: Store, tables: Sequence[IdTable], given: str, *, agent: str | None = None
) -> str:
    """Return the only id of some tables that begins so, of one agent's where that is named.

    What is an id itself, or begins none, comes back as it is.

    Raises:
        UsageError: several ids begin so, and it names them; or too little is given to tell.
    """
    if not given:
        return given
    of_agent = "" if agent is None else " AND agent = :agent"
    named = " UNION ".join(
        f'SELECT id FROM "{table}" WHERE id >= :given AND id < :after{of_agent}' for table in tables
    )
    bounds = {"given": given, "after": f"{given}{_LAST}", "agent": agent}
    with store.read() as rows:
        found = list(islice(rows.each(str, f"{named} ORDER BY 1", bounds), _MOST_NAMED + 1))
    if not found or given in found:
        return given
    if len(given) < ID_BEGINS:
        raise UsageError(f"{given} is too short for an id; give at least {ID_BEGINS} characters.")
    if len(found) > 1:
        more = ", …" if len(found) > _MOST_NAMED else ""
        raise UsageError(
            f"several ids begin with {given}: {', '.join(found[:_MOST_NAMED])}{more}. "
            "Give more of the id."
        )
    return found[0]
