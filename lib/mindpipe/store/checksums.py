"""Page checksums: SQLite's checksum VFS, which keeps one at the end of every page of a store.

Such a store says so twice in its first page, so that no single flipped bit can switch them off.
"""

from pathlib import Path

import apsw

from mindpipe.core.errors import DamagedError, UnavailableError

_VFS = "cksmvfs"
_RESERVED, _RESERVED_AT = 8, 20
_MARK, _MARK_AT = 0x6D696E64, 68
_HEADER_BYTES = 100


def have_checksums(store: Path) -> bool:
    """Tell whether the pages of a store have checksums; a file that is not there has none.

    Raises:
        DamagedError: its first page says both.
    """
    header = _header_of(store)
    if len(header) < _HEADER_BYTES:
        return False
    reserved = header[_RESERVED_AT] == _RESERVED
    marked = int.from_bytes(header[_MARK_AT : _MARK_AT + 4], "big") == _MARK
    if reserved != marked:
        words = f"{store.name} fails its check (page 1: checksums on and off)"
        raise DamagedError(f"{words}. Run mind store recover.", store=store)
    return reserved


def _header_of(store: Path) -> bytes:
    """Return the first octets of a file, empty where there is none.

    SQLite itself reads them: closing a file that was opened in any other way would drop the locks
    that this process holds on it through other connections.
    """
    flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
    try:
        file = apsw.VFSFile("", str(store), [flags, 0])
    except apsw.Error:
        return b""
    try:
        return file.xRead(_HEADER_BYTES, 0)
    except apsw.Error:
        return b""
    finally:
        file.xClose()


def checksum_vfs() -> str:
    """Return the name of the checksum VFS, loaded into this program.

    Raises:
        UnavailableError: this build of apsw has none.
    """
    if _VFS not in apsw.vfs_names():
        from apsw import sqlite_extra

        carrier = apsw.Connection(":memory:")
        try:
            sqlite_extra.load(carrier, "cksumvfs")
        except (LookupError, apsw.Error, sqlite_extra.NotAvailable):
            raise UnavailableError(
                "this build of apsw has no checksum VFS; install the wheel from PyPI, or make the "
                "store without --page-checksums."
            ) from None
        finally:
            carrier.close()
    return _VFS


def begin_checksums(connection: apsw.Connection) -> None:
    """Make every page of a new, empty file keep its checksum."""
    connection.reserve_bytes(reserve=_RESERVED)
    connection.pragma("application_id", _MARK)


def mark_header(header: bytearray) -> None:
    """Write into the first octets of a file that its pages have checksums."""
    header[_RESERVED_AT] = _RESERVED
    header[_MARK_AT : _MARK_AT + 4] = _MARK.to_bytes(4, "big")
