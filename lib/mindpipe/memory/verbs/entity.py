"""Entities: what is said of them is merged, each change is a version; their relations are edges."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.lines import AllOrNothing, BadLines
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.memory.entities import aliases, edges_of, joined_edges, merged, other_type, slug
from mindpipe.memory.faults import entity_faults
from mindpipe.memory.records import (
    Added,
    Entity,
    GivenEntity,
    NewEntity,
    Numbered,
    Relation,
    StoredRelation,
)
from mindpipe.memory.settle import settle_instant, taken_back
from mindpipe.memory.tables import edges, written
from mindpipe.memory.tables.written import Body

HOPS = 2
"""How far a neighbourhood reaches, as the graph is searched."""


class Merging:
    """One addition of entities inside its transaction; `bad_lines` takes what is refused."""

    def __init__(self, rows: Rows, clock: Clock, *, agent: str, bad_lines: BadLines) -> None:
        self._rows = rows
        self._now = clock.now()
        self._agent = agent
        self.bad_lines = bad_lines

    def add(
        self, given: Sequence[NewEntity], *, source: str = "entity", numbers: Sequence[int] = ()
    ) -> list[Added]:
        """Merge some sound entities into what is known; return what became of each not refused."""
        lines = numbers or range(1, len(given) + 1)
        found = [self._one(one, source, line) for line, one in zip(lines, given, strict=True)]
        return [added for added in found if added is not None]

    def _one(self, given: NewEntity, source: str, line: int) -> Added | None:
        """Merge one entity, or refuse it."""
        id = slug(given.name) if given.id is None else given.id
        versions = list(written.bodies(self._rows, "memory_entity", agent=self._agent, ids=[id]))
        if versions and taken_back(given) is not None:
            return Added(id=id, key=id, duplicate=True)
        newest = _newest(versions).get(id)
        known = None if newest is None else _entity(newest)
        if known is not None and (words := other_type(known, given)):
            problem = Problem(source=source, line=line, field="$.type", message=words)
            self.bad_lines.refuse([problem], to_json(given))
            return None
        learnt = settle_instant(given.learnt) or self._now
        if known is None:
            entity = _first(given, id, learnt=learnt, agent=self._agent)
        else:
            entity = merged(known, given, learnt=learnt)
        related = [self._relate(id, one, given, learnt) for one in given.relations]
        if entity is known and any(related):
            entity = msgspec.structs.replace(entity, version=entity.version + 1, learnt=learnt)
        if entity is not known:
            self._keep(entity, after=max((_entity(one).version for one in versions), default=0))
        return Added(id=id, key=id, duplicate=entity is known)

    def _keep(self, entity: Entity, *, after: int) -> None:
        """Keep the next version of an entity: one that was taken back keeps its number."""
        next = msgspec.structs.replace(entity, version=max(entity.version, after + 1))
        row = _body(next, self._agent)
        written.add_body(self._rows, "memory_entity", row, beside=next.version)

    def _relate(self, id: str, given: Relation, by: NewEntity, learnt: str) -> bool:
        """Keep an edge unless it is there already, and return whether it was new."""
        edge = StoredRelation(
            agent=self._agent,
            source=id,
            type=given.type,
            target=slug(given.to),
            since=settle_instant(given.since),
            until=settle_instant(given.until),
            items=given.items,
            learnt=learnt,
            sources=by.sources,
        )
        known = edges.relations(self._rows, agent=self._agent, ids=[id])
        if edges_of([*known, edge]) == edges_of(known):
            return False
        edges.add_relation(self._rows, edge)
        return True


@contextlib.contextmanager
def add(store: Store, clock: Clock, *, agent: str, bad_lines: BadLines) -> Iterator[Merging]:
    """Give what adds entities part by part, all in one transaction.

    Raises:
        BadInputError: one is at fault, or is there as another type, and `bad_lines` lets nothing
            be kept then.
    """
    with store.write(agent) as rows:
        yield Merging(rows, clock, agent=agent, bad_lines=bad_lines)
        bad_lines.settle()


def list_(
    store: Store, *, agent: str, as_of: str | None = None, archived: bool = False
) -> list[Entity]:
    """Return an agent's entities with their relations, by id, in the version of an instant.

    Those of which every version was taken back are left out unless `archived` is set.
    """
    settled = settle_instant(as_of)
    with store.read() as rows:
        newest = _newest(
            written.bodies(rows, "memory_entity", agent=agent, as_of=settled),
            archived=archived,
        )
        found = [_entity(newest[id]) for id in sorted(newest)]
        return _related(rows, found, agent=agent, as_of=settled)


def show(store: Store, *, agent: str, id: str, as_of: str | None = None) -> Entity:
    """Return one entity by its id, name or alias, with its relations, as of an instant.

    Raises:
        UsageError: the agent knows none of this name.
    """
    with store.read():
        found = of_ids(store, agent=agent, ids=[slug(id)], as_of=as_of) or [
            one
            for one in list_(store, agent=agent, as_of=as_of)
            if slug(id) in map(slug, one.aliases)
        ]
    if not found:
        raise UsageError(f'{agent} knows no entity "{id}"; mind entity list shows them.')
    return found[0]


def of_ids(
    store: Store, *, agent: str, ids: Iterable[str], as_of: str | None = None
) -> list[Entity]:
    """Return those entities of an agent that have one of some ids, with their relations."""
    instant = settle_instant(as_of)
    with store.read() as rows:
        versions = written.bodies(rows, "memory_entity", agent=agent, ids=ids, as_of=instant)
        newest = _newest(versions)
        found = [_entity(newest[id]) for id in sorted(newest)]
        return _related(rows, found, agent=agent, as_of=instant)


def after(
    store: Store, *, number: int, agent: str | None = None, limit: int = 1000
) -> list[Numbered[Entity]]:
    """Return the versions of entities with a greater number, in the order of numbers.

    They come without relations.
    """
    with store.read() as rows:
        found = written.bodies_after(rows, "memory_entity", number, agent=agent, limit=limit)
    return [Numbered(body.number, _entity(body)) for body in found]


def relate(store: Store, clock: Clock, *, agent: str, id: str, relation: Relation) -> Entity:
    """Add one relation to an entity, and return it.

    Raises:
        UsageError: the agent knows no such entity, or something is wrong with the relation.
    """
    with store.write(agent):
        known = show(store, agent=agent, id=id)
        said = NewEntity(id=known.id, name=known.name, relations=(relation,))
        if faults := entity_faults(said):
            raise UsageError("; ".join(f"{field} {words}" for field, words in faults))
        with add(store, clock, agent=agent, bad_lines=AllOrNothing()) as addition:
            addition.add([said], source="--type")
        return show(store, agent=agent, id=known.id)


def neighbours(
    store: Store, *, agent: str, ids: Iterable[str], hops: int = HOPS, as_of: str | None = None
) -> list[StoredRelation]:
    """Return the edges within some hops of some entities, whichever way they point.

    Those of one hop come before those of the next.
    """
    seen: set[str] = set()
    front = {slug(id) for id in ids}
    found: dict[StoredRelation, None] = {}
    with store.read() as rows:
        for _ in range(hops):
            near = edges.relations(
                rows, agent=agent, ids=sorted(front), both=True, as_of=settle_instant(as_of)
            )
            found.update(dict.fromkeys(near))
            seen |= front
            front = {end for one in near for end in (one.source, one.target)} - seen
    return joined_edges(found)


def _first(given: NewEntity, id: str, *, learnt: str, agent: str) -> Entity:
    """Return an entity that was not known, or whose every version was taken back."""
    bare = Entity(
        id=id,
        name=given.name,
        type=given.type,
        profile=given.profile,
        learnt=learnt,
        origin=given.origin,
        sources=given.sources,
        trusted=given.trusted,
        agent=agent,
        version=given.version if isinstance(given, GivenEntity) else 1,
        retracted=taken_back(given),
    )
    return msgspec.structs.replace(bare, aliases=aliases(bare, given))


def _body(entity: Entity, agent: str) -> Body:
    """Return a version of an entity as its row; its relations have rows of their own."""
    bare = msgspec.structs.replace(entity, agent=None, retracted=None, relations=())
    return Body(
        number=0,
        agent=agent,
        id=entity.id,
        body=to_json(bare).decode(),
        learnt=entity.learnt,
        retracted=entity.retracted,
    )


def _entity(body: Body) -> Entity:
    """Return the version of an entity that a row holds."""
    entity = msgspec.json.decode(body.body, type=Entity)
    return msgspec.structs.replace(entity, agent=body.agent, retracted=body.retracted)


def _newest(bodies: Iterable[Body], *, archived: bool = False) -> dict[str, Body]:
    """Return the newest version of each entity that is not taken back, if wished else any."""
    newest: dict[str, Body] = {}
    for body in bodies:
        if body.retracted is None or (archived and newest.get(body.id, body).retracted is not None):
            newest[body.id] = body
    return newest


def _related(rows: Rows, found: Sequence[Entity], *, agent: str, as_of: str | None) -> list[Entity]:
    """Return entities with their relations."""
    ids = [one.id for one in found]
    told = edges_of(edges.relations(rows, agent=agent, ids=ids, as_of=as_of))
    return [msgspec.structs.replace(one, relations=told.get(one.id, ())) for one in found]
