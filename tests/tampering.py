"""Change what is past in a store, as somebody could who has the file."""

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import apsw

from mindpipe.store.sqlite import SqliteStore


@contextlib.contextmanager
def edited(store: Path, *statements: str) -> Iterator[SqliteStore]:
    """Give the store as it is after somebody's edits, which are undone at the end."""
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


def edits(store: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (kind, SQL): every column edited, row deleted, neighbours swapped, octets changed.

    What an undo measured is left out: nothing depends on it, and it cannot be measured again.
    """
    with contextlib.closing(apsw.Connection(str(store))) as connection:
        undos = connection.execute("SELECT number FROM compaction WHERE action='undo'").fetchall()
        for table, key in (("message", "number"), ("segment", "segment"), ("compaction", "number")):
            keys = [one for (one,) in connection.execute(f"SELECT {key} FROM {table}").fetchall()]
            columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
            for one in keys:
                row = f"WHERE {key}={one}"
                for _, column, kind, *_ in columns:
                    if table == "compaction" and (one,) in undos and column.startswith("tokens_"):
                        continue
                    changed = _changed(column, kind)
                    yield "edits", (f"UPDATE {table} SET {column}={changed} {row}",)
                yield "deletions", (f"DELETE FROM {table} {row}",)
        numbers = [one for (one,) in connection.execute("SELECT number FROM message").fetchall()]
        for one, two in itertools.pairwise(numbers):
            yield "swaps", _swap(one, two)
        pointed = connection.execute(
            "SELECT sha256 FROM blob WHERE sha256 IN (SELECT head_sha256 FROM segment "
            "UNION SELECT value FROM message, json_each(raw, '$.sha256') "
            "UNION SELECT window FROM compaction)"
        ).fetchall()
        for (sha256,) in pointed:
            yield "octets", (f"UPDATE blob SET octets = zeroblob(3) WHERE sha256='{sha256}'",)


def _changed(column: str, kind: str) -> str:
    """Return the SQL of another value for a column."""
    if column == "role":
        return "iif(role='user', 'note', 'user')"
    if kind == "INTEGER":
        return f"{column} + 1000"
    return f"coalesce({column}, '') || 'x'"


def _swap(one: int, two: int) -> tuple[str, ...]:
    """Return the SQL that lets two messages change places, seq and number alike."""
    move = "UPDATE message SET number={}, seq=seq+{} WHERE number={}"
    return (
        move.format(-1, 10**6 + 1, one),
        move.format(one, -1, two),
        move.format(two, -(10**6), -1),
    )
