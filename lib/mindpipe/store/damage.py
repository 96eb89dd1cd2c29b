"""What every opening of a store for writing looks at, so that no damaged file is written to."""

from pathlib import Path

import apsw

from mindpipe.core.errors import DamagedError
from mindpipe.store.connection import connect, sqlite_errors
from mindpipe.store.copying import structure_faults

# Up to here the quick check takes 3 ms; a larger store has it whenever it is recovered or checked.
QUICK_BYTES = 4 << 20


def require_sound(connection: apsw.Connection, store: Path, *, limit: int = QUICK_BYTES) -> None:
    """Refuse a file that was cut, and one of up to `limit` bytes whose structure is damaged.

    A failure counts only when a second, fresh connection finds one too.

    Raises:
        DamagedError: the store fails its check.
    """
    fault = _fault_of(connection, store, limit)
    if fault is None:
        return
    second = connect(store, read_only=True)
    try:
        fault = _fault_of(second, store, limit)
    finally:
        second.close()
    if fault is not None:
        raise DamagedError(
            f"{store.name} fails its check ({fault}). Run mind store recover.", store=store
        )


def _fault_of(connection: apsw.Connection, store: Path, limit: int) -> str | None:
    """Return the first fault of the file, or None."""
    with sqlite_errors(store):
        length = connection.pragma("page_count") * connection.pragma("page_size")
        logged = _is_logged(store)
        size = store.stat().st_size
        # SQLite takes half a last page for one that ends in zeros.
        if size < length and not logged:
            return "its end is cut off"
        # What is missing may be in the -wal: only SQLite's own check can tell.
        if limit < size >= length:
            return None
        faults = structure_faults(connection, "PRAGMA quick_check(1)")
    return faults[0] if faults else None


def _is_logged(store: Path) -> bool:
    """Tell whether anything lies in the -wal."""
    log = store.with_name(f"{store.name}-wal")
    return log.exists() and log.stat().st_size > 0
