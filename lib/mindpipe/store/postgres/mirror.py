"""A private file in which the words of a store on a server are searched.

Full-text search and vectors are SQLite's: what can be found is copied into a file of this user's
own, the tables whole and as they are there, and the index is made there. The file follows the
server by the log of changes, so that a search costs what is new. What is not committed is not
there. The file can be deleted at any time; one that is damaged or was made by another version is
made anew, as is one whose server went back, to a backup or to what a replica had received: it knows
that by the timeline, and by the transaction that wrote the last change of which it knows. Where no
file can be written the copy is in memory, and ends with the process.
"""

import contextlib
import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import apsw

from mindpipe.core.errors import (
    DamagedError,
    InputOutputError,
    RefusedError,
    StoreBusyError,
    UnavailableError,
)
from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import to_json
from mindpipe.io.files import alone_in, make_folder
from mindpipe.io.user_files import cache_folder
from mindpipe.recall.tables import index
from mindpipe.store import schema
from mindpipe.store.changes import MADE_ANEW, UNDO, Key, RowsUndone, columns_of, listed
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.scratch import MEMORY
from mindpipe.store.sqlite import SqliteStore, connect, sqlite_errors

TABLES = (
    *("agent", "message", "memory_item", "reflection", "lesson", "memory_entity", "relation"),
    *("observation", "observation_standing", "observation_evidence", "item_mark", "entity"),
    "consolidation_voice",
)
"""What is found, what tells how it stands, and who can have a name by which somebody asks."""
_LOGGED = frozenset(TABLES)
_ID = re.compile(r"\w{1,64}", re.ASCII)
_ONE_BY_ONE = 500
"""So many rows of a table are asked for by their keys; of more, the table is copied anew."""
_AT_ONCE = 1000
_MARKS = """
CREATE TABLE IF NOT EXISTS mirror_position(
    server TEXT PRIMARY KEY, change INTEGER NOT NULL, message INTEGER NOT NULL,
    writer TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
# A replica has the timeline of the server that it follows.
_TIMELINE = (
    "CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint()) "
    "ELSE CAST('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS bit(32))::int END"
)
_WRITER = "SELECT CAST(xmin AS text) FROM change WHERE number = :change"
_POSITION = (
    f"SELECT (SELECT id || ' ' || generation || ' ' || {_TIMELINE} FROM store) AS server, "
    "last.number AS change, (SELECT coalesce(max(number), 0) FROM message) AS message, "
    "coalesce((SELECT CAST(xmin AS text) FROM change WHERE number = last.number), '') AS writer "
    "FROM (SELECT coalesce(max(number), 0) AS number FROM change) AS last"
)
# A secret that was taken out of rows, without a change of them, is not to stay in their copies.
_ANEW = "SELECT 1 FROM change WHERE number > :change AND undo = :anew LIMIT 1"
_NOTE = to_json({MADE_ANEW: RowsUndone()}).decode()
_LAST_MESSAGE = "SELECT max(seq) FROM message WHERE agent = :agent"
_NONE = 2**63 - 1
# What an agent says comes with changes of it; where there is none, each may have said something.
_UNLOGGED = "SELECT name FROM agent WHERE NOT EXISTS(SELECT 1 FROM change WHERE number > :change)"
_CHANGES = "SELECT agent, undo FROM change WHERE number > :change ORDER BY number"


def mirror_file(identity: str) -> Path:
    """Return where the mirror of a store is: in the user's folder for what can be made anew.

    The server says the id; one that is none must not lead out of that folder, to another's file.
    """
    name = identity
    if not _ID.fullmatch(identity):
        name = hashlib.sha256(identity.encode(errors="backslashreplace")).hexdigest()
    return cache_folder(os.environ) / f"{name}.db"


class _Position(NamedTuple):
    """Which state of which server is mirrored; the last change was written by a transaction."""

    server: str
    change: int
    message: int
    writer: str


class MirrorStore(SqliteStore):
    """The open file of a mirror; one that turns out to be damaged is taken away."""

    def raise_ours(self, error: BaseException) -> None:
        """Raise our error for one of SQLite's; return where it is none."""
        try:
            super().raise_ours(error)
        except DamagedError as damaged:
            with alone_in(self.path.parent):
                _remove(self.path)
            raise StoreBusyError(
                f"{damaged.store.name}, in which is searched, was damaged; it is made anew. "
                "Try again."
            ) from None


class Mirror:
    """The mirror of one store, for one thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._store: SqliteStore | None = None
        self._file: os.stat_result | None = None
        self.change = 0
        """Up to which change of the server's log it follows."""

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def follow(self, server: Rows, newest: Callable[[], int]) -> SqliteStore:
        """Bring the file to the state of an open transaction of the server, and return it.

        What another process has brought further than that stays: `newest` returns the last change
        that the server has now.

        Raises:
            StoreBusyError: somebody else wrote to the file all the time.
        """
        try:
            return self._followed(server, newest, self._current() or self._opened())
        except (InputOutputError, UnavailableError, RefusedError, OSError):
            self.close()
            return self._followed(server, newest, self._in_memory())

    def _current(self) -> SqliteStore | None:
        """Return the open mirror, unless its file was taken away."""
        if self._store is not None and self._store.path != MEMORY and not self._is_in_place():
            self.close()
        return self._store

    def _is_in_place(self) -> bool:
        """Tell whether the file that is open is the one that others find."""
        with contextlib.suppress(FileNotFoundError):
            return self._file is not None and os.path.samestat(self._file, self._path.stat())
        return False

    def _followed(self, server: Rows, newest: Callable[[], int], store: SqliteStore) -> SqliteStore:
        """Bring an open mirror to the state of the server."""
        at = _Position(*next(server.each(tuple, _POSITION)))
        known = self._known(store)
        self.change = at.change
        if known == at:
            return store
        if known is not None and self._is_made_anew(server, since=known.change):
            store = self._made_anew()
        with store.unguarded(), store.restoring() as rows:
            known = self._known(store)
            is_ahead = known is not None and known.server == at.server and known.change > at.change
            if known is not None and is_ahead and known.change <= newest():
                self.change = known.change
                return store
            if known is None or is_ahead or self._has_gone_back(server, known, at):
                self._copy(server, rows, TABLES)
            elif known != at:
                self._take(server, rows, change=known.change)
            rows.run("DELETE FROM mirror_position")
            rows.run_many("INSERT INTO mirror_position VALUES(?, ?, ?, ?)", [at])
        return store

    def _has_gone_back(self, server: Rows, known: _Position, at: _Position) -> bool:
        """Tell whether what was known of a server is not what led to its state now."""
        writer = server.value(str, _WRITER, {"change": known.change}) or ""
        return (known.server, known.writer) != (at.server, writer)

    def _opened(self) -> SqliteStore:
        """Return the open file, made anew where it is another version's or damaged."""
        self._path.parent.parent.mkdir(parents=True, exist_ok=True)
        make_folder(self._path.parent)
        with alone_in(self._path.parent):
            try:
                self._store = _store_in(self._path)
            except DamagedError:
                self._store = None
            if self._store is None:
                _remove(self._path)
                self._store = _store_in(self._path)
            self._file = self._path.stat()
        if self._store is None:
            raise UnavailableError(f"{self._path} was changed by another version meanwhile.")
        return self._store

    def _in_memory(self) -> SqliteStore:
        """Return an empty mirror that ends with the process."""
        self._store = _store_in(MEMORY)
        assert self._store is not None
        return self._store

    def _made_anew(self) -> SqliteStore:
        """Return an empty mirror in the place of this one, or what others have made there."""
        store = self._store
        self.close()
        if store is not None and store.path == MEMORY:
            return self._in_memory()
        with alone_in(self._path.parent):
            # Those who read the old file go on with it; a newer one is not to be ended for them.
            if self._is_in_place():
                _remove(self._path)
        return self._opened()

    def _is_made_anew(self, server: Rows, *, since: int) -> bool:
        """Tell whether the index of the server was made anew after a change."""
        found = server.value(int, _ANEW, {"change": since, "anew": _NOTE})
        return found is not None

    def _known(self, store: SqliteStore) -> _Position | None:
        """Return which state of which server is mirrored."""
        with store.read() as rows:
            found = next(rows.each(tuple, "SELECT * FROM mirror_position"), None)
        return None if found is None else _Position(*found)

    def _take(self, server: Rows, rows: Rows, *, change: int) -> None:
        """Copy the rows that changed since."""
        touched: dict[str, set[Key]] = defaultdict(set)
        first: dict[str, int] = {}
        agents = set(server.all(str, _UNLOGGED, {"change": change}))
        for agent, undo in server.each(tuple, _CHANGES, {"change": change}):
            agents.add(agent)
            for table, undone in UNDO.decode(undo).items():
                if table in _LOGGED:
                    touched[table].update(tuple(key) for key in undone.touched())
                    numbers = [key[0] for key in undone.made if isinstance(key[0], int)]
                    first[table] = min([*numbers, first.get(table, _NONE)])
        whole = [table for table, keys in touched.items() if len(keys) > _ONE_BY_ONE]
        self._copy(server, rows, whole)
        one_by_one = {table: touched[table] for table in touched.keys() - set(whole)}
        # What only one row may have goes from one to another: none may be there in between.
        for table, keys in one_by_one.items():
            self._take_away(server, rows, table, keys)
        for table, keys in one_by_one.items():
            self._put_back(server, rows, table, keys)
        if "message" not in whole:
            first["message"] = min((self._hear(server, rows, one) for one in agents), default=_NONE)
        for table, number in first.items():
            if number < _NONE:
                index.note_late(rows, table, number)

    def _hear(self, server: Rows, rows: Rows, agent: str) -> int:
        """Copy the messages that an agent's log has got since; return the least number of them.

        Those of one agent come in their order, and among all agents one may come behind a greater
        number: each is asked for what is behind its own last one.
        """
        last = rows.value(int, _LAST_MESSAGE, {"agent": agent}) or 0
        names = columns_of(server, "message").all
        new = f"SELECT {listed(names)} FROM message WHERE agent = :agent AND seq > :last"
        found = list(server.each(tuple, f"{new} ORDER BY seq", {"agent": agent, "last": last}))
        self._put(rows, "message", names, iter(found))
        place = names.index("number")
        return min((row[place] for row in found), default=_NONE)

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


def _store_in(path: Path) -> SqliteStore | None:
    """Return an open mirror, or None where another version made it.

    Raises:
        DamagedError: it is damaged.
        StoreBusyError: somebody else wrote to it all the time.
    """
    connection = connect(path, create=True)
    with sqlite_errors(path):
        if not schema.version_of(connection):
            schema.create(connection, path)
        if schema.version_of(connection) != len(SCHEMA):
            connection.close()
            return None
        connection.execute("PRAGMA synchronous=OFF").fetchall()
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 0)
        connection.execute(_MARKS).fetchall()
    return MirrorStore(connection, path)


def _remove(path: Path) -> None:
    """Take the files of a mirror away."""
    for name in (path, f"{path}-wal", f"{path}-shm"):
        Path(name).unlink(missing_ok=True)
