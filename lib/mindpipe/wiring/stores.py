"""Open and make stores."""

from pathlib import Path

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Chance, Clock
from mindpipe.store import place, reserve, schema
from mindpipe.store.connection import connect
from mindpipe.store.copying import new_file
from mindpipe.store.sqlite import SqliteStore
from mindpipe.wiring.schema import SCHEMA, migrations


def open_store(path: Path, *, read_only: bool = False) -> SqliteStore:
    """Open an existing store whose schema is ours.

    Raises:
        UnavailableError: no store, a newer schema, or an older one that wants `mind store migrate`.
        RefusedError: it lies where others could read or replace it.
    """
    place.check_file(path)
    place.check_folder(path.absolute())
    connection = connect(path, read_only=read_only)
    store = SqliteStore(connection, path)
    version = schema.require_store(connection, path)
    if version > len(SCHEMA):
        raise schema.newer_schema(path_version=version, ours=len(SCHEMA))
    if version < len(SCHEMA):
        raise UnavailableError(
            f"{path} has schema {version}, this program wants {len(SCHEMA)}. "
            "Run mind store migrate."
        )
    if not read_only:
        reserve.keep(path)
    return store


def make_store(path: Path, clock: Clock, chance: Chance) -> SqliteStore:
    """Make a new store; raises RefusedError if something is there already."""
    place.check_folder(path.absolute())
    with new_file(path) as unfinished:
        connection = connect(unfinished, create=True)
        schema.apply(connection, unfinished, migrations())
        with SqliteStore(connection, unfinished).write() as rows:
            identity = chance.new_id("s", path.name)
            schema.give_identity(rows, identity=identity, created=clock.now())
        connection.close()
    return open_store(path)
