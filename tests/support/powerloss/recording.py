"""The log of a recording: what was done to the files of one folder, in the order it was done."""

import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec

LOG = "RECORDING_LOG"
"""The variable that names the log; a process without it records nothing."""
BUILD = "RECORDING_BUILD"
"""The variable that names a module of tests/red whose patches hold as well."""


class Open(msgspec.Struct, tag="open"):
    """A file was made under a name that nobody had."""

    name: str


class Write(msgspec.Struct, tag="write"):
    """Bytes were written."""

    name: str
    offset: int
    octets: bytes


class Whole(msgspec.Struct, tag="whole"):
    """All that a file holds now, where single writes were not seen."""

    name: str
    octets: bytes


class Truncate(msgspec.Struct, tag="truncate"):
    """A file was given a size."""

    name: str
    size: int


class Sync(msgspec.Struct, tag="sync"):
    """What a file holds was made durable."""

    name: str


class Delete(msgspec.Struct, tag="delete"):
    """A name was taken away."""

    name: str


class Name(msgspec.Struct, tag="name"):
    """A file was given one more name, or another one (`moved`)."""

    old: str
    new: str
    moved: bool


class SyncFolder(msgspec.Struct, tag="folder"):
    """The names were made durable."""


class Ack(msgspec.Struct, tag="ack"):
    """A command has said that it succeeded: its arguments and all it has printed."""

    arguments: tuple[str, ...]
    printed: bytes


Record = Open | Write | Whole | Truncate | Sync | Delete | Name | SyncFolder | Ack


class Log:
    """The log as one process writes to it.

    What is done between `__enter__` and `__exit__` is done while no other process or thread does
    anything of that kind, so that the order of the records is the order of what they tell.
    """

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._thread = threading.RLock()
        self._depth = 0

    def __enter__(self) -> "Log":
        self._thread.acquire()
        self._depth += 1
        if self._depth == 1:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN)
        self._thread.release()

    def add(self, record: Record) -> None:
        """Append one record."""
        octets = msgspec.msgpack.encode(record)
        os.writev(self._descriptor, [len(octets).to_bytes(4, "big"), octets])


def read_log(path: Path) -> Iterator[Record]:
    """Yield the records of a log."""
    decode = msgspec.msgpack.Decoder(Record).decode
    octets = memoryview(path.read_bytes())
    place = 0
    while place < len(octets):
        size = int.from_bytes(octets[place : place + 4], "big")
        place += 4 + size
        yield decode(octets[place - size : place])
