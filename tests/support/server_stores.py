"""Stores on a server for tests that are run on both engines: MINDPIPE_TEST_SERVER says which.

Each store is a database of its own, copied from one that has the schema already. All are gone when
the process ends.
"""

import atexit
import itertools
import os
import time

import psycopg

from mindpipe.io.chance import make_chance
from mindpipe.store.address import address_of
from mindpipe.store.postgres.schema import make_store
from mindpipe.store.postgres.store import PostgresStore
from support.fakes import FixedClock

SERVER = "MINDPIPE_TEST_SERVER"
"""The variable that holds the address of a server, where tests are to run on one."""
_KEPT = 8
"""So many databases stay, each of twelve megabytes: those of the tests before are gone."""


class _Databases:
    """The databases of this process, on one server."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._mark = f"{os.getpid()}_{time.time_ns()}"
        self._numbers = itertools.count()
        self._made: dict[str, str] = {}
        self._empty = f"empty_{self._mark}"
        self._run(f"CREATE DATABASE {self._empty}")
        store = make_store(address_of(self.url(self._empty)), FixedClock(), make_chance(1))
        with store.write() as rows:
            rows.run("DELETE FROM store")
        store.close()
        atexit.register(self._drop, 0, self._empty)

    def named(self, name: str) -> str:
        """Return the database that a name stands for, made the first time."""
        if name not in self._made:
            self._drop(_KEPT)
            made = f"test_{self._mark}_{next(self._numbers)}"
            self._run(f"CREATE DATABASE {made} TEMPLATE {self._empty} STRATEGY file_copy")
            self._made[name] = made
            with psycopg.connect(self.url(made), autocommit=True) as connection:
                # A search in it finds its own words by its id.
                named = "INSERT INTO mindpipe.store(id, created) VALUES(%s, '')"
                connection.execute(named, [made])
        return self._made[name]

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return self._server.replace("/postgres?", f"/{database}?")

    def _drop(self, kept: int, *others: str) -> None:
        """Take away all but the last ones."""
        old = list(self._made)[: max(0, len(self._made) - kept)]
        for database in (*(self._made.pop(name) for name in old), *others):
            self._run(f"DROP DATABASE {database} WITH (FORCE)")

    def _run(self, command: str) -> None:
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(command.encode())


_DATABASES: list[_Databases] = []


def server_store(name: str) -> PostgresStore:
    """Return the store that a name stands for in this process, made anew the first time."""
    if not _DATABASES:
        _DATABASES.append(_Databases(os.environ[SERVER]))
    (databases,) = _DATABASES
    return PostgresStore(address_of(databases.url(databases.named(name))))
