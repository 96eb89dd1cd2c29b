"""Edges that say the same of two entities, as one: items and sources joined, the end where told."""

from collections.abc import Iterable

import msgspec

from mindpipe.core.sources import joined
from mindpipe.memory.records import Relation, StoredRelation


def joined_edges(rows: Iterable[StoredRelation]) -> list[StoredRelation]:
    """Return each edge once, in the order in which it was first learnt.

    Rows with the same ends, type and beginning are one edge; its end is the one that was told last.
    """
    found: dict[tuple[str, str, str, str | None], StoredRelation] = {}
    for row in rows:
        place = (row.source, row.type, row.target, row.since)
        first = found.setdefault(place, row)
        found[place] = msgspec.structs.replace(
            first,
            until=row.until or first.until,
            items=tuple(dict.fromkeys((*first.items, *row.items))),
            sources=joined(first.sources, row.sources),
        )
    return list(found.values())


def edges_of(rows: Iterable[StoredRelation]) -> dict[str, tuple[Relation, ...]]:
    """Return the relations of each entity that has any."""
    found: dict[str, list[Relation]] = {}
    for edge in joined_edges(rows):
        relation = Relation(
            type=edge.type, to=edge.target, since=edge.since, until=edge.until, items=edge.items
        )
        found.setdefault(edge.source, []).append(relation)
    return {source: tuple(relations) for source, relations in found.items()}
