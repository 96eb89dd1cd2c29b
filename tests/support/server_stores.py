"""Stores on a server for tests that are run on both engines: MINDPIPE_TEST_SERVER says which.

A store that a test names by its file is then a database of its own, the same one in all processes
of a run. All are gone when the process ends that made them, and the oldest before that.
"""

import atexit
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psycopg
from psycopg.rows import dict_row

from mindpipe.core.ports import Chance, Clock
from mindpipe.io.chance import make_chance
from mindpipe.store import access
from mindpipe.store.address import Where, address_of
from mindpipe.store.engine import EngineStore
from mindpipe.store.postgres.schema import make_store
from mindpipe.store.postgres.store import PostgresStore
from support.fakes import FixedClock

SERVER = "MINDPIPE_TEST_SERVER"
"""The variable that holds the address of a server, where tests are to run on one."""
RUN = "MINDPIPE_FORK_SERVER"
"""The variable that all processes of a run have alike, and no other run has."""
WHOLE = "MINDPIPE_TEST_WHOLE"
"""The variable that lets the stores of commands and of lives be there, too, not only those that a
test opens itself."""
ON_SERVER = SERVER in os.environ and WHOLE in os.environ
"""Whether all of this run's stores are on a server."""
_KEPT = 12
"""So many databases stay, each of twelve megabytes: those of the tests before are gone."""
_EMPTY = "empty"
_NAMED = (
    "INSERT INTO mindpipe.store(id, created) SELECT %s, '' WHERE NOT EXISTS(TABLE mindpipe.store)"
)
_LOOKED_INTO = "-c search_path=mindpipe,pg_catalog -c lock_timeout=30s -c extra_float_digits=1"


class _Databases:
    """The databases that this process made, on one server."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._made: list[str] = []
        self._sources: set[str] = set()
        atexit.register(self._drop)

    def of(self, path: Path, source: str | None = None) -> str:
        """Return the database that stands for a file, made like another the first time."""
        name = f"test_{_hashed(f'{_run()} {path}')}"
        if name in self._made:
            # It is used, and so the last to go.
            self._made.remove(name)
        elif not self._is_there(name):
            self._forget()
            self._make(name, source)
        self._made.append(name)
        return name

    def empty(self) -> str:
        """Return the database of a store in which nothing is, not even its id."""
        name = f"{_EMPTY}_{_hashed(f'{_run()} {os.getpid()}')}"
        if name not in self._sources:
            self._make(name, None)
            self._sources.add(name)
            store = make_store(address_of(self.url(name)), FixedClock(), make_chance(1))
            with store.write() as rows:
                rows.run("DELETE FROM store")
            store.close()
        return name

    def copy(self, source: Path, target: Path) -> None:
        """Let the database of a file be what that of another is; that one stays to the end."""
        name = self.of(source)
        self._sources.add(name)
        copied = f"test_{_hashed(f'{_run()} {target}')}"
        self._run(f"DROP DATABASE IF EXISTS {copied} WITH (FORCE)")
        if copied in self._made:
            self._made.remove(copied)
        self.of(target, name)

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return self._server.replace("/postgres?", f"/{database}?")

    def _make(self, name: str, source: str | None) -> None:
        self._run(f"CREATE DATABASE {name} TEMPLATE {source or 'template0'} STRATEGY file_copy")

    def _is_there(self, name: str) -> bool:
        return bool(self._run("SELECT FROM pg_database WHERE datname = %s", name).rowcount)

    def _forget(self) -> None:
        """Take away all but the last ones, and those that others are made like."""
        ours = [name for name in self._made if name not in self._sources]
        for name in ours[: max(0, len(ours) - _KEPT)]:
            self._made.remove(name)
            self._run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _drop(self) -> None:
        for name in {*self._made, *self._sources}:
            self._run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _run(self, command: str, *given: str) -> psycopg.Cursor[Any]:
        with psycopg.connect(self._server, autocommit=True) as connection:
            return connection.execute(command.encode(), given or None)


_DATABASES: list[_Databases] = []


def _databases() -> _Databases:
    if not _DATABASES:
        _DATABASES.append(_Databases(os.environ[SERVER]))
    return _DATABASES[0]


def _run() -> str:
    return os.environ.get(RUN, str(os.getpid()))


def _hashed(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:24]


def server_store(path: Path) -> PostgresStore:
    """Return the store that a file stands for, made anew the first time."""
    databases = _databases()
    name = databases.of(path, databases.empty())
    with psycopg.connect(databases.url(name), autocommit=True) as connection:
        # A search in it finds its own words by its id.
        connection.execute(_NAMED, [name])
    return PostgresStore(address_of(databases.url(name)))


def named_at(path: Path) -> str:
    """Return the name of the store that a file stands for: its path, or an address."""
    if not ON_SERVER:
        return str(path)
    databases = _databases()
    return databases.url(databases.of(path))


def where_at(path: Path) -> Where:
    """Return where the store is that a file stands for: there, or on the server."""
    return address_of(named_at(path)) if ON_SERVER else path


def make_at(path: Path, clock: Clock, chance: Chance) -> EngineStore:
    """Make the store that a file stands for, and open it."""
    where = where_at(path)
    if isinstance(where, Path):
        return access.make_store(where, clock, chance)
    return make_store(where, clock, chance)


def copy_at(source: Path, target: Path) -> None:
    """Let the store that a file on the server stands for be what that of another is."""
    _databases().copy(source, target)


_WORD_OF_ITS = re.compile(r"(?<![\w.\"])window(?![\w\"])")
TABLES = (
    "SELECT tablename FROM pg_tables WHERE schemaname = 'mindpipe' AND tablename != 'heard' "
    "ORDER BY tablename"
)
"""What lists the tables in which the rows of a store on a server are."""


class LookedInto:
    """A store on a server, looked into as into a file: statements are given as SQLite takes them.

    As a context it is a transaction, as such a connection is.
    """

    def __init__(self, path: Path) -> None:
        server = address_of(named_at(path)).server
        self._connection = psycopg.connect(server, autocommit=True, options=_LOOKED_INTO)
        self._transaction: Any = None

    def execute(self, sql: str, values: Sequence[Any] = ()) -> psycopg.Cursor[Any]:
        """Run a statement."""
        told = _WORD_OF_ITS.sub('"window"', sql)
        if not values:
            return self._connection.execute(told.encode())
        placed = re.sub(r"\?", "%s", told.replace("%", "%%"))
        return self._connection.execute(placed.encode(), values)

    def whole_rows(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """Yield each table with its rows, of which each has the names of its cells."""
        tables = self.execute(TABLES).fetchall()
        for (name,) in tables:
            cursor = self._connection.cursor(row_factory=dict_row)
            yield name, cursor.execute(f'SELECT * FROM "{name}"'.encode()).fetchall()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        """Begin a transaction."""
        self._transaction = self._connection.transaction()
        self._transaction.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Commit it, or roll it back."""
        self._transaction.__exit__(kind, error, trace)
