"""The entities and edges that extracted items tell of."""

from collections.abc import Iterable, Iterator

from mindpipe.memory.entity_names import slug
from mindpipe.memory.extraction.pieces import USER
from mindpipe.memory.extraction.relations import relations_in
from mindpipe.memory.records import EntityType, Item, NewEntity, Relation


def entities_of(items: Iterable[Item]) -> Iterator[NewEntity]:
    """Yield both ends of every relation that items state, the first with the edge.

    "My sister Eva" stands between the speaker and Eva. A name without a letter stands for nobody.
    """
    for item in items:
        if "relation" not in item.tags:
            continue
        for found in relations_in(item.text):
            source = found.source or item.speaker or USER
            if slug(source) and slug(found.target):
                edge = Relation(type=found.type, to=found.target, items=(item.id,))
                yield _entity(item, source, "thing", (edge,))
                yield _entity(item, found.target, found.target_type, ())


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
