"""Rows of vectors: by which model, of which entry, whole one by one and in bits block by block."""

from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import Migration, Record

# An entry is a row of the index by its number, which never stands for anything else. All its pieces
# are in one row. A block never changes; an entry that is in none yet is loose.
MIGRATIONS = (
    Migration(
        name="0024_vectors",
        sql="""
    CREATE TABLE vector_model(
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL CHECK(size > 0)
    ) STRICT;
    CREATE TABLE vector(
        number INTEGER PRIMARY KEY,
        model INTEGER NOT NULL REFERENCES vector_model(number),
        entry INTEGER NOT NULL,
        halves BLOB NOT NULL,
        UNIQUE(model, entry)
    ) STRICT;
    CREATE TRIGGER vector_size BEFORE INSERT ON vector
    WHEN length(NEW.halves) % (SELECT 2 * size FROM vector_model WHERE number = NEW.model) <> 0
    BEGIN SELECT RAISE(ABORT, 'a vector has another size than those of its model'); END;
    CREATE TABLE vector_loose(
        model INTEGER NOT NULL REFERENCES vector_model(number),
        entry INTEGER NOT NULL,
        PRIMARY KEY(model, entry)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE vector_block(
        number INTEGER PRIMARY KEY,
        model INTEGER NOT NULL REFERENCES vector_model(number),
        last INTEGER NOT NULL,
        entries BLOB NOT NULL,
        bits BLOB NOT NULL,
        UNIQUE(model, last)
    ) STRICT;
    """,
    ),
)


class VectorModel(Record):
    """An embedding model that vectors are of, and how many numbers each has."""

    number: int
    name: str
    size: int


class Pieces(Record):
    """The vectors of all pieces of one entry, one behind the other, as `halves_of` makes them."""

    entry: int
    halves: bytes


class VectorBlock(Record):
    """Some vectors: the entry that each is of (int64), and their bits as `words_of` orders them."""

    entries: bytes
    bits: bytes


_SPAN = "model = :model AND entry BETWEEN :first AND :last"


def model_named(rows: Rows, name: str) -> VectorModel | None:
    """Return the model of that name, or None where no vector was ever kept of it."""
    return rows.one(
        VectorModel,
        "SELECT number, name, size FROM vector_model WHERE name = :name",
        {"name": name},
    )


def models_within(rows: Rows, *, first: int, last: int) -> list[str]:
    """Return the names of the models which entries of these numbers have vectors of."""
    return rows.all(
        str,
        "SELECT name FROM vector_model AS of WHERE EXISTS (SELECT 1 FROM vector"
        " WHERE model = of.number AND entry BETWEEN :first AND :last) ORDER BY number",
        {"first": first, "last": last},
    )


def keep_model(rows: Rows, name: str, size: int) -> VectorModel:
    """Return the model of that name; where it is new, it is kept with this size of its vectors."""
    rows.run(
        "INSERT INTO vector_model(name, size) VALUES(:name, :size) ON CONFLICT DO NOTHING",
        {"name": name, "size": size},
    )
    found = model_named(rows, name)
    assert found is not None
    return found


def known(rows: Rows, model: int, *, first: int, last: int) -> set[int]:
    """Return those entries of these numbers that have vectors."""
    values = {"model": model, "first": first, "last": last}
    return set(rows.each(int, f"SELECT entry FROM vector WHERE {_SPAN}", values))


def keep(rows: Rows, model: int, found: Sequence[Pieces]) -> None:
    """Keep vectors of entries that have none; where another was faster, its own stay."""
    for one in found:
        values: dict[str, Cell] = {"model": model, "entry": one.entry, "halves": one.halves}
        kept = rows.changed(
            "INSERT INTO vector(model, entry, halves) VALUES(:model, :entry, :halves)"
            " ON CONFLICT DO NOTHING",
            values,
        )
        if kept:
            rows.run("INSERT INTO vector_loose(model, entry) VALUES(:model, :entry)", values)


def count_loose(rows: Rows, model: int, *, first: int, last: int) -> int:
    """Return how many entries of these numbers are in no block."""
    values = {"model": model, "first": first, "last": last}
    return rows.value(int, f"SELECT count(*) FROM vector_loose WHERE {_SPAN}", values) or 0


def loose(rows: Rows, model: int, *, first: int, last: int) -> list[Pieces]:
    """Return the vectors of those entries of these numbers that are in no block."""
    return rows.all(
        Pieces,
        "SELECT entry, halves FROM vector_loose JOIN vector USING (model, entry)"
        f" WHERE {_SPAN} ORDER BY entry",
        {"model": model, "first": first, "last": last},
    )


def keep_block(rows: Rows, model: int, block: VectorBlock, *, first: int, last: int) -> None:
    """Keep the bits of all loose entries from `first` to `last`, which are loose no more."""
    values: dict[str, Cell] = {"model": model, "first": first, "last": last}
    rows.run(
        "INSERT INTO vector_block(model, last, entries, bits)"
        " VALUES(:model, :last, :entries, :bits)",
        {**values, "entries": block.entries, "bits": block.bits},
    )
    rows.run(f"DELETE FROM vector_loose WHERE {_SPAN}", values)


def blocks(rows: Rows, model: int, *, first: int, last: int) -> Iterator[VectorBlock]:
    """Yield the blocks of entries of these numbers, which are of one agent."""
    return rows.each(
        VectorBlock,
        "SELECT entries, bits FROM vector_block WHERE model = :model"
        " AND last BETWEEN :first AND :last ORDER BY last",
        {"model": model, "first": first, "last": last},
    )


def forget(rows: Rows, *, first: int, last: int) -> None:
    """Take away all vectors of entries of these numbers, which are all of one agent."""
    values: dict[str, Cell] = {"first": first, "last": last}
    rows.run("DELETE FROM vector WHERE entry BETWEEN :first AND :last", values)
    rows.run("DELETE FROM vector_loose WHERE entry BETWEEN :first AND :last", values)
    rows.run("DELETE FROM vector_block WHERE last BETWEEN :first AND :last", values)


def newest(rows: Rows, model: int, *, first: int, last: int) -> Pieces | None:
    """Return the vectors of the newest entry of these numbers that has any."""
    return rows.one(
        Pieces,
        f"SELECT entry, halves FROM vector WHERE {_SPAN} AND length(halves) > 0"
        " ORDER BY entry DESC LIMIT 1",
        {"model": model, "first": first, "last": last},
    )


def of_entries(rows: Rows, model: int, entries: Sequence[int]) -> list[Pieces]:
    """Return the vectors of those of some entries that have any, in the order of their numbers."""
    return rows.all(
        Pieces,
        "SELECT entry, halves FROM vector WHERE model = :model"
        " AND entry IN (SELECT value FROM json_each(:entries)) ORDER BY entry",
        {"model": model, "entries": msgspec.json.encode(entries).decode()},
    )
