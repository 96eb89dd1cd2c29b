"""Tables whose rows are only ever added keep them, whoever opens the store."""

import contextlib
import sqlite3

import pytest

from support.command import Mind

WORDS = {"role": "user", "action": "apply"}
OF_HISTORY = ("message", "segment", "call_id", "import", "blob", "compaction")


def stock(mind: Mind) -> sqlite3.Connection:
    """Open a store as another program does, for whose REPLACE no trigger of a deletion fires."""
    return sqlite3.connect(mind.folder / "mind.db")


def test_every_guard_against_change_is_one_against_replacing_too(mind_with_store: Mind) -> None:
    with contextlib.closing(stock(mind_with_store)) as store:
        named = "SELECT tbl_name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%\\_{}' "
        tables = [
            {name for (name,) in store.execute(named.format(what) + "ESCAPE '\\'")}
            for what in ("UPDATE", "REPLACE")
        ]
    assert tables[0] == tables[1]
    assert tables[0] > set(OF_HISTORY)


@pytest.mark.parametrize("table", OF_HISTORY)
def test_no_row_of_the_history_is_replaced(mind_with_store: Mind, table: str) -> None:
    with contextlib.closing(stock(mind_with_store)) as store:
        columns = store.execute(f"SELECT name, type, pk FROM pragma_table_info('{table}')")
        first = {
            name: 1 if kind == "INTEGER" else WORDS.get(name, "one") for name, kind, _ in columns
        }
        names, marks = ", ".join(first), ", ".join("?" * len(first))
        if table == "blob":
            first["octets"] = b"one"
        store.execute(f"INSERT INTO {table} VALUES({marks})", list(first.values()))
        before = store.execute(f"SELECT * FROM {table}").fetchall()
        free = [name for name in first if name not in WORDS]
        # Of each key one part is kept after the other: whatever is shared, the row stays.
        for same in free:
            other = {
                name: value if name in (same, "agent") or name in WORDS else _another(value)
                for name, value in first.items()
            }
            with contextlib.suppress(sqlite3.IntegrityError):
                store.execute(f"REPLACE INTO {table}({names}) VALUES({marks})", [*other.values()])
        with contextlib.suppress(sqlite3.IntegrityError):
            store.execute(f"REPLACE INTO {table} SELECT * FROM {table}")
        with contextlib.suppress(sqlite3.OperationalError, sqlite3.IntegrityError):
            store.execute(
                f"REPLACE INTO {table}(rowid, {names}) VALUES(1, {marks})", [*other.values()]
            )
        assert set(before) <= set(store.execute(f"SELECT * FROM {table}"))


def _another(value: object) -> object:
    """Return a value of the same type."""
    return {1: 2, "one": "two", b"one": b"two"}[value]
