"""A build whose backups are of the store's file alone: what its log holds is not in them."""

from urllib.parse import quote

import apsw

from mindpipe.store import backup


def _copy_file(source: apsw.Connection, copy: apsw.Connection, _failpoint: str) -> None:
    """Copy the pages as they stand in the file."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    alone = apsw.Connection(f"file:{quote(source.filename)}?immutable=1", flags=flags)
    try:
        with copy.backup("main", alone, "main") as passage:
            passage.step()
    finally:
        alone.close()


PATCHES = ((backup, "copy_pages", _copy_file),)
