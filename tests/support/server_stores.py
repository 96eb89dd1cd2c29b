"""Stores on a server for tests that are run on both engines: MINDPIPE_TEST_SERVER says which.

Each store is a database of its own, copied from one that has the schema already.
"""

import itertools
import os
import time

import psycopg

from mindpipe.store.address import address_of
from mindpipe.store.postgres.schema import make_store
from mindpipe.store.postgres.store import PostgresStore
from support.fakes import FixedClock

SERVER = "MINDPIPE_TEST_SERVER"
"""The variable that holds the address of a server, where tests are to run on one."""
_MADE: dict[str, str] = {}
_KEPT = 8
"""So many databases stay, each of twelve megabytes: those of the tests before are gone."""
_NUMBERS = itertools.count()


def server_store(name: str) -> PostgresStore:
    """Return the store that a name stands for in this process, made anew the first time."""
    server = os.environ[SERVER]
    if name not in _MADE:
        template = f"empty_{os.getpid()}"
        with psycopg.connect(server, autocommit=True) as connection:
            if not _MADE:
                connection.execute(f"CREATE DATABASE {template}".encode())
                _make_empty(server, template)
            _MADE[name] = f"test_{os.getpid()}_{next(_NUMBERS)}"
            for old in list(_MADE)[:-_KEPT]:
                connection.execute(f"DROP DATABASE {_MADE.pop(old)} WITH (FORCE)".encode())
            copied = f"CREATE DATABASE {_MADE[name]} TEMPLATE {template} STRATEGY file_copy"
            connection.execute(copied.encode())
            _identify(_in(server, _MADE[name]), _MADE[name])
    return PostgresStore(address_of(_in(server, _MADE[name])))


def _identify(url: str, identity: str) -> None:
    """Give a copy an id of its own, by which a search in it finds its own words."""
    with psycopg.connect(url, autocommit=True) as connection:
        named = "INSERT INTO mindpipe.store(id, created) VALUES(%s, '')"
        connection.execute(named, [f"{identity}_{time.time_ns()}"])


def _in(server: str, database: str) -> str:
    return server.replace("/postgres?", f"/{database}?")


def _make_empty(server: str, template: str) -> None:
    """Make the database that all are copied from: a store without an id, as files are in tests."""
    from mindpipe.io.chance import make_chance

    store = make_store(address_of(_in(server, template)), FixedClock(), make_chance(1))
    with store.write() as rows:
        rows.run("DELETE FROM store")
    store.close()
