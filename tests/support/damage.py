"""Damage a store as disks and people do, and know what is still there afterwards.

What is there is counted with SQLite's own table of pages, not with the reader that salvages.
"""

import collections
import contextlib
import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw

from mindpipe.store.address import address_of
from mindpipe.store.engine import EngineStore
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.store.sqlite import SqliteStore
from support.command import looked_into
from support.server_stores import ON_SERVER, named_at

PAGE = 4096
_LEAF = 13
_OVERFLOW_HEAD = 4
_CELLS = (
    "SELECT name, pageno, pagetype, ncell, path FROM dbstat WHERE name IN "
    "(SELECT name FROM pragma_table_list WHERE schema='main' AND type='table' AND wr=:wr)"
)


class Original:
    """A sound store: its octets, and which rows each of its pages holds."""

    def __init__(self, store: Path) -> None:
        self.octets = store.read_bytes()
        self.pages = len(self.octets) // PAGE
        self.rows: dict[str, int] = collections.Counter()
        self.held: dict[int, tuple[str, int]] = {}
        self.inner: list[int] = []
        with contextlib.closing(apsw.Connection(str(store))) as connection:
            for without_rowid in (0, 1):
                found = connection.execute(_CELLS, {"wr": without_rowid})
                for name, page, kind, cells, _ in found.fetchall():
                    self._note(name, page, kind, cells, inner=bool(without_rowid))

    def _note(self, name: str, page: int, kind: str, cells: int, *, inner: bool) -> None:
        """Note what a page holds: a part of one row, all its rows, or only pages."""
        counted = cells if kind == "leaf" or (inner and kind == "internal") else 0
        self.rows[name] += counted
        self.inner += [page] if kind == "internal" else []
        self.held[page] = (name, 1 if kind == "overflow" else counted)

    def without(self, damaged: set[int]) -> dict[str, int]:
        """Return how many rows of each table lie on pages that are not damaged, at least."""
        left = dict(self.rows)
        for page in damaged & set(self.held):
            name, cells = self.held[page]
            left[name] -= cells
        return left

    def copy(self, folder: Path, octets: bytes | bytearray) -> Path:
        """Write a damaged copy."""
        file = folder / "damaged.db"
        for suffix in ("-wal", "-shm", ".reserve"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        file.write_bytes(octets)
        file.chmod(0o600)
        return file

    def pages_of(self, table: str) -> list[int]:
        """Return the pages that are full of rows of a table; what is behind a row's end is not."""
        own = [page for page, (name, cells) in self.held.items() if name == table and cells]
        return [page for page in own if any(self.octets[(page - 1) * PAGE :][:4])]


def head_overwritten(original: Original, chance: random.Random) -> tuple[bytearray, set[int]]:
    """Overwrite the head of a page in use, often of one that leads to others.

    Return the octets and the damaged pages.
    """
    page = chance.choice(chance.choice((original.inner, sorted(original.held))))
    octets = bytearray(original.octets)
    at = (page - 1) * PAGE
    octets[at : at + 12] = b"\xff" * 12
    return octets, {page}


def cut(original: Original, chance: random.Random) -> tuple[bytearray, set[int]]:
    """Cut the file somewhere behind its first page."""
    length = chance.randrange(PAGE, len(original.octets))
    return bytearray(original.octets[:length]), set(range(length // PAGE + 1, original.pages + 1))


def bit_flipped(
    original: Original, chance: random.Random, pages: list[int] | None = None
) -> tuple[bytearray, set[int]]:
    """Flip one bit: of the rows of some pages, or anywhere."""
    octets = bytearray(original.octets)
    if pages is None:
        at = chance.randrange(len(octets))
    else:
        begin = (chance.choice(pages) - 1) * PAGE
        at = begin + chance.randrange(_rows_from(octets, begin), PAGE)
    octets[at] ^= 1 << chance.randrange(8)
    return octets, {at // PAGE + 1}


def _rows_from(octets: bytearray, begin: int) -> int:
    """Return where the rows of a leaf begin, or the part of one that fills an overflow page."""
    leaf = octets[begin] == _LEAF
    return int.from_bytes(octets[begin + 5 : begin + 7], "big") if leaf else _OVERFLOW_HEAD


@contextlib.contextmanager
def edited(store: Path, *statements: str) -> Iterator[EngineStore]:
    """Give the store as it is after somebody's edits, which are undone at the end.

    Nothing refuses them: whoever owns a store can take away what would.
    """
    if ON_SERVER:
        with _edited_on_server(store, statements) as on_server:
            yield on_server
        return
    connection = apsw.Connection(str(store))
    try:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        connection.execute("BEGIN IMMEDIATE")
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type='trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        yield SqliteStore(connection, store)
        connection.execute("ROLLBACK")
    finally:
        connection.close()


class _UndoneError(Exception):
    """What was edited is to be as it was."""


_UNCHECKED = """
SET LOCAL session_replication_role = replica;
DO $$
DECLARE
    bound record;
BEGIN
    FOR bound IN SELECT conrelid::regclass AS of_table, conname FROM pg_constraint
        WHERE contype = 'c' AND conrelid IN ('message'::regclass, 'segment'::regclass,
            'compaction'::regclass)
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', bound.of_table, bound.conname);
    END LOOP;
END $$
"""


@contextlib.contextmanager
def _edited_on_server(store: Path, statements: Sequence[str]) -> Iterator[EngineStore]:
    with (
        contextlib.closing(PostgresStore(address_of(named_at(store)))) as opened,
        contextlib.suppress(_UndoneError),
        opened.restoring() as rows,
    ):
        # A transaction begins with what is asked first in it.
        rows.value(int, "SELECT 1")
        for statement in (_UNCHECKED, *statements):
            opened.connection.execute(statement.encode())
        yield opened
        raise _UndoneError


def edits(store: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (kind, SQL): every column edited, row deleted, neighbours swapped, octets changed.

    What an undo measured is left out: nothing depends on it, and it cannot be measured again.
    """
    with looked_into(store.parent, store.name) as connection:
        undos = list(connection.execute("SELECT number FROM compaction WHERE action='undo'"))
        for table, key in (("message", "number"), ("segment", "segment"), ("compaction", "number")):
            keys = [one for (one,) in connection.execute(f"SELECT {key} FROM {table}")]
            columns = list(connection.execute(_COLUMNS[ON_SERVER].format(table)))
            for one in keys:
                row = f"WHERE {key}={one}"
                for column, kind in columns:
                    if table == "compaction" and (one,) in undos and column.startswith("tokens_"):
                        continue
                    changed = _changed(column, kind)
                    yield "edits", (f'UPDATE {table} SET "{column}"={changed} {row}',)
                yield "deletions", (f"DELETE FROM {table} {row}",)
        numbers = [one for (one,) in connection.execute("SELECT number FROM message")]
        for one, two in itertools.pairwise(sorted(numbers)):
            yield "swaps", _swap(one, two)
        pointed = connection.execute(
            "SELECT sha256 FROM blob WHERE sha256 IN (SELECT head_sha256 FROM segment "
            "UNION SELECT part.value FROM message, json_each(raw ->> '$.sha256') AS part "
            'UNION SELECT "window" FROM compaction)'
        )
        for (sha256,) in list(pointed):
            yield (
                "octets",
                (f"UPDATE blob SET octets = {_ZEROS[ON_SERVER]} WHERE sha256='{sha256}'",),
            )


_ZEROS = ("zeroblob(3)", "'\\x000000'")
_COLUMNS = (
    "SELECT name, type FROM pragma_table_info('{}')",
    "SELECT column_name, upper(data_type) FROM information_schema.columns "
    "WHERE table_schema = 'mindpipe' AND table_name = '{}' ORDER BY ordinal_position",
)


def _changed(column: str, kind: str) -> str:
    """Return the SQL of another value for a column."""
    if column == "role":
        return "CASE role WHEN 'user' THEN 'note' ELSE 'user' END"
    if kind in ("INTEGER", "BIGINT"):
        return f'"{column}" + 1000'
    return f'''coalesce("{column}", '') || 'x\''''


def _swap(one: int, two: int) -> tuple[str, ...]:
    """Return the SQL that lets two messages change places, seq and number alike."""
    move = "UPDATE message SET number={}, seq=seq+{} WHERE number={}"
    return (
        move.format(-1, 10**6 + 1, one),
        move.format(one, -1, two),
        move.format(two, -(10**6), -1),
    )
