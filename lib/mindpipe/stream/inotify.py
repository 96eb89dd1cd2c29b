"""Hear from Linux which files of a folder change, without a thread and without asking."""

import ctypes
import functools
import os
import select
import struct
import sys
import time
from pathlib import Path

from mindpipe.core.errors import InputOutputError

_CREATED, _MODIFIED, _MOVED_IN = 0x100, 0x2, 0x80
_HEAD = struct.Struct("iIII")
_LARGEST = 65_536


@functools.cache
def is_there() -> bool:
    """Tell whether this system tells of changes in this way."""
    return sys.platform == "linux" and hasattr(_library(), "inotify_init1")


@functools.cache
def _library() -> ctypes.CDLL:
    """Return the C library."""
    return ctypes.CDLL(None, use_errno=True)


class FolderNotices:
    """Notices of some names in one folder, from `open` to `close`."""

    def __init__(self, folder: Path, names: frozenset[str]) -> None:
        self._folder = folder
        self._names = {os.fsencode(name) for name in names}
        self._file = -1
        self._poll = select.poll()

    def open(self) -> None:
        """Begin to hear; raises InputOutputError where too many do already."""
        library = _library()
        self._file = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        added = -1
        if self._file >= 0:
            wanted = _CREATED | _MODIFIED | _MOVED_IN
            added = library.inotify_add_watch(self._file, os.fsencode(self._folder), wanted)
        if added < 0:
            why = os.strerror(ctypes.get_errno())
            self.close()
            raise InputOutputError(f"{self._folder} cannot be watched: {why}.")
        self._poll.register(self._file, select.POLLIN)

    def close(self) -> None:
        """Hear no longer."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1

    def wait(self, seconds: float) -> bool:
        """Return True at a change of a name since the last call, False after so many seconds."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) >= 0:
            if self._poll.poll(left * 1000) and self._is_of_ours():
                return True
        return False

    def _is_of_ours(self) -> bool:
        """Read all notices there are; tell whether one is of a name that counts."""
        found = False
        while True:
            try:
                octets = os.read(self._file, _LARGEST)
            except BlockingIOError:
                return found
            found = any(name in self._names for name in _names(octets)) or found


def _names(octets: bytes) -> list[bytes]:
    """Return the names in a stretch of notices."""
    found, at = [], 0
    while at < len(octets):
        _, _, _, length = _HEAD.unpack_from(octets, at)
        at += _HEAD.size
        found.append(octets[at : at + length].rstrip(b"\0"))
        at += length
    return found
