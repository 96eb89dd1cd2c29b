"""Stores that end with what they are for: in memory, in a private file, or a private copy."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw

from mindpipe.store import schema
from mindpipe.store.address import file_of
from mindpipe.store.backup import copy_store
from mindpipe.store.engine import EngineStore
from mindpipe.store.move_mark import STAYS
from mindpipe.store.sqlite import SqliteStore, connect

MEMORY = Path(":memory:")


def scratch_store() -> SqliteStore:
    """Return an empty store that ends with the process."""
    connection = connect(MEMORY, create=True)
    schema.create(connection, MEMORY)
    return SqliteStore(connection, MEMORY)


@contextlib.contextmanager
def scratch_file() -> Iterator[SqliteStore]:
    """Give an empty store in a private file, for what may not fit in memory; it is gone then."""
    with tempfile.TemporaryDirectory(prefix="mindpipe-") as folder:
        path = Path(folder, "scratch.db")
        connection = connect(path, create=True)
        try:
            connection.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF").fetchall()
            schema.create(connection, path)
            yield SqliteStore(connection, path)
        finally:
            connection.close()


def _stays(copy: apsw.Connection) -> None:
    """Let a copy of a store that has moved be written."""
    copy.execute(STAYS)


@contextlib.contextmanager
def private_copy(store: EngineStore) -> Iterator[SqliteStore]:
    """Give a copy of a store that takes nothing, for what is written and undone; it is gone then.

    Raises:
        InputOutputError: the store is damaged, or there is no space.
        UnavailableError: it is on a server.
    """
    file = file_of(store.where)
    with tempfile.TemporaryDirectory(prefix="mindpipe-") as folder:
        path = Path(folder, file.name)
        with contextlib.closing(connect(file, read_only=True)) as connection:
            copy_store(connection, path, failpoint="backup.mid", change=_stays)
        copy = SqliteStore(connect(path), path)
        with contextlib.closing(copy):
            yield copy
