"""Open and make stores."""

from pathlib import Path

from mindpipe.core.errors import RefusedError, UnavailableError
from mindpipe.core.ports import Chance, Clock
from mindpipe.store import place, schema
from mindpipe.store.connection import connect
from mindpipe.store.sqlite import SqliteStore
from mindpipe.stream.files import sync_folder
from mindpipe.wiring.schema import SCHEMA, migrations

RESERVE_BYTES = 1 << 20


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
    version = schema.version_of(connection)
    if version > len(SCHEMA):
        raise schema.newer_schema(path_version=version, ours=len(SCHEMA))
    if version < len(SCHEMA):
        raise UnavailableError(
            f"{path} has schema {version}, this program wants {len(SCHEMA)}. "
            "Run mind store migrate."
        )
    return store


def make_store(path: Path, clock: Clock, chance: Chance) -> SqliteStore:
    """Make a new store; raises RefusedError if something is there already."""
    place.check_folder(path.absolute())
    if path.exists() or path.is_symlink():
        raise RefusedError(f"{path} is already there; name another file with --store.")
    connection = connect(path, create=True)
    schema.apply(connection, path, migrations())
    store = SqliteStore(connection, path)
    with store.write() as rows:
        rows.run(
            "INSERT INTO store(id, created) VALUES(:id, :created)",
            {"id": chance.new_id("s", str(path.name)), "created": clock.now()},
        )
    reserve = path.with_name(f"{path.name}.reserve")
    reserve.write_bytes(bytes(RESERVE_BYTES))
    sync_folder(path.absolute().parent)
    return store
