"""Read a store where nothing can be written: on read-only media, which do not change."""

import functools
import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote

import apsw


def is_read_only(store: Path) -> bool:
    """Tell whether a store lies on media that cannot be written; False where it does not exist."""
    try:
        return bool(os.statvfs(store).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def frozen_uri(store: Path) -> str:
    """Return what SQLite opens without a lock and without a file beside the store.

    What is only in its log is read from a private copy, which lasts as long as this process.
    """
    log = store.with_name(f"{store.name}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    read = Path(_copied(store.absolute()).name) / store.name if has_log else store.absolute()
    return f"file:{quote(str(read))}?immutable=1"


@functools.cache
def _copied(store: Path) -> "tempfile.TemporaryDirectory[str]":
    """Return a folder with a copy of a store in which its log has been taken up."""
    folder: tempfile.TemporaryDirectory[str] = tempfile.TemporaryDirectory(prefix="mindpipe.")
    copy = Path(folder.name) / store.name
    for ending in ("", "-wal"):
        shutil.copyfile(f"{store}{ending}", f"{copy}{ending}")
    connection = apsw.Connection(str(copy))
    connection.pragma("journal_mode", "delete")
    connection.close()
    return folder
