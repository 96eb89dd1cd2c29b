"""Write what can be read of a damaged store into a new one; the damaged files are only read."""

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw

from mindpipe.core.errors import DamagedError, InputOutputError, UnavailableError
from mindpipe.core.records import Migration
from mindpipe.io.files import unfinished_file
from mindpipe.store import place, recovery_log, schema
from mindpipe.store.backup import faults_of, new_file
from mindpipe.store.checksums import checksum_vfs, have_checksums, mark_header
from mindpipe.store.place import MAGIC
from mindpipe.store.records import Salvaged
from mindpipe.store.salvage.pages import (
    INNER_INDEX,
    LEAF_INDEX,
    LEAF_TABLE,
    PAGE_SIZE,
    PageRow,
    Pages,
)
from mindpipe.store.salvage.shapes import Shape, shapes_of
from mindpipe.store.sqlite import SqliteStore, connect

_HEADER_BYTES = 100
_HOLDING_ROWS = (INNER_INDEX, LEAF_INDEX, LEAF_TABLE)
_SCHEMA_ROOT = 1
# So that it is in RECOVERY also where it is moved without its log.
_RESTORED = """
INSERT OR REPLACE INTO restoration(generation, restored, loss_since)
SELECT generation, :now, :now FROM store
"""


def salvage(
    store: Path,
    *,
    new: Path,
    now: str,
    migrations: Sequence[Migration],
    finish: Callable[[SqliteStore], None],
) -> list[Salvaged]:
    """Make the store `new` of every row of `store` that can be read; say how many, per table.

    Rows are taken from whole pages, also from those that damage above them has cut off, if only
    one table can hold them. A row whose parent is lost is left out and counted as refused.
    Where SQLite's check finds faults that no count tells of, a page is lost without a table.
    `finish` makes anew what is derived from rows. The new store starts in RECOVERY.

    Raises:
        RefusedError: something is at `new` already.
        UnavailableError: the file is too short to hold a store.
    """
    place.check_file(store)
    place.check_folder(new.absolute())
    with (
        new_file(new) as unfinished,
        contextlib.closing(connect(unfinished, create=True)) as connection,
    ):
        schema.apply(connection, unfinished, migrations)
        with _private_copy(store, new, unfinished) as (octets, checksums, faulty):
            told = _Rescue(connection, Pages(octets, checksums=checksums)).told(faulty=faulty)
        finish(SqliteStore(connection, unfinished))
        faults = faults_of(connection)
        if faults:
            raise InputOutputError(f"what can be read makes no store ({faults[0]}).")
        connection.execute(_RESTORED, {"now": now})
        connection.pragma("journal_mode", "delete")
        why = f"saved from {store.name}, which is damaged"
        recovery_log.enter(new, at=now, cause="restore", why=why)
    return told


@contextlib.contextmanager
def _private_copy(store: Path, target: Path, new: Path) -> Iterator[tuple[bytes, bool, bool]]:
    """Give the octets of the store with its -wal taken in, and two answers.

    They are whether its pages have checksums, and whether SQLite's own check finds faults.
    """
    with unfinished_file(target.with_name(f"{target.name}.read")) as (copy, _):
        for suffix in ("", "-wal"):
            source = store.with_name(store.name + suffix)
            if source.exists():
                shutil.copyfile(source, copy.with_name(copy.name + suffix))
        checksums = _mend_header(copy, new)
        vfs = checksum_vfs() if checksums else None
        faulty = True
        # It may be too damaged to be opened as a store; taking the -wal in needs no table of it.
        with (
            contextlib.suppress(apsw.Error),
            contextlib.closing(apsw.Connection(str(copy), vfs=vfs)) as whole,
        ):
            whole.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            faulty = bool(faults_of(whole))
        yield copy.read_bytes(), checksums, faulty


def _mend_header(copy: Path, new: Path) -> bool:
    """Make the first octets those of a store if they are not; tell whether pages have checksums."""
    octets = copy.read_bytes()
    if len(octets) < PAGE_SIZE:
        raise UnavailableError("the file is too short to hold a store; restore a backup.")
    size = int.from_bytes(octets[16:18], "big")
    if octets[: len(MAGIC)] == MAGIC and size == PAGE_SIZE:
        with contextlib.suppress(DamagedError):
            return have_checksums(copy)
    pages = Pages(octets, checksums=True)
    sound = sum(pages.kind(number) is not None for number in range(2, pages.count + 1))
    checksums = sound > pages.count // 2
    header = bytearray(new.read_bytes()[:_HEADER_BYTES])
    if checksums:
        mark_header(header)
    copy.write_bytes(header + octets[_HEADER_BYTES:])
    return checksums


class _Rescue:
    """One rescue: which page belongs to which table, and the rows that the new store takes."""

    def __init__(self, connection: apsw.Connection, pages: Pages) -> None:
        self._connection = connection
        self._pages = pages
        self._shapes = shapes_of(connection)
        self._tables = {shape.table: shape for shape in self._shapes if shape.insert}
        self._rows: dict[str, int] = dict.fromkeys(self._tables, 0)
        self._refused: dict[str, int] = dict.fromkeys(self._tables, 0)
        self._unread: dict[str, int] = dict.fromkeys((*self._tables, ""), 0)
        self._lost: dict[str, int] = dict.fromkeys((*self._tables, ""), 0)
        self._unplaced = 0

    def told(self, *, faulty: bool) -> list[Salvaged]:
        """Write every row and tell what became of them; `faulty` means that some must be lost."""
        seen = self._pages.free()
        placed: list[tuple[Shape, int]] = []
        for name, root in self._roots(seen):
            shape = self._tables.get(name)
            for number in self._below(root, seen, None if shape is None else name):
                if shape is not None:
                    placed.append((shape, number))
        orphans = (number for number in range(1, self._pages.count + 1) if number not in seen)
        placed += [found for found in map(self._home_of, orphans) if found is not None]
        self._connection.execute("PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE")
        # What triggers guard was guarded when a row was written; rows come in no order here.
        self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        for shape, number in placed:
            for row in self._pages.rows(number):
                self._take(shape, row)
        self._leave_out_orphans()
        self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)
        self._connection.execute("COMMIT; PRAGMA foreign_keys=ON")
        return [*map(self._told_of, self._tables), *self._nameless(faulty=faulty)]

    def _nameless(self, *, faulty: bool) -> Iterator[Salvaged]:
        """Yield what was lost without a known table, if anything was."""
        counted = (self._refused, self._unread, self._lost)
        silent = faulty and not self._unplaced and not any(any(one.values()) for one in counted)
        pages = self._lost[""] + silent
        if self._unplaced or self._unread[""] or pages:
            yield Salvaged(
                table="",
                rows=0,
                refused=self._unplaced,
                rows_lost=self._unread[""],
                pages_lost=pages,
            )

    def _told_of(self, table: str) -> Salvaged:
        return Salvaged(
            table=table,
            rows=self._rows[table],
            refused=self._refused[table],
            rows_lost=self._unread[table],
            pages_lost=self._lost[table],
        )

    def _roots(self, seen: set[int]) -> Iterator[tuple[str, int]]:
        """Yield the name and root of every table and index that the old schema still names."""
        for number in list(self._below(_SCHEMA_ROOT, seen, "")):
            for row in self._pages.rows(number):
                if row is None:
                    self._unread[""] += 1
                elif len(row.values) == len(("type", "name", "table", "root", "sql")):
                    _, name, _, root, _ = row.values
                    if isinstance(name, str) and isinstance(root, int):
                        yield name, root

    def _below(self, root: int, seen: set[int], table: str | None) -> Iterator[int]:
        """Yield a page and all below it that can be read; count those of a table that cannot."""
        waiting = [root]
        while waiting:
            number = waiting.pop()
            kind = self._pages.kind(number)
            if kind is None or number in seen:
                if table is not None:
                    self._lost[table] += 1
                continue
            seen.add(number)
            yield number
            waiting += reversed(self._pages.children(number))

    def _home_of(self, number: int) -> tuple[Shape, int] | None:
        """Return a page that nothing leads to with the only table whose rows it can hold."""
        kind = self._pages.kind(number)
        found = list(self._pages.rows(number)) if kind in _HOLDING_ROWS else []
        rows = [row for row in found if row is not None]
        if not rows:
            self._unread[""] += len(found)
            return None
        fitting = [
            shape
            for shape in self._shapes
            if shape.rowid == (kind == LEAF_TABLE) and all(map(shape.fits, rows))
        ]
        if len(fitting) == 1:
            return (fitting[0], number) if fitting[0].insert else None
        if any(shape.insert for shape in fitting):
            self._unplaced += len(rows)
            self._unread[""] += len(found) - len(rows)
        return None

    def _take(self, shape: Shape, row: PageRow | None) -> None:
        """Write one row, unless it cannot be read or the new store refuses it."""
        if row is None:
            self._unread[shape.table] += 1
            return
        if not shape.fits(row):
            self._refused[shape.table] += 1
            return
        sql, values = shape.statement(row)
        try:
            self._connection.execute(sql, values)
        except apsw.ConstraintError:
            self._refused[shape.table] += 1
        else:
            self._rows[shape.table] += 1

    def _leave_out_orphans(self) -> None:
        """Remove rows whose parent is lost; they could not be used."""
        while found := list(self._connection.execute("PRAGMA foreign_key_check")):
            for table in sorted({str(table) for table, *_ in found}):
                for parent, column, key in self._parents(table):
                    self._connection.execute(
                        f'DELETE FROM "{table}" WHERE "{column}" IS NOT NULL '
                        f'AND "{column}" NOT IN (SELECT "{key}" FROM "{parent}")'
                    )
                    gone = self._connection.changes()
                    self._rows[table] -= gone
                    self._refused[table] += gone

    def _parents(self, table: str) -> list[tuple[str, str, str]]:
        """Return (parent, column, key) of every foreign key of a table."""
        sql = 'SELECT "table", "from", "to" FROM pragma_foreign_key_list(?)'
        return [(str(a), str(b), str(c)) for a, b, c in self._connection.execute(sql, (table,))]
