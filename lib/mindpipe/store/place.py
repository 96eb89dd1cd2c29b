"""Where a store lies: its folder, its file system, the room that is kept for it."""

import contextlib
import ctypes
import os
import pwd
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from mindpipe.core.errors import RefusedError, UnavailableError, UsageError
from mindpipe.core.text import without_surrogates
from mindpipe.io.files import unfinished_name
from mindpipe.store.records import StoreFinding

# Others may write there, or locks and shared memory do not hold: of networks, clusters, and folders
# of the host in a virtual machine. What a kernel keeps for itself (overlay, tmpfs, virtiofs) holds.
_NETWORK = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "davfs", "9p"),
        *("ceph", "lustre", "beegfs", "gpfs", "ocfs2", "gfs2", "orangefs", "pvfs2"),
        *("vboxsf", "prl_fs", "vmhgfs", "fuse.vmhgfs-fuse", "fuse.glusterfs", "fuse.ceph"),
        *("fuse.ceph-fuse", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse"),
        *("fuse.goofys", "fuse.davfs", "fuse.curlftpfs", "fuse.gvfsd-fuse", "fuse.juicefs"),
    }
)
_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\([0-7]{3})")

MAGIC = b"SQLite format 3\0"


def require_place(path: Path) -> None:
    """Refuse a place where no store can be: its folder is missing, or SQLite opens no such name.

    Raises:
        UnavailableError: the folder is missing.
        UsageError: the path is not UTF-8.
    """
    if not path.parent.is_dir():
        raise UnavailableError(f"no folder {path.parent}; make it first.")
    if without_surrogates(str(path))[1]:
        raise UsageError(f"the path {path} is not UTF-8, and SQLite opens no other; rename it.")


def check_folder(path: Path) -> None:
    """Refuse a folder in which somebody else could replace the store.

    Raises:
        UnavailableError: the folder is missing or on a network file system.
        UsageError: the path is not UTF-8.
        RefusedError: it is writable by others than its owner and the owner's private group.
    """
    folder = path.parent
    require_place(path)
    found = folder.stat()
    mode = stat.S_IMODE(found.st_mode)
    if found.st_uid not in (os.geteuid(), 0):
        raise RefusedError(f"the folder of {path.name} belongs to somebody else; use one of yours.")
    if mode & stat.S_ISVTX:
        # /tmp and its like: everybody needs them as they are.
        raise RefusedError(
            f"the folder of {path.name} is everybody's ({mode:04o}); use one of your own."
        )
    if mode & stat.S_IWOTH or (mode & stat.S_IWGRP and not _is_private_group(found)):
        advice = "Run chmod 700" if found.st_uid == os.geteuid() else "Use one of your own"
        raise RefusedError(
            f"the folder of {path.name} is writable by others ({mode:04o}). {advice}."
        )
    kind = file_system_of(folder)
    if kind in _NETWORK:
        raise UnavailableError(
            f"{folder} is on a network file system ({kind}), on which SQLite can lose data; "
            "use a local disk."
        )


def no_store(path: Path) -> UnavailableError:
    """Return the error for a store that is not there."""
    return UnavailableError(f"no store at {path}. Run mind init.")


def check_file(path: Path) -> None:
    """Refuse a store that is a symlink, belongs to somebody else or is open to others.

    Raises:
        UnavailableError: there is no store, but a folder or a file of another kind.
        RefusedError: one of the above.
    """
    try:
        found = path.lstat()
    except FileNotFoundError:
        raise no_store(path) from None
    if stat.S_ISLNK(found.st_mode):
        raise RefusedError(f"{path.name} is a symlink; name the file that it points to.")
    if not stat.S_ISREG(found.st_mode):
        raise UnavailableError(f"{path} is no file, so it is no store; name the store's file.")
    if found.st_uid != os.geteuid():
        raise RefusedError(f"{path.name} belongs to somebody else; make your own with mind init.")
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077:
        # Whoever named a wrong file is not to change its mode.
        if not _begins_like_a_database(path):
            raise UnavailableError(f"{path} is no store of mindpipe; make one with mind init.")
        raise RefusedError(f"{path.name} is open to others ({mode:04o}). Run chmod 600.")


def several_names(path: Path) -> RefusedError | None:
    """Return the error for a store with more than one name, or None.

    Each name has a log of its own, so that what is written under two of them is lost. A name that
    is only left of the making of the store, which was killed, is taken away.
    """
    try:
        for left in _left_names(path):
            left.unlink()
        names = path.stat().st_nlink
    except OSError:
        return None  # whoever opens it says why
    return None if names == 1 else RefusedError(f"{_told(path, names)}. {_ONE_NAME}")


_ONE_NAME = (
    "Remove the others (find / -xdev -samefile shows them), or go on with a copy of the one that "
    "was written last: mind store backup."
)


def _told(path: Path, names: int) -> str:
    """Return in words that a store has several names."""
    return (
        f"{path.name} is one file with {names} names (hard links), and what is written under two "
        "of them is lost"
    )


def _left_names(path: Path) -> list[Path]:
    """Return the names of a store that are only left of its making."""
    if path.stat().st_nlink == 1:
        return []
    name = unfinished_name(path)
    beside = path.absolute().parent.iterdir()
    return [left for left in beside if name.fullmatch(left.name) and left.samefile(path)]


def names_of(store: Path) -> Iterator[StoreFinding]:
    """Judge how many names the store has; one that is only left of its making does not count."""
    names = store.stat().st_nlink - len(_left_names(store))
    yield StoreFinding(
        check="names",
        verdict="ok" if names == 1 else "bad",
        found=f"{names}" if names == 1 else _told(store, names),
        advice=None if names == 1 else f"Until then it is only read. {_ONE_NAME}",
    )


def _begins_like_a_database(path: Path) -> bool:
    """Tell whether a file begins as SQLite's do, or cannot be read."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return True


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
        point = _ESCAPED.sub(lambda found: chr(int(found[1], 8)), left.split(" ")[4])
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


RESERVE_BYTES = 1 << 20
ENOUGH_BYTES = 64 << 20


def reserve_of(store: Path) -> Path:
    """Return where the reserve of a store is."""
    return store.with_name(f"{store.name}.reserve")


def keep(store: Path) -> None:
    """Make the reserve whole if 64 MiB are free; a disk without room is no error."""
    reserve = reserve_of(store)
    # Whoever began to make it may have died over it.
    if _size_of(reserve) >= RESERVE_BYTES or free_bytes(store) < ENOUGH_BYTES:
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(reserve, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(bytes(RESERVE_BYTES))


def _size_of(file: Path) -> int:
    """Return the size of a file, 0 where there is none."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def release(store: Path) -> None:
    """Give the reserve's space back to a full disk."""
    with contextlib.suppress(OSError):
        reserve_of(store).unlink(missing_ok=True)


def free_bytes(store: Path) -> int:
    """Return how many bytes are free where the store lies."""
    found = os.statvfs(store.absolute().parent)
    return found.f_bavail * found.f_frsize


_WAL_BYTES = 64 << 20
_GET_CHILD_SUBREAPER = 37


def place_of(store: Path) -> Iterator[StoreFinding]:
    """Judge the folder and its file system; raises UnavailableError if there is no store here."""
    try:
        check_file(store)
        check_folder(store.absolute())
    except RefusedError as error:
        yield StoreFinding(check="place", verdict="bad", found=str(error))
        return
    kind = file_system_of(store.absolute().parent)
    yield StoreFinding(check="place", verdict="ok", found=f"{store.absolute().parent} on {kind}")


def modes_of(store: Path) -> Iterator[StoreFinding]:
    """Judge the modes of the store and of every file that carries its name."""
    files = sorted(store.absolute().parent.glob(f"{store.name}*"))
    modes = {file.name: stat.S_IMODE(file.lstat().st_mode) for file in files}
    wide = [name for name, mode in modes.items() if mode & 0o077]
    found = ", ".join(f"{name} {mode:04o}" for name, mode in modes.items())
    yield StoreFinding(
        check="modes",
        verdict="bad" if wide else "ok",
        found=found,
        advice=f"Run chmod 600 {' '.join(wide)}." if wide else None,
    )


def room_of(store: Path) -> Iterator[StoreFinding]:
    """Judge the size of the -wal, the free space and the reserve."""
    wal = store.with_name(f"{store.name}-wal")
    size = wal.stat().st_size if wal.exists() else 0
    large = size > _WAL_BYTES
    yield StoreFinding(
        check="wal",
        verdict="note" if large else "ok",
        found=f"{size} bytes",
        advice="End the reader that has been open for long." if large else None,
    )
    free = free_bytes(store)
    copied = _size_of(store) + size
    scarce = free < ENOUGH_BYTES
    advice = f"A copy, as mind store backup and migrate make one, needs {copied} bytes."
    yield StoreFinding(
        check="space",
        verdict="note" if free < max(copied, ENOUGH_BYTES) else "ok",
        found=f"{free} bytes free",
        advice="Make room on this disk." if scarce else advice if free < copied else None,
    )
    reserve = reserve_of(store)
    kept = reserve.stat().st_size if reserve.exists() else None
    again = "It is made again when 64 MiB are free."
    changed = kept is not None and kept != RESERVE_BYTES
    yield StoreFinding(
        check="reserve",
        verdict="ok" if kept == RESERVE_BYTES else "note",
        found="none" if kept is None else f"{kept} bytes",
        advice=f"Remove {reserve}. {again}" if changed else None if kept else again,
    )


def abilities() -> Iterator[StoreFinding]:
    """Say what this machine can do about the programs that tools start."""
    if _can_adopt():
        yield StoreFinding(check="subreaper", verdict="ok", found="available")
    else:
        advice = "Children of a tool that leave its session outlive it here."
        yield StoreFinding(check="subreaper", verdict="note", found="not available", advice=advice)
    yield _sandbox()


def _sandbox() -> StoreFinding:
    """Run a program in a sandbox, where bubblewrap is there."""
    from mindpipe.core.ports import ProgramCall, Sandbox
    from mindpipe.io.programs import LocalPrograms
    from mindpipe.io.sandbox import bubblewrap

    program = bubblewrap()
    if program is None:
        advice = "Install bubblewrap; until then a tool that asks for a sandbox does not run."
        return StoreFinding(check="sandbox", verdict="note", found="not available", advice=advice)
    run = LocalPrograms().run(ProgramCall(argv=("true",), sandbox=Sandbox(), seconds=10))
    if run.status == 0:
        return StoreFinding(check="sandbox", verdict="ok", found=program)
    advice = f"A tool that asks for a sandbox fails; `{program} --unshare-all true` says why."
    return StoreFinding(check="sandbox", verdict="note", found=f"{program} fails", advice=advice)


def _can_adopt() -> bool:
    """Tell whether a process may take in the orphans of its children, and find them (Linux)."""
    if sys.platform != "linux" or not Path("/proc/self/stat").exists():
        return False
    flag = ctypes.c_int()
    return bool(ctypes.CDLL(None).prctl(_GET_CHILD_SUBREAPER, ctypes.byref(flag), 0, 0, 0) == 0)
