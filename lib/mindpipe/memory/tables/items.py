"""Items of memory as rows, and how far a log was read for them."""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

import msgspec

from mindpipe.core.ports import Cell, Given, Pair, Rows
from mindpipe.core.records import Migration
from mindpipe.memory.records import Item, ItemFilter, NumberedItem, QuotedSpan
from mindpipe.memory.strength import Fading
from mindpipe.memory.tables.cells import kept, listed, never_changed

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
    "trusted",
)
_SAID_BY = ("claimed_speaker", "vouched")
"""Columns that came later; in rows from before both are NULL: nobody noted it then."""
# The index of keys covers only items that have one, so that it costs the others nothing.
SCHEMA = f"""
    CREATE TABLE memory_item(
        number INTEGER PRIMARY KEY,
        agent TEXT NOT NULL, id TEXT NOT NULL, key TEXT,
        kind TEXT NOT NULL CHECK(kind IN ('episodic', 'semantic', 'procedural', 'note')),
        text TEXT NOT NULL, at TEXT NOT NULL, until TEXT, learnt TEXT NOT NULL,
        speaker TEXT, subject TEXT, session TEXT, entities TEXT, tags TEXT,
        significance REAL NOT NULL CHECK(significance BETWEEN 0 AND 10), span TEXT,
        origin TEXT NOT NULL CHECK(origin IN
            ('human', 'operator', 'tool', 'program', 'agent', 'recalled')),
        sources TEXT, trusted TEXT, archived TEXT, retracted TEXT,
        recalled INTEGER NOT NULL DEFAULT 0, recalled_at TEXT,
        CHECK(until IS NULL OR until >= at)
    ) STRICT;
    CREATE UNIQUE INDEX memory_item_id ON memory_item(agent, id);
    CREATE UNIQUE INDEX memory_item_key ON memory_item(agent, key) WHERE key IS NOT NULL;
    {kept("memory_item", ", ".join(_ITEM_CONTENT))}
"""


# A trigger cannot be given more columns, so the one that keeps what an item says is made anew.
SAID_BY_SCHEMA = f"""
    ALTER TABLE memory_item ADD COLUMN claimed_speaker TEXT;
    ALTER TABLE memory_item ADD COLUMN vouched INTEGER CHECK(vouched IN (0, 1));
    DROP TRIGGER memory_item_UPDATE;
    {never_changed("memory_item", ", ".join((*_ITEM_CONTENT, *_SAID_BY)))}
"""

# Rows per statement: the cost of running a statement is shared by this many.
_GROUP = 50
_STATE = ("archived", "retracted", "recalled", "recalled_at")
_COLUMNS = (*_ITEM_CONTENT, *_SAID_BY, *_STATE)
_ITEM = ", ".join(_COLUMNS)
_ITEM_JSON: dict[str, msgspec.json.Decoder[object]] = {
    "entities": msgspec.json.Decoder(tuple[str, ...]),
    "tags": msgspec.json.Decoder(tuple[str, ...]),
    "sources": msgspec.json.Decoder(tuple[str, ...]),
    "trusted": msgspec.json.Decoder(tuple[str, ...]),
    "span": msgspec.json.Decoder(QuotedSpan),
}


def last_number(rows: Rows) -> int:
    """Return the number of the newest item of all agents, or 0."""
    return rows.value(int, "SELECT max(number) FROM memory_item") or 0


_TAKE = Pair(
    sqlite="SELECT max(coalesce((SELECT max(number) FROM memory_item), 0), :taken) + 1",
    postgres="SELECT take_numbers('memory_item', 'number', :count, :taken)",
)


def take_numbers(rows: Rows, *, count: int, taken: int) -> int:
    """Return the first of so many numbers in a row that nobody else gets, all behind `taken`."""
    return rows.value(int, _TAKE, {"count": count, "taken": taken}) or taken + 1


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
    row = f"({', '.join('?' * len(_COLUMNS))})"
    # A trigger passes over a key that is there. A number that is there, too, would be an error.
    marks = ", ".join([row] * items)
    return f"INSERT INTO memory_item({_ITEM}) VALUES {marks} ON CONFLICT(agent, id) DO NOTHING"


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
        listed(item.entities),
        listed(item.tags),
        item.significance,
        listed(item.span),
        item.origin,
        listed(item.sources),
        listed(item.trusted),
        item.claimed_speaker,
        item.vouched,
        item.archived,
        item.retracted,
        item.recalled,
        item.recalled_at,
    )


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
    # Said so, it keeps SQLite from sorting all that an agent has for the few that come next.
    where = "WHERE number > :number" + ("" if agent is None else " AND agent || '' = :agent")
    return _items(
        rows,
        f"{where} ORDER BY number LIMIT :limit",
        {"number": number, "agent": agent, "limit": limit},
    )


def items_of(rows: Rows, *, agent: str, ids: Iterable[str]) -> list[NumberedItem]:
    """Return the items of an agent with one of some ids, in the order of their numbers."""
    values: dict[str, Given] = {"agent": agent, "ids": [*ids]}
    found = _items(rows, "WHERE agent = :agent AND id IN :ids", values)
    return sorted(found, key=lambda one: one.number)


def last_of_speaker(rows: Rows, item: Item, *, number: int) -> Item | None:
    """Return the last item of the speaker of one that came before it, None where there is none."""
    where = (
        "WHERE number < :number AND agent || '' = :agent "
        "AND speaker IS NOT DISTINCT FROM :speaker "
        "AND claimed_speaker IS NOT DISTINCT FROM :claimed ORDER BY number DESC LIMIT 1"
    )
    said_by = {"speaker": item.speaker, "claimed": item.claimed_speaker}
    found = list(_items(rows, where, {"number": number, "agent": item.agent, **said_by}))
    return found[0].item if found else None


def _items(rows: Rows, where: str, values: Mapping[str, Given]) -> Iterator[NumberedItem]:
    """Yield the items that a condition names."""
    for row in rows.each(dict[str, object], f"SELECT {_ITEM} FROM memory_item {where}", values):
        number = cast("int", row.pop("number"))
        row["vouched"] = None if row["vouched"] is None else bool(row["vouched"])
        for name, decoder in _ITEM_JSON.items():
            if row[name] is not None:
                row[name] = decoder.decode(cast("str", row[name]))
            elif name != "span":
                row[name] = ()
        yield NumberedItem(number, Item(**row))  # type: ignore[arg-type]  # the columns are its fields


def filtered_items(
    rows: Rows, *, agent: str, wanted: ItemFilter, limit: int | None
) -> Iterator[Item]:
    """Yield an agent's items of a filter in the order in which they came."""
    values = cast("dict[str, Cell]", msgspec.structs.asdict(wanted))
    where = [f"{name} = :{name}" for name in _EQUAL if values[name] is not None]
    where += [words for name, words in _BOUNDS.items() if values[name] is not None]
    if not wanted.archived:
        where += [words if wanted.as_of else now for now, words in _ASIDE]
    condition = " AND ".join(["agent = :agent", *where])
    ordered = "ORDER BY number" + ("" if limit is None else " LIMIT :limit")
    meant = {**values, "agent": agent, "limit": limit}
    for found in _items(rows, f"WHERE {condition} {ordered}", meant):
        yield found.item


_ASIDE = tuple(
    (f"{name} IS NULL", f"({name} IS NULL OR {name} > :as_of)")
    for name in ("archived", "retracted")
)
_EQUAL = ("kind", "speaker", "subject", "session")
_BOUNDS = {"since": "at >= :since", "until": "at < :until", "as_of": "learnt <= :as_of"}


def fading_items(rows: Rows, *, agent: str) -> Iterator[Fading]:
    """Yield what the strength of each item of an agent follows from that is not set aside."""
    return rows.each(
        Fading,
        "SELECT number, kind, significance, learnt, recalled, recalled_at FROM memory_item "
        "WHERE agent = :agent AND archived IS NULL AND retracted IS NULL ORDER BY number",
        {"agent": agent},
    )


def items_at(rows: Rows, numbers: Iterable[int]) -> list[Item]:
    """Return the items with some numbers, in their order."""
    where = "WHERE number IN :numbers ORDER BY number"
    return [found.item for found in _items(rows, where, {"numbers": [*numbers]})]


def archive_items(rows: Rows, numbers: Iterable[int], *, at: str) -> None:
    """Set items aside."""
    rows.run(
        "UPDATE memory_item SET archived = :at WHERE number IN :numbers",
        {"numbers": [*numbers], "at": at},
    )


def recall_items(rows: Rows, ids: Iterable[str], *, agent: str, at: str) -> int:
    """Count that items were found and used; those set aside come back. Return how many."""
    return rows.changed(
        "UPDATE memory_item SET recalled = recalled + 1, recalled_at = :at, archived = NULL"
        " WHERE agent = :agent AND id IN :ids",
        {"ids": [*ids], "agent": agent, "at": at},
    )


def retract_items(rows: Rows, ids: Iterable[str], *, agent: str, at: str) -> int:
    """Take items back, once; return how many were not before."""
    return rows.changed(
        "UPDATE memory_item SET retracted = :at WHERE agent = :agent AND retracted IS NULL"
        " AND id IN :ids",
        {"ids": [*ids], "agent": agent, "at": at},
    )


def items_of_others(rows: Rows, *, agent: str) -> Iterator[Item]:
    """Yield an agent's items that hold words of a source and are not taken back."""
    where = (
        "WHERE agent = :agent AND coalesce(sources, trusted) IS NOT NULL AND retracted IS NULL "
        "ORDER BY number"
    )
    return (found.item for found in _items(rows, where, {"agent": agent}))


MIGRATIONS = (
    Migration(
        name="0025_extraction",
        sql="""
        CREATE TABLE extraction_mark(
            agent TEXT PRIMARY KEY,
            upto INTEGER NOT NULL CHECK(upto >= 0)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
)


def mark(rows: Rows, *, agent: str) -> int:
    """Return the sequence number of the last message that was read, or 0."""
    sql = "SELECT upto FROM extraction_mark WHERE agent = :agent"
    return rows.value(int, sql, {"agent": agent}) or 0


def set_mark(rows: Rows, *, agent: str, upto: int) -> None:
    """Remember the last message that was read; the mark never goes back."""
    rows.run(
        "INSERT INTO extraction_mark(agent, upto) VALUES(:agent, :upto) "
        "ON CONFLICT(agent) DO UPDATE SET upto = excluded.upto "
        "WHERE extraction_mark.upto < excluded.upto",
        {"agent": agent, "upto": upto},
    )
