"""Edges of the graph: how people, pets and organisations stand to each other by what is said."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mindpipe.core.sources import USER
from mindpipe.language.records import Statement, StatementReader, Utterance
from mindpipe.language.strict import STRICT
from mindpipe.memory.entities import slug
from mindpipe.memory.records import WORKS_AT, EntityType, Item, NewEntity, Relation

RELATION = "relation:"
"""What the tag of a passage begins with that states an edge."""
_PET = re.compile(r"(?P<name>.+) \((?P<kind>[^()]+)\)")


class StatedEdge(NamedTuple):
    """An edge: from whom (empty where nobody knows the speaker), its type, to whom, and what."""

    source: str
    type: str
    target: str
    target_type: EntityType


def edge_of(said: Statement) -> StatedEdge | None:
    """Return the edge that a statement asserts, or None."""
    if said.meant != "asserted" or said.value is None:
        return None
    if said.attribute == "relation":
        return StatedEdge(said.subject, said.topic or "relation", said.value, "person")
    if said.attribute in ("partner", "housemate"):
        return StatedEdge(said.subject, said.attribute, said.value, "person")
    if said.attribute == "workplace":
        return StatedEdge(said.subject, WORKS_AT, said.value, "organization")
    if said.attribute == "pet" and (pet := _PET.fullmatch(said.value)) is not None:
        return StatedEdge(said.subject, pet["kind"], pet["name"], "thing")
    return None


def entities_of(
    items: Iterable[Item], reader: StatementReader = STRICT
) -> dict[str, list[NewEntity]]:
    """Return both ends of every edge that items state, the first with the edge, by the item's id.

    "My sister Eva" stands between the speaker and Eva, and between nobody where it is not known who
    speaks. A name without a letter stands for nobody. `reader` is who labelled the items.
    """
    told = [one for one in items if any(tag.startswith(RELATION) for tag in one.tags)]
    voices = [one.speaker or ("" if one.claimed_speaker or one.sources else USER) for one in told]
    read = reader.read(
        [Utterance(one.text, own, one.at) for one, own in zip(told, voices, strict=True)]
    )
    return {
        item.id: [
            end
            for edge in filter(None, map(edge_of, statements))
            if slug(edge.source) and slug(edge.target)
            for end in _ends(item, edge)
        ]
        for item, statements in zip(told, read, strict=True)
    }


def _ends(item: Item, edge: StatedEdge) -> Iterator[NewEntity]:
    """Yield both ends of an edge."""
    relation = Relation(type=edge.type, to=edge.target, items=(item.id,))
    yield _entity(item, edge.source, "thing", (relation,))
    yield _entity(item, edge.target, edge.target_type, ())


def _entity(item: Item, name: str, type: EntityType, relations: tuple[Relation, ...]) -> NewEntity:
    """Return an entity as an item tells of it."""
    return NewEntity(
        name=name,
        type=type,
        relations=relations,
        learnt=item.learnt,
        origin=item.origin,
        sources=item.sources,
        trusted=item.trusted,
    )
