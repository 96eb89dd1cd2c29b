"""A private file in which the words of a store on a server are searched.

Full-text search and vectors are SQLite's: what can be found is copied into a file of this user's
own, the tables whole and as they are there, and the index is made there. The file follows the
server by the log of changes, so that a search costs what is new. What is not committed is not
there. The file can be deleted at any time; one that is ahead of its server, which went back to a
backup, or was made by another version, is made anew.
"""

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import apsw

from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import to_json
from mindpipe.io.files import make_folder
from mindpipe.store import schema
from mindpipe.store.changes import MADE_ANEW, UNDO, Key, RowsUndone, columns_of, listed
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.sqlite import SqliteStore, connect

TABLES = (
    *("agent", "message", "memory_item", "reflection", "lesson", "memory_entity", "relation"),
    *("observation", "observation_standing", "observation_evidence", "item_mark", "entity"),
)
"""What is found, and what tells how it stands."""
_LOGGED = frozenset(TABLES)
_ONE_BY_ONE = 500
"""So many rows of a table are asked for by their keys; of more, the table is copied anew."""
_AT_ONCE = 1000
_MARKS = """
CREATE TABLE IF NOT EXISTS mirrored(
    server TEXT PRIMARY KEY, change INTEGER NOT NULL, message INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""
_POSITION = (
    "SELECT (SELECT id || ' ' || generation FROM store) AS server, "
    "(SELECT coalesce(max(number), 0) FROM change) AS change, "
    "(SELECT coalesce(max(number), 0) FROM message) AS message"
)
# A secret that was taken out of rows, without a change of them, is not to stay in their copies.
_ANEW = "SELECT 1 FROM change WHERE number > :change AND undo = :anew LIMIT 1"
_NOTE = to_json({MADE_ANEW: RowsUndone()}).decode()
_CHANGES = "SELECT undo FROM change WHERE number > :change ORDER BY number"


def mirror_file(identity: str) -> Path:
    """Return where the mirror of a store is: in the user's folder for what can be made anew."""
    given = os.environ.get("XDG_CACHE_HOME")
    base = Path(given) if given and Path(given).is_absolute() else Path.home() / ".cache"
    return base / "mindpipe" / f"{identity}.db"


class Mirror:
    """The mirror of one store, for one thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._store: SqliteStore | None = None

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def follow(self, server: Rows) -> SqliteStore:
        """Bring the file to the state of an open transaction of the server, and return it."""
        store = self._store or self._opened()
        at = next(server.each(tuple, _POSITION))
        known = self._known(store)
        if known == at:
            return store
        if known is not None and self._is_made_anew(server, since=known[1]):
            self._forget()
            store = self._opened()
        with store.unguarded(), store.restoring() as rows:
            known = self._known(store)
            if known is None or known[0] != at[0] or known[1] > at[1]:
                self._copy(server, rows, TABLES)
            elif known != at:
                self._take(server, rows, change=known[1], message=known[2])
            rows.run("DELETE FROM mirrored")
            rows.run_many("INSERT INTO mirrored VALUES(?, ?, ?)", [at])
        return store

    def _opened(self) -> SqliteStore:
        """Return the open file, made anew where it is another version's or cannot be read."""
        self._path.parent.parent.mkdir(parents=True, exist_ok=True)
        make_folder(self._path.parent)
        for _ in range(2):
            with contextlib.suppress(Exception):
                connection = connect(self._path, create=True)
                if not schema.version_of(connection):
                    schema.create(connection, self._path)
                if schema.version_of(connection) == len(SCHEMA):
                    connection.execute("PRAGMA synchronous=OFF").fetchall()
                    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 0)
                    connection.execute(_MARKS).fetchall()
                    self._store = SqliteStore(connection, self._path)
                    return self._store
                connection.close()
            self._forget()
        raise AssertionError(self._path)

    def _is_made_anew(self, server: Rows, *, since: int) -> bool:
        """Tell whether the index of the server was made anew after a change."""
        found = server.value(int, _ANEW, {"change": since, "anew": _NOTE})
        return found is not None

    def _forget(self) -> None:
        """Take the file away."""
        self.close()
        for name in (self._path, f"{self._path}-wal", f"{self._path}-shm"):
            Path(name).unlink(missing_ok=True)

    def _known(self, store: SqliteStore) -> tuple[str, int, int] | None:
        """Return which state of which server is mirrored."""
        with store.read() as rows:
            return next(rows.each(tuple, "SELECT server, change, message FROM mirrored"), None)

    def _take(self, server: Rows, rows: Rows, *, change: int, message: int) -> None:
        """Copy the rows that changed since."""
        touched: dict[str, set[Key]] = defaultdict(set)
        for undo in server.each(str, _CHANGES, {"change": change}):
            for table, undone in UNDO.decode(undo).items():
                if table in _LOGGED:
                    touched[table].update(tuple(key) for key in undone.touched())
        whole = [table for table, keys in touched.items() if len(keys) > _ONE_BY_ONE]
        self._copy(server, rows, whole)
        one_by_one = {table: touched[table] for table in touched.keys() - set(whole)}
        # What only one row may have goes from one to another: none may be there in between.
        for table, keys in one_by_one.items():
            self._take_away(server, rows, table, keys)
        if "message" not in whole:
            names = columns_of(server, "message").all
            new = f"SELECT {listed(names)} FROM message WHERE number > :number ORDER BY number"
            self._put(rows, "message", names, server.each(tuple, new, {"number": message}))
        for table, keys in one_by_one.items():
            old = {key for key in keys if table != "message" or int(str(key[0])) <= message}
            self._put_back(server, rows, table, old)

    def _copy(self, server: Rows, rows: Rows, tables: Iterable[str]) -> None:
        """Copy tables whole."""
        for table in tables:
            names = columns_of(server, table).all
            rows.run(f'DELETE FROM "{table}"')
            self._put(
                rows, table, names, server.each(tuple, f'SELECT {listed(names)} FROM "{table}"')
            )

    def _take_away(self, server: Rows, rows: Rows, table: str, keys: Iterable[Key]) -> None:
        """Take the rows of some keys away."""
        where = " AND ".join(f'"{name}" = ?' for name in columns_of(server, table).key)
        rows.run_many(f'DELETE FROM "{table}" WHERE {where}', keys)

    def _put_back(self, server: Rows, rows: Rows, table: str, keys: Iterable[Key]) -> None:
        """Put the rows of some keys as they are now, where they are still there."""
        columns = columns_of(server, table)
        held = " AND ".join(f'"{name}" = :{name}' for name in columns.key)
        asked = f'SELECT {listed(columns.all)} FROM "{table}" WHERE {held}'
        for key in keys:
            named = dict(zip(columns.key, key, strict=True))
            self._put(rows, table, columns.all, server.each(tuple, asked, named))

    def _put(
        self, rows: Rows, table: str, names: Sequence[str], found: Iterator[tuple[Cell, ...]]
    ) -> None:
        marks = ", ".join("?" * len(names))
        rows.run_many(f'INSERT INTO "{table}"({listed(names)}) VALUES({marks})', found)
