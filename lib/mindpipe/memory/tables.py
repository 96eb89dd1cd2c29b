"""Rows of the four substrates: items, reflections, lessons with outcomes, entities and relations.

Content is only ever added; what changes is whether it is archived or retracted, and how often it
was recalled. An entity is kept once per version, so that an earlier one can be asked for.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

import msgspec

from mindpipe.core.migrations import Migration
from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import to_json
from mindpipe.memory.records import Item, NumberedItem, Span

_ITEM_CONTENT = (
    "number",
    "agent",
    "id",
    "key",
    "kind",
    "text",
    "at",
    "until",
    "learnt",
    "speaker",
    "subject",
    "session",
    "entities",
    "tags",
    "significance",
    "span",
    "origin",
    "sources",
)
_CONTENT = {
    "memory_item": ", ".join(_ITEM_CONTENT),
    "reflection": "number, agent, id, key, since, until, learnt, body",
    "lesson": "number, agent, id, key, learnt, body",
    "lesson_outcome": "number, agent, lesson, at, good, note, learnt, confidence",
    "memory_entity": "number, agent, id, version, learnt, body",
    "relation": "number, agent, source, type, target, since, until, items, learnt, sources",
}
_KEPT = "".join(
    f"CREATE TRIGGER {table}_UPDATE BEFORE UPDATE OF {columns} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, 'what {table} says is never changed'); END;"
    f"CREATE TRIGGER {table}_DELETE BEFORE DELETE ON {table} "
    f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END;"
    for table, columns in _CONTENT.items()
)
# The index of keys covers only items that have one, so that it costs the others nothing.
MIGRATIONS = (
    Migration(
        name="0021_memory",
        sql=f"""
        CREATE TABLE memory_item(
            number INTEGER PRIMARY KEY,
            agent TEXT NOT NULL, id TEXT NOT NULL, key TEXT,
            kind TEXT NOT NULL CHECK(kind IN ('episodic', 'semantic', 'procedural', 'note')),
            text TEXT NOT NULL, at TEXT NOT NULL, until TEXT, learnt TEXT NOT NULL,
            speaker TEXT, subject TEXT, session TEXT, entities TEXT, tags TEXT,
            significance REAL NOT NULL CHECK(significance BETWEEN 0 AND 10), span TEXT,
            origin TEXT NOT NULL CHECK(origin IN
                ('human', 'operator', 'tool', 'program', 'agent', 'recalled')),
            sources TEXT, archived TEXT, retracted TEXT,
            recalled INTEGER NOT NULL DEFAULT 0, recalled_at TEXT,
            CHECK(until IS NULL OR until >= at)
        ) STRICT;
        CREATE UNIQUE INDEX memory_item_id ON memory_item(agent, id);
        CREATE UNIQUE INDEX memory_item_key ON memory_item(agent, key) WHERE key IS NOT NULL;
        CREATE TABLE reflection(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL, id TEXT NOT NULL, key TEXT,
            since TEXT NOT NULL, until TEXT NOT NULL, learnt TEXT NOT NULL,
            body TEXT NOT NULL CHECK(json_valid(body)), retracted TEXT,
            UNIQUE(agent, id), UNIQUE(agent, key), CHECK(until >= since)
        ) STRICT;
        CREATE TABLE lesson(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL, id TEXT NOT NULL, key TEXT,
            learnt TEXT NOT NULL, body TEXT NOT NULL CHECK(json_valid(body)), retracted TEXT,
            UNIQUE(agent, id), UNIQUE(agent, key)
        ) STRICT;
        CREATE TABLE lesson_outcome(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL, lesson TEXT NOT NULL,
            at TEXT NOT NULL, good INTEGER NOT NULL CHECK(good IN (0, 1)), note TEXT,
            learnt TEXT NOT NULL, confidence REAL NOT NULL CHECK(confidence BETWEEN 0 AND 1)
        ) STRICT;
        CREATE INDEX lesson_outcome_of ON lesson_outcome(agent, lesson, number);
        CREATE TABLE memory_entity(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL, id TEXT NOT NULL,
            version INTEGER NOT NULL CHECK(version >= 1), learnt TEXT NOT NULL,
            body TEXT NOT NULL CHECK(json_valid(body)), retracted TEXT,
            UNIQUE(agent, id, version)
        ) STRICT;
        CREATE TABLE relation(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL, source TEXT NOT NULL,
            type TEXT NOT NULL, target TEXT NOT NULL, since TEXT, until TEXT, items TEXT,
            learnt TEXT NOT NULL, sources TEXT, retracted TEXT,
            CHECK(since IS NULL OR until IS NULL OR until >= since)
        ) STRICT;
        CREATE INDEX relation_from ON relation(agent, source);
        CREATE INDEX relation_to ON relation(agent, target);
        {_KEPT}
        """,
    ),
)

# Rows per statement: the cost of running a statement is shared by this many.
_GROUP = 50
_ITEM_WIDTH = len(_ITEM_CONTENT) + 4
_ITEM = ", ".join((*_ITEM_CONTENT, "archived", "retracted", "recalled", "recalled_at"))
_ITEM_JSON: dict[str, msgspec.json.Decoder[object]] = {
    "entities": msgspec.json.Decoder(tuple[str, ...]),
    "tags": msgspec.json.Decoder(tuple[str, ...]),
    "sources": msgspec.json.Decoder(tuple[str, ...]),
    "span": msgspec.json.Decoder(Span),
}


def last_number(rows: Rows) -> int:
    """Return the number of the newest item of all agents, or 0."""
    return rows.value(int, "SELECT max(number) FROM memory_item") or 0


def add_items(rows: Rows, items: Sequence[Item], *, first: int) -> None:
    """Insert items with numbers from `first` on; one whose id or key is there is passed over."""
    cells = [_item_cells(number, item) for number, item in enumerate(items, first)]
    whole = len(cells) - len(cells) % _GROUP
    if whole:
        groups = (tuple(chain(*cells[at : at + _GROUP])) for at in range(0, whole, _GROUP))
        rows.run_many(_insertion(_GROUP), groups)
    if whole < len(cells):
        rows.run_many(_insertion(1), cells[whole:])


@functools.cache
def _insertion(items: int) -> str:
    """Return the statement that inserts so many items."""
    row = f"({', '.join('?' * _ITEM_WIDTH)})"
    # OR IGNORE would pass over more than an id or key that is there: any row that breaks a rule.
    marks = ", ".join([row] * items)
    return f"INSERT INTO memory_item({_ITEM}) VALUES {marks} ON CONFLICT DO NOTHING"


def _item_cells(number: int, item: Item) -> tuple[Cell, ...]:
    """Return an item as a row, in the order of the columns."""
    return (
        number,
        item.agent,
        item.id,
        item.key,
        item.kind,
        item.text,
        item.at,
        item.until,
        item.learnt,
        item.speaker,
        item.subject,
        item.session,
        _json(item.entities),
        _json(item.tags),
        item.significance,
        _json(item.span),
        item.origin,
        _json(item.sources),
        item.archived,
        item.retracted,
        item.recalled,
        item.recalled_at,
    )


def _json(value: object) -> str | None:
    """Return a list or record as JSON, nothing as NULL."""
    return to_json(value).decode() if value else None


def missing_numbers(rows: Rows, *, first: int, last: int) -> list[int]:
    """Return which of the numbers from first to last no item has: it was there already."""
    span = {"first": first, "last": last}
    where = "FROM memory_item WHERE number BETWEEN :first AND :last"
    if rows.value(int, f"SELECT count(*) {where}", span) == last - first + 1:
        return []
    there = set(rows.all(int, f"SELECT number {where}", span))
    return [number for number in range(first, last + 1) if number not in there]


def find_same(rows: Rows, *, agent: str, id: str, key: str | None) -> Item | None:
    """Return the item that has a key, or else an id, or None."""
    values = {"agent": agent, "id": id, "key": key}
    for name in ("key", "id"):
        found = list(_items(rows, f"WHERE agent = :agent AND {name} = :{name}", values))
        if found:
            return found[0].item
    return None


def items_after(
    rows: Rows, number: int, *, agent: str | None = None, limit: int
) -> Iterator[NumberedItem]:
    """Yield the items with a greater number, of one agent or of all, in the order of numbers."""
    where = "WHERE number > :number" + ("" if agent is None else " AND agent = :agent")
    return _items(
        rows,
        f"{where} ORDER BY number LIMIT :limit",
        {"number": number, "agent": agent, "limit": limit},
    )


def items_of(rows: Rows, *, agent: str, ids: Iterable[str]) -> list[NumberedItem]:
    """Return the items of an agent with one of some ids, in the order of their numbers."""
    values = {"agent": agent, "ids": to_json(tuple(ids)).decode()}
    where = "WHERE agent = :agent AND id IN (SELECT value FROM json_each(:ids))"
    return sorted(_items(rows, where, values), key=lambda found: found.number)


def _items(rows: Rows, where: str, values: Mapping[str, Cell]) -> Iterator[NumberedItem]:
    """Yield the items that a condition names."""
    for row in rows.each(dict[str, object], f"SELECT {_ITEM} FROM memory_item {where}", values):
        number = cast("int", row.pop("number"))
        for name, decoder in _ITEM_JSON.items():
            if row[name] is not None:
                row[name] = decoder.decode(cast("str", row[name]))
            elif name != "span":
                row[name] = ()
        yield NumberedItem(number, Item(**row))  # type: ignore[arg-type]  # the columns are its fields
