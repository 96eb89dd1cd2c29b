"""`mind store migrate` on a server: bring an older schema to this program's.

Each step is one transaction that holds the store's lock, as every one that writes does; a program
of an earlier schema that waited for it finds another version then, and is refused.
"""

import contextlib
from collections.abc import Sequence

from mindpipe.core.errors import IllegalStateError, NothingToDoError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration
from mindpipe.store.address import Address
from mindpipe.store.postgres import roles
from mindpipe.store.postgres.connection import server_errors
from mindpipe.store.postgres.schema import AS_WRITTEN, version_of
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.store.records import Migrated
from mindpipe.store.schema import checksum, newer_schema

_POSITION = "SELECT max(position) FROM migration"
_TAKEN = "SELECT checksum FROM migration WHERE name = :name"
_TAKE = "INSERT INTO migration(name, position, checksum) VALUES(:name, :position, :checksum)"


def migrate(address: Address, *, migrations: Sequence[Migration]) -> Migrated:
    """Take every step that the store lacks, one transaction each; a killed run can be repeated.

    Raises:
        NothingToDoError: the schema is this program's.
        UnavailableError: it is newer, or there is no store.
        IllegalStateError: an applied migration has another checksum than ours, or one that is
            wanted has no statements for a server.
        TemporaryError: others hold the store's lock, or the server cannot be reached.
    """
    with contextlib.closing(PostgresStore(address)) as store:
        with server_errors(address):
            version = version_of(store.connection, address)
        if version > len(migrations):
            raise newer_schema(path_version=version, ours=len(migrations))
        if version == len(migrations):
            raise NothingToDoError(f"schema {address.schema} has version {version} already.")
        applied = [
            migration.name
            for position, migration in enumerate(migrations, 1)
            if _take(store, position, migration, newest=len(migrations))
        ]
        return Migrated(applied=tuple(applied), schema=len(migrations))


def _take(store: PostgresStore, position: int, migration: Migration, *, newest: int) -> bool:
    """Apply one migration in a transaction of its own if it is missing; tell whether it was."""
    with store.restoring() as rows:
        # What is made belongs to the owner, so that the next one may change it.
        roles.take(store.connection, store.address, "owner")
        version = rows.value(int, _POSITION) or 0
        if version > newest:
            raise newer_schema(path_version=version, ours=newest)
        if version >= position:
            _require_same(rows, migration)
            return False
        if migration.postgres is None:
            raise IllegalStateError(f"migration {migration.name} says nothing of a server")
        store.connection.execute(AS_WRITTEN)
        store.connection.execute(migration.postgres.encode())
        rows.run(
            _TAKE,
            {"name": migration.name, "position": position, "checksum": checksum(migration)},
        )
        reach("migrate.mid")
    reach("migrate.after_commit")
    return True


def _require_same(rows: Rows, migration: Migration) -> None:
    if rows.value(str, _TAKEN, {"name": migration.name}) != checksum(migration):
        raise IllegalStateError(f"migration {migration.name} is not the one that was applied")
