"""What the rows of each table and index look like on a page, so that a lone page finds its home."""

from collections.abc import Iterator
from dataclasses import dataclass

import apsw

from mindpipe.core.records import Record
from mindpipe.store.records import Plain
from mindpipe.store.salvage.pages import PageRow
from mindpipe.store.sqlite import SqliteRows

# A REAL without a fraction is kept as an integer.
_KINDS = {int: ("INTEGER", "REAL"), float: ("REAL",), str: ("TEXT",), bytes: ("BLOB",)}
# Made anew by the new store itself: its migrations, and what the index of words keeps.
_OWN = "name NOT IN ('migration', 'sqlite_schema', 'sqlite_sequence') AND type='table'"
_TABLES = (
    "SELECT name FROM pragma_table_list "
    f"WHERE schema='main' AND {_OWN} AND wr=:without_rowid ORDER BY name"
)
_COLUMNS = 'SELECT name, type, "notnull" AS needed, pk AS key FROM pragma_table_info(:table)'
_INDEXES = "SELECT name FROM pragma_index_list(:table)"
_PARTS = "SELECT name FROM pragma_index_xinfo(:index)"


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The columns of a row in the order of the page: (name, type, may be NULL) each.

    `rowid` tells a table with rowids, `alias` names the column that is one; an index is no
    place to `insert` into, but pages of it look like those of tables.
    """

    table: str
    columns: tuple[tuple[str, str, bool], ...]
    rowid: bool
    alias: str | None
    insert: bool

    def fits(self, row: PageRow) -> bool:
        """Tell whether this may be a row of the table, or of an older schema of it."""
        if len(row.values) > len(self.columns) or not row.values:
            return False
        if not self.insert and len(row.values) != len(self.columns):
            return False
        return all(map(self._fits, self.columns, row.values))

    def _fits(self, column: tuple[str, str, bool], value: Plain) -> bool:
        name, kind, nullable = column
        if name == self.alias:
            return value is None
        return nullable if value is None else kind in _KINDS[type(value)]

    def statement(self, row: PageRow) -> tuple[str, tuple[Plain, ...]]:
        """Return the SQL that writes a row, and its values."""
        names = [name for name, _, _ in self.columns[: len(row.values)]]
        values = [
            row.rowid if name == self.alias else value
            for name, value in zip(names, row.values, strict=True)
        ]
        quoted = ", ".join(f'"{name}"' for name in names)
        marks = ", ".join("?" * len(names))
        return f'INSERT INTO "{self.table}"({quoted}) VALUES({marks})', tuple(values)


class _Column(Record):
    """A column as SQLite describes it; `key` is its place in the primary key, 0 for none."""

    name: str
    type: str
    needed: int
    key: int


class _Part(Record):
    """A column of an index; None is the rowid."""

    name: str | None


def shapes_of(connection: apsw.Connection) -> list[Shape]:
    """Return the shapes of all tables and indexes of a store."""
    rows = SqliteRows(connection)
    return [
        shape
        for without_rowid in (False, True)
        for table in rows.all(str, _TABLES, {"without_rowid": without_rowid})
        for shape in _shapes_at(rows, table, without_rowid=without_rowid)
    ]


def _shapes_at(rows: SqliteRows, table: str, *, without_rowid: bool) -> list[Shape]:
    """Return the shape of a table, then those of its indexes."""
    columns = rows.all(_Column, _COLUMNS, {"table": table})
    kinds = {one.name: (one.name, one.type, not (one.needed or one.key)) for one in columns}
    keys = [one.name for one in sorted(columns, key=lambda one: one.key) if one.key]
    alias = None
    if not without_rowid and len(keys) == 1 and kinds[keys[0]][1] == "INTEGER":
        alias = keys[0]
    order = [*keys, *(name for name in kinds if name not in keys)] if without_rowid else kinds
    made = Shape(
        table=table,
        columns=tuple(kinds[name] for name in order),
        rowid=not without_rowid,
        alias=alias,
        insert=True,
    )
    return [made, *_indexes(rows, table, kinds)]


def _indexes(
    rows: SqliteRows, table: str, kinds: dict[str, tuple[str, str, bool]]
) -> Iterator[Shape]:
    """Yield the shapes of a table's indexes, without the one that is the table itself."""
    for name in rows.all(str, _INDEXES, {"table": table}):
        parts = rows.all(_Part, _PARTS, {"index": name})
        columns = tuple(
            ("", "INTEGER", False) if part.name is None else kinds[part.name] for part in parts
        )
        if len(columns) != len(kinds):
            yield Shape(table=name, columns=columns, rowid=False, alias=None, insert=False)
