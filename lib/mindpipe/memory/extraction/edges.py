"""Edges of the graph: how people, pets and organisations stand to each other by what is said."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mindpipe.core.sources import USER
from mindpipe.language.records import Statement, Utterance
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


def entities_of(items: Iterable[Item]) -> Iterator[NewEntity]:
    """Yield both ends of every edge that items state, the first with the edge.

    "My sister Eva" stands between the speaker and Eva, and between nobody where it is not known who
    speaks. A name without a letter stands for nobody.
    """
    for item in items:
        if not any(tag.startswith(RELATION) for tag in item.tags):
            continue
        own = item.speaker or ("" if item.claimed_speaker or item.sources else USER)
        for said in STRICT.read([Utterance(item.text, own, item.at)])[0]:
            edge = edge_of(said)
            if edge is not None and slug(edge.source) and slug(edge.target):
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
