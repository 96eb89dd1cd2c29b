"""A store in memory, on which a stage over plain files does what it does over any store."""

from pathlib import Path

from mindpipe.store import schema
from mindpipe.store.sqlite import SqliteStore, connect

MEMORY = Path(":memory:")


def scratch_store() -> SqliteStore:
    """Return an empty store that ends with the process."""
    connection = connect(MEMORY, create=True)
    schema.create(connection, MEMORY)
    return SqliteStore(connection, MEMORY)
