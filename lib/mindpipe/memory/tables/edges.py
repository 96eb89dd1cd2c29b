"""Rows of relations: the edges of the graph of entities."""

from collections.abc import Iterable, Mapping
from typing import cast

import msgspec

from mindpipe.core.ports import Cell, Rows
from mindpipe.memory.records import Numbered, StoredRelation
from mindpipe.memory.tables.cells import cells_of, kept, listed

SCHEMA = f"""
    CREATE TABLE relation(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, source TEXT NOT NULL,
        type TEXT NOT NULL, target TEXT NOT NULL, since TEXT, until TEXT, items TEXT,
        learnt TEXT NOT NULL, sources TEXT, retracted TEXT,
        CHECK(since IS NULL OR until IS NULL OR until >= since)
    ) STRICT;
    CREATE INDEX relation_from ON relation(agent, source);
    CREATE INDEX relation_to ON relation(agent, target);
    {kept("relation", "number, agent, source, type, target, since, until, items, learnt, sources")}
"""

_LIST = msgspec.json.Decoder(tuple[str, ...])
_RELATION = StoredRelation.__struct_fields__


def add_relation(rows: Rows, relation: StoredRelation) -> None:
    """Keep an edge."""
    columns = ", ".join(_RELATION)
    marks = ", ".join(f":{name}" for name in _RELATION)
    rows.run(f"INSERT INTO relation({columns}) VALUES({marks})", _edge_cells(relation))


def relations(
    rows: Rows, *, agent: str, ids: Iterable[str], both: bool = False, as_of: str | None = None
) -> list[StoredRelation]:
    """Return the edges from some entities, or with `both` also those to them, oldest first."""
    # An OR of the two ends would walk through all edges of the agent.
    ends = " UNION ALL ".join(
        f"SELECT number FROM relation WHERE agent = :agent AND {end} IN :ids"
        for end in (("source", "target") if both else ("source",))
    )
    found = rows.all(
        dict[str, object],
        f"SELECT {', '.join(_RELATION)} FROM relation WHERE number IN ({ends})"
        " AND (CAST(:as_of AS TEXT) IS NULL OR learnt <= :as_of)"
        " AND (retracted IS NULL OR retracted > :as_of) ORDER BY number",
        {"agent": agent, "ids": [*ids], "as_of": as_of},
    )
    return [msgspec.convert({**row, **_lists(row)}, StoredRelation) for row in found]


def standing(rows: Rows, *, agent: str) -> list[Numbered[StoredRelation]]:
    """Return an agent's edges that name a source or an item and stand, oldest first."""
    found = rows.all(
        dict[str, object],
        f"SELECT number, {', '.join(_RELATION)} FROM relation WHERE agent = :agent"
        " AND coalesce(sources, items) IS NOT NULL AND retracted IS NULL ORDER BY number",
        {"agent": agent},
    )
    return [
        Numbered(
            cast("int", row.pop("number")),
            msgspec.convert({**row, **_lists(row)}, StoredRelation),
        )
        for row in found
    ]


def retract_relations(rows: Rows, numbers: Iterable[int], *, at: str) -> None:
    """Take edges back."""
    rows.run(
        "UPDATE relation SET retracted = :at WHERE number IN :numbers",
        {"numbers": [*numbers], "at": at},
    )


def _lists(row: Mapping[str, object]) -> dict[str, object]:
    """Return the lists of an edge."""
    return {
        name: () if row[name] is None else _LIST.decode(str(row[name]))
        for name in ("items", "sources")
    }


def _edge_cells(relation: StoredRelation) -> dict[str, Cell]:
    """Return an edge as named parameters."""
    lists = {"items": listed(relation.items), "sources": listed(relation.sources)}
    return {**cells_of(relation), **lists}
