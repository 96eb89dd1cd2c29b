"""Take back all that was written under words of a source, and say what it was."""

from collections.abc import Iterable, Set

import msgspec

from mindpipe.core.ports import Clock, Store
from mindpipe.core.sources import MORE, covers, joined
from mindpipe.memory.records import Item, Origin, Retracted, StoredRelation
from mindpipe.memory.tables import edges, items, written
from mindpipe.memory.tables.written import Body, Written


class _Said(msgspec.Struct):
    """What is read of any record that is kept as JSON."""

    text: str = ""
    name: str = ""
    origin: Origin = "human"
    items: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()


_TABLES: tuple[Written, ...] = ("reflection", "lesson", "memory_entity")


def revoke(
    store: Store, clock: Clock, *, agent: str, source: str, dry_run: bool = False
) -> list[Retracted]:
    """Take back an agent's items, reflections, lessons, versions of entities and relations.

    `source` may end in `*`, leave its sender out, or be somebody who speaks in spaces; what has
    more sources than are kept by name may be of any. It does not matter whether it was trusted.
    What was learnt from an item goes with the item, but for what the operator wrote. An entity
    falls back to its last version that does not depend on the source. Nothing is deleted; with
    `dry_run` nothing is changed.
    """
    now = clock.now()
    with store.read() if dry_run else store.write() as rows:
        taken = [
            one
            for one in items.items_of_others(rows, agent=agent)
            if _meant(source, (*one.sources, *one.trusted))
        ]
        gone = {one.id for one in taken}
        if not dry_run:
            items.retract_items(rows, [one.id for one in taken], agent=agent, at=now)
        found = [_item_receipt(one, agent) for one in taken]
        for table in _TABLES:
            bodies = [
                (body, said)
                for body in written.bodies(rows, table, agent=agent)
                if body.retracted is None and _stands_on(said := _said(body), source, gone)
            ]
            found += [_receipt(table, body, said) for body, said in bodies]
            if not dry_run:
                written.retract_bodies(rows, table, [body.number for body, _ in bodies], at=now)
        related = [
            one
            for one in edges.standing(rows, agent=agent)
            if _meant(source, one.record.sources) or not gone.isdisjoint(one.record.items)
        ]
        if not dry_run:
            edges.retract_relations(rows, [one.number for one in related], at=now)
    return [*found, *(_edge_receipt(one.record) for one in related)]


def _stands_on(said: _Said, source: str, gone: Set[str]) -> bool:
    """Tell whether a record holds words of a source, or was made of items that are taken back."""
    made_of = said.origin != "operator" and not gone.isdisjoint(said.items)
    return made_of or _meant(source, (*said.sources, *said.trusted))


def _meant(source: str, said: Iterable[str]) -> bool:
    """Tell whether what is revoked means, or may mean, one of some sources."""
    return any(one == MORE or covers(source, one) for one in said)


def _said(body: Body) -> _Said:
    """Return what is read of a record."""
    return msgspec.json.decode(body.body, type=_Said)


def _item_receipt(item: Item, agent: str) -> Retracted:
    """Return the receipt of an item that was taken back."""
    return Retracted(
        kind="memory_item",
        agent=agent,
        id=item.id,
        text=item.text,
        sources=joined(item.sources, item.trusted),
    )


def _receipt(table: Written, body: Body, said: _Said) -> Retracted:
    """Return the receipt of a record that was taken back."""
    return Retracted(
        kind="entity" if table == "memory_entity" else table,
        agent=body.agent,
        id=body.id,
        text=said.text or said.name,
        sources=joined(said.sources, said.trusted),
    )


def _edge_receipt(edge: StoredRelation) -> Retracted:
    """Return the receipt of an edge that was taken back."""
    return Retracted(
        kind="relation",
        agent=edge.agent,
        id=edge.source,
        text=f"{edge.source} {edge.type} {edge.target}",
        sources=edge.sources,
    )
