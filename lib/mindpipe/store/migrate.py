"""`mind store migrate`: bring an older store to this program's schema, after a backup."""

from collections.abc import Sequence
from pathlib import Path

import apsw

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.records import Migration
from mindpipe.io.files import remove_unfinished
from mindpipe.store import place
from mindpipe.store.backup import copy_store
from mindpipe.store.records import Migrated
from mindpipe.store.schema import apply, newer_schema, require_store, version_of
from mindpipe.store.sqlite import connect


def migrate(store: Path, *, migrations: Sequence[Migration]) -> Migrated:
    """Take every step that the store lacks, one transaction each; a killed run can be repeated.

    Before the first step the store is copied to `FILE.before-NAME`, NAME being that step; a copy
    that an earlier run left there is kept.

    Raises:
        NothingToDoError: the schema is this program's.
        UnavailableError: it is newer.
    """
    place.check_file(store)
    place.check_folder(store.absolute())
    connection = connect(store)
    try:
        version = require_store(connection, store)
        if version > len(migrations):
            raise newer_schema(path_version=version, ours=len(migrations))
        if version == len(migrations):
            raise NothingToDoError(f"{store.name} has schema {version} already.")
        kept = _keep_copy(connection, store, migrations[version])
        applied = apply(connection, store, migrations)
        return Migrated(applied=tuple(applied), schema=version_of(connection), backup=str(kept))
    finally:
        connection.close()


def _keep_copy(connection: apsw.Connection, store: Path, first: Migration) -> Path:
    """Copy the store as it is before its first missing step, unless that was done; say where."""
    kept = store.with_name(f"{store.name}.before-{first.name}")
    if kept.exists():
        remove_unfinished(kept)
    else:
        copy_store(connection, kept, failpoint="backup.mid")
    return kept
