"""`mind store backup`: a sound copy of a live store."""

from pathlib import Path

from mindpipe.store import place, recovery_log
from mindpipe.store.connection import connect
from mindpipe.store.copying import copy_store
from mindpipe.store.records import Copied
from mindpipe.store.schema import require_store, version_of


def backup(store: Path, *, file: Path) -> Copied:
    """Copy the store, while others use it, into a new private file; never overwrites one.

    Raises:
        RefusedError: `file` is there already.
        InputOutputError: store or copy fail their check, or there is no space.
    """
    place.check_file(store)
    in_recovery = recovery_log.read(store).entered is not None
    connection = connect(store, read_only=in_recovery)
    try:
        require_store(connection, store)
        size = copy_store(connection, file, failpoint="backup.mid")
        return Copied(file=str(file), bytes=size, schema=version_of(connection))
    finally:
        connection.close()
