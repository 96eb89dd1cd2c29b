"""Parts for a `mind` process that make it record what it does to the files of its folder.

SQLite's files are seen by a VFS, all others where our own code calls the operating system. Nothing
is really synced: no machine crashes here, and a sync is only its record.
"""

import importlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from mindpipe.io import clock
from mindpipe.store import sqlite
from mindpipe_cli import main, output
from support.broken_builds import Patch
from support.powerloss.recording import (
    BUILD,
    LOG,
    Ack,
    Delete,
    Log,
    Name,
    Open,
    Record,
    Sync,
    SyncFolder,
    Truncate,
    Whole,
    Write,
)

_PAGES = 20
_LOGS = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL
_SEEN = apsw.SQLITE_OPEN_MAIN_DB | _LOGS
_logs: list[Log] = []


def _log() -> Log | None:
    """Return this process's log, if it has one."""
    return _logs[0] if _logs else None


def _seen(path: object) -> str | None:
    """Return a file's name if it lies in the folder of the recording."""
    if not isinstance(path, str | os.PathLike):
        return None
    folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - names, not files
    return name if folder == str(Path.cwd()) else None


class _Unrecorded(apsw.VFSFile):
    """A file of SQLite; shared memory and locks are those of the `unix` VFS."""

    def xLock(self, level: int) -> None:
        """Lock; who only reads cannot lock for writing, which SQLite expects when it closes."""
        try:
            super().xLock(level)
        except apsw.IOError as error:
            raise apsw.BusyError from error


class _File(_Unrecorded):
    """A file that is recorded."""

    def __init__(self, base: str, name: Any, flags: list[int], log: Log) -> None:
        super().__init__(base, name, flags)
        self._log = log
        self._name = Path(name if isinstance(name, str) else name.filename()).name
        # The `unix` VFS syncs the folder at the first sync through each handle of a log.
        self._syncs_folder = bool(flags[0] & _LOGS and flags[0] & apsw.SQLITE_OPEN_CREATE)

    def xWrite(self, octets: Any, offset: int) -> None:
        """Write."""
        with self._log:
            super().xWrite(octets, offset)
            self._log.add(Write(self._name, offset, bytes(octets)))

    def xTruncate(self, size: int) -> None:
        """Give the file a size."""
        with self._log:
            super().xTruncate(size)
            self._log.add(Truncate(self._name, size))

    def xSync(self, _flags: int) -> None:
        """Make the file durable."""
        with self._log:
            self._log.add(Sync(self._name))
            if self._syncs_folder:
                self._log.add(SyncFolder())
                self._syncs_folder = False


class _Disk(apsw.VFS):
    """The `unix` VFS, recorded."""

    def __init__(self) -> None:
        super().__init__("recorder", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        """Open a file."""
        log = _log()
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        seen = _seen(path)
        if log is None or seen is None or not flags[0] & _SEEN:
            return _Unrecorded("unix", name, flags)
        with log:
            existed = os.path.exists(path)  # noqa: PTH110 - SQLite's own name for it
            file = _File("unix", name, flags, log)
            if not existed:
                log.add(Open(seen))
            return file

    def xDelete(self, path: str, sync_folder: bool) -> None:  # noqa: FBT001 - SQLite's
        """Take a name away."""
        log, seen = _log(), _seen(path)
        if log is None or seen is None:
            super().xDelete(path, sync_folder)
            return
        with log:
            super().xDelete(path, sync_folder)
            log.add(Delete(seen))
            if sync_folder:
                log.add(SyncFolder())


def _recorded(real: Callable[..., Any], tell: Callable[..., list[Record]]) -> Callable[..., Any]:
    """Return a function of the system that tells the log what it did."""

    def call(*arguments: Any, **named: Any) -> Any:
        log = _log()
        if log is None or named.get("dir_fd") is not None:
            return real(*arguments, **named)
        with log:
            told = tell(*arguments)
            result = real(*arguments, **named)
            for record in told:
                log.add(record)
            return result

    return call


def _told_of_open(path: object, flags: int, *_: object) -> list[Record]:
    """Tell of a file that will be made or emptied."""
    name = _seen(path)
    if name is None or not flags & os.O_CREAT:
        return []
    if not os.path.lexists(os.fspath(path)):  # type: ignore[call-overload]  # seen: it is a path
        return [Open(name)]
    return [Truncate(name, 0)] if flags & os.O_TRUNC else []


def _told_of_fsync(descriptor: int) -> list[Record]:
    """Tell of a file, with all it holds, or of the folder."""
    path = str(Path(f"/proc/self/fd/{descriptor}").readlink())
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        return [SyncFolder()] if path == str(Path.cwd()) else []
    name = _seen(path)
    return [] if name is None else [Whole(name, Path(path).read_bytes()), Sync(name)]


def _told_of_names(old: object, new: object, *, moved: bool) -> list[Record]:
    """Tell of a new name."""
    names = _seen(old), _seen(new)
    return [Name(names[0], names[1], moved)] if names[0] and names[1] else []


def _told_of_unlink(path: object) -> list[Record]:
    """Tell of a name that goes."""
    name = _seen(path)
    there = name is not None and os.path.lexists(os.fspath(path))  # type: ignore[call-overload]
    return [Delete(name)] if name is not None and there else []


_flush, _main = output.flush, main.main
_fsync = _recorded(lambda _descriptor: None, _told_of_fsync)
_link = _recorded(os.link, lambda old, new: _told_of_names(old, new, moved=False))
_replace = _recorded(os.replace, lambda old, new: _told_of_names(old, new, moved=True))
_unlink = _recorded(os.unlink, _told_of_unlink)


def _flush_and_tell() -> None:
    """Record that a command reports success, once what it printed was taken."""
    _flush()
    log = _log()
    if log is not None:
        with log:
            printed = Path(f"/proc/self/fd/{sys.stdout.fileno()}").read_bytes()
            log.add(Ack(tuple(sys.argv[1:]), printed))


def _main_in_build() -> None:
    """Run `mind`, which checkpoints early, recorded and in the build that the environment names."""
    if path := os.environ.get(LOG):
        _logs.append(Log(path))
        # What is recorded happens before the crash, so under another boot than what comes after.
        clock._BOOT_ID = "/proc/self/none"
    sqlite._PRAGMAS += f"PRAGMA wal_autocheckpoint={_PAGES};"
    if build := os.environ.get(BUILD):
        for owner, name, part in importlib.import_module(f"red.{build}").PATCHES:
            setattr(owner, name, part)
    try:
        _main()
    finally:
        # The nursery ends its children at once; a whole interpreter closes what is open.
        for open_one in apsw.connections():
            open_one.close()


_disk = _Disk()
PATCHES: tuple[Patch, ...] = (
    (os, "open", _recorded(os.open, _told_of_open)),
    (os, "fsync", _fsync),
    (os, "link", _link),
    (os, "replace", _replace),
    (os, "rename", _replace),
    (os, "unlink", _unlink),
    (os, "remove", _unlink),
    (output, "flush", _flush_and_tell),
    (main, "main", _main_in_build),
)
