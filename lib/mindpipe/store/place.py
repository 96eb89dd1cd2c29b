"""Where a store may lie: no symlinks, others' files, open modes or network file systems."""

import os
import pwd
import stat
from pathlib import Path

from mindpipe.core.errors import RefusedError, UnavailableError

_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "9p", "fuse.sshfs"})
_MOUNTS = Path("/proc/self/mountinfo")


def check_folder(path: Path) -> None:
    """Refuse a folder in which somebody else could replace the store.

    Raises:
        UnavailableError: the folder is missing or on a network file system.
        RefusedError: it is writable by others than its owner and the owner's private group.
    """
    folder = path.parent
    try:
        found = folder.stat()
    except FileNotFoundError:
        raise UnavailableError(f"no folder {folder}; make it first.") from None
    mode = stat.S_IMODE(found.st_mode)
    if found.st_uid not in (os.geteuid(), 0):
        raise RefusedError(f"the folder of {path.name} belongs to somebody else; use one of yours.")
    if mode & stat.S_IWOTH or (mode & stat.S_IWGRP and not _is_private_group(found)):
        raise RefusedError(
            f"the folder of {path.name} is writable by others ({mode:04o}). Run chmod 700."
        )
    kind = file_system_of(folder)
    if kind in _NETWORK:
        raise UnavailableError(
            f"{folder} is on a network file system ({kind}), on which SQLite can lose data; "
            "use a local disk."
        )


def check_file(path: Path) -> None:
    """Refuse a store that is a symlink, belongs to somebody else or is open to others.

    Raises:
        UnavailableError: there is no store.
        RefusedError: one of the above.
    """
    try:
        found = path.lstat()
    except FileNotFoundError:
        raise UnavailableError(f"no store at {path}. Run mind init.") from None
    if stat.S_ISLNK(found.st_mode):
        raise RefusedError(f"{path.name} is a symlink; name the file that it points to.")
    if found.st_uid != os.geteuid():
        raise RefusedError(f"{path.name} belongs to somebody else; make your own with mind init.")
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077:
        raise RefusedError(f"{path.name} is open to others ({mode:04o}). Run chmod 600.")


def file_system_of(folder: Path) -> str:
    """Return the type of the file system a folder lies on, or `unknown` where /proc is absent."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "unknown"
    place = str(folder.resolve())
    best, kind = "", "unknown"
    for line in lines:
        left, _, right = line.partition(" - ")
        point = left.split(" ")[4]
        inside = place == point or place.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, right.split(" ")[0]
    return kind


def _is_private_group(found: os.stat_result) -> bool:
    """Tell whether the group is the owner's own group of the same number as in the user table."""
    try:
        return pwd.getpwuid(found.st_uid).pw_gid == found.st_gid
    except KeyError:
        return False
