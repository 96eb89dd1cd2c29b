"""How records become rows: lists as JSON, content that is never changed or deleted."""

from typing import cast

import msgspec

from mindpipe.core.ports import Cell
from mindpipe.core.records import Record, to_json


def kept(table: str, columns: str) -> str:
    """Return the SQL by which some columns of a table never change, and no row goes away."""
    return (
        f"{never_changed(table, columns)}"
        f"CREATE TRIGGER {table}_DELETE BEFORE DELETE ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END;"
    )


def never_changed(table: str, columns: str) -> str:
    """Return the SQL by which some columns of a table never change."""
    return (
        f"CREATE TRIGGER {table}_UPDATE BEFORE UPDATE OF {columns} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'what {table} says is never changed'); END;"
    )


def listed(value: object) -> str | None:
    """Return a list or record as JSON, nothing as NULL."""
    return to_json(value).decode() if value else None


def cells_of(record: Record) -> dict[str, Cell]:
    """Return a record's fields as named parameters."""
    return cast("dict[str, Cell]", msgspec.structs.asdict(record))
