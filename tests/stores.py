"""Stores with only the tables that a test needs."""

from pathlib import Path

from mindpipe.core.migrations import Migration
from mindpipe.store import schema
from mindpipe.store.connection import connect
from mindpipe.store.sqlite import SqliteStore


def store_at(path: Path, *migrations: Migration) -> SqliteStore:
    """Make, or open, a store with these tables; the caller closes it."""
    connection = connect(path, create=True)
    schema.apply(connection, path, [*schema.MIGRATIONS, *migrations])
    return SqliteStore(connection, path)
