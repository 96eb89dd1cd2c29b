"""A build that keeps one reader open as long as it lives."""

from pathlib import Path

from mindpipe.store import access
from mindpipe.store.sqlite import SqliteStore, connect

_open = access.open_store
_readers = []


def _with_reader(path: Path, *, read_only: bool = False, moving: bool = False) -> SqliteStore:
    store = _open(path, read_only=read_only, moving=moving)
    reader = connect(path, read_only=True)
    reader.execute("BEGIN; SELECT count(*) FROM store").fetchall()
    _readers.append(reader)
    return store


PATCHES = ((access, "open_store", _with_reader),)
