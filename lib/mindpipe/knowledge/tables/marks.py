"""Rows of marks: which item another one supersedes or contradicts."""

from collections.abc import Collection, Iterator

from mindpipe.core.ports import Rows
from mindpipe.knowledge.records import BeliefMark
from mindpipe.knowledge.tables.observations import cells, inserted

# An OR of the two would walk through all marks of the agent.
_NAMING = (
    "number IN (SELECT number FROM item_mark WHERE agent = :agent AND old IN :refs "
    "UNION ALL SELECT number FROM item_mark WHERE agent = :agent AND new IN :refs)"
)


def insert(rows: Rows, mark: BeliefMark, *, agent: str) -> int:
    """Add a mark; return 0 if the same is there."""
    return rows.changed(
        f"{inserted('item_mark', ['agent', *BeliefMark.__struct_fields__])} "
        "ON CONFLICT(agent, old, new, relation) DO NOTHING",
        {**cells(mark, BeliefMark.__struct_fields__), "agent": agent},
    )


def retract(rows: Rows, *, agent: str, refs: Collection[str], at: str) -> list[BeliefMark]:
    """Let the marks on some items no longer count; return them."""
    found = rows.all(
        BeliefMark,
        f"UPDATE item_mark SET retracted = :at WHERE {_NAMING} AND retracted IS NULL "
        "RETURNING relation, old, new, at, by, retracted",
        {"agent": agent, "refs": [*refs], "at": at},
    )
    return sorted(found, key=lambda mark: (mark.old, mark.new, mark.relation))


def find(
    rows: Rows, *, agent: str, refs: Collection[str] | None, as_of: str | None
) -> Iterator[BeliefMark]:
    """Yield the marks that count, or counted at `as_of`: all, or those that name some items."""
    return rows.each(
        BeliefMark,
        "SELECT relation, old, new, at, by FROM item_mark "
        f"WHERE {'agent = :agent' if refs is None else _NAMING} "
        "AND (CAST(:as_of AS TEXT) IS NULL OR at <= :as_of) "
        "AND (retracted IS NULL OR retracted > :as_of) ORDER BY number",
        {"agent": agent, "as_of": as_of, "refs": [*(refs or ())]},
    )
