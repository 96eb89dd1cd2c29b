"""Entities: their names, how two become one, and the graph of their relations."""

import re
import unicodedata
from collections.abc import Iterable

import msgspec

from mindpipe.core.sources import joined
from mindpipe.memory.records import Entity, NewEntity, Origin, Relation, StoredRelation

# From the most to the least trusted; together two are worth what the lesser one is.
_ORIGINS: tuple[Origin, ...] = ("operator", "human", "program", "tool", "agent", "recalled")


def other_type(known: Entity, given: NewEntity) -> str | None:
    """Return why two that share an id cannot be one, or None: only `thing` goes with any type."""
    types = {known.type, given.type} - {"thing"}
    return f"{known.id} is there as a {known.type}" if len(types) > 1 else None


def aliases(known: Entity, given: NewEntity) -> tuple[str, ...]:
    """Return all names of an entity but its own, in the order in which they were learnt."""
    names = dict.fromkeys((*known.aliases, given.name, *given.aliases))
    return tuple(one for one in names if one.casefold() != known.name.casefold())


def merged(known: Entity, given: NewEntity, *, learnt: str) -> Entity:
    """Return the next version of an entity, or `known` itself where nothing new is said.

    Names that it had not are added to its aliases; a profile that is given takes the place of the
    earlier one, which the earlier version keeps. Relations are not looked at.
    """
    both = msgspec.structs.replace(
        known,
        type=given.type if known.type == "thing" else known.type,
        aliases=aliases(known, given),
        profile=given.profile or known.profile,
        origin=max(known.origin, given.origin, key=_ORIGINS.index),
        sources=joined(known.sources, given.sources),
        trusted=joined(known.trusted, given.trusted),
    )
    if both == known:
        return known
    return msgspec.structs.replace(both, version=known.version + 1, learnt=learnt)


_LONGEST = 200


def slug(name: str) -> str:
    """Return a name in small letters and digits with single hyphens between its words.

    The same for a slug; empty for a name without a letter or digit. Letters of every script stay;
    forms that look alike (NFKC) are one. It has 200 characters at most, as every id: one letter of
    a name may come to eighteen.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return re.sub(r"[\W_]+", "-", folded).strip("-")[:_LONGEST].strip("-")


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
