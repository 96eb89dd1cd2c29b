"""A model of a disk: what is safe on it after each record, and what a crash may or may not keep."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from support.powerloss.recording import (
    Delete,
    Name,
    Open,
    Record,
    Sync,
    SyncFolder,
    Truncate,
    Whole,
    Write,
)

SECTOR = 512
_KEPT, _TORN = 0.5, 0.2

Series = Literal["ordered", "harsh"]
"""Of the names not yet durable a crash keeps the first few, or any of them."""
Change = tuple[int, bytes | None]
"""Bytes at a place, or with None a new size."""
Names = Mapping[str, "Inode | None"]
"""What some names mean from now on."""


def _apply(octets: bytearray, change: Change) -> None:
    """Write, or set the size; a gap is filled with zeros."""
    place, written = change
    end = place if written is None else place + len(written)
    if len(octets) < end:
        octets.extend(bytes(end - len(octets)))
    if written is None:
        del octets[place:]
    else:
        octets[place:end] = written


@dataclass(eq=False)
class Inode:
    """A file without its name: what is durable of it, what waits, and what programs read now."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Change] = field(default_factory=list)
    now: bytearray = field(default_factory=bytearray)

    def change(self, change: Change) -> None:
        """Take a change that is not durable yet."""
        _apply(self.now, change)
        self.pending.append(change)

    def sync(self) -> None:
        """Make everything durable."""
        for change in self.pending:
            _apply(self.durable, change)
        self.pending.clear()

    def after_crash(self, chance: random.Random) -> bytes:
        """Return what a crash leaves: some of the changes that wait, some of these torn."""
        octets = bytearray(self.durable)
        for place, written in self.pending:
            if chance.random() >= _KEPT:
                continue
            kept = written
            if written is not None and len(written) > SECTOR and chance.random() < _TORN:
                kept = written[: SECTOR * chance.randrange(1, -(-len(written) // SECTOR))]
            _apply(octets, (place, kept))
        return bytes(octets)


class Disk:
    """One folder of files."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Begin with files that are durable."""
        self._durable: dict[str, Inode | None] = {
            name: Inode(durable=bytearray(octets), now=bytearray(octets))
            for name, octets in files.items()
        }
        self._now = dict(self._durable)
        self._pending: list[Names] = []

    def play(self, records: Iterable[Record]) -> None:
        """Do what the records tell."""
        for record in records:
            self._play(record)

    def pending(self) -> bool:
        """Tell whether a crash could leave more than one state."""
        return bool(self._pending) or any(inode.pending for inode in self._inodes())

    def after_crash(self, series: Series, chance: random.Random) -> dict[str, bytes]:
        """Return the files that a crash would leave, by their names."""
        names = dict(self._durable)
        for change in self._kept_names(series, chance):
            names.update(change)
        return {name: inode.after_crash(chance) for name, inode in names.items() if inode}

    def _kept_names(self, series: Series, chance: random.Random) -> list[Names]:
        if series == "ordered":
            return self._pending[: chance.randint(0, len(self._pending))]
        return [change for change in self._pending if chance.random() < _KEPT]

    def _inodes(self) -> set[Inode]:
        """Return every file that has a name, or may have one."""
        found = [*self._durable.values(), *self._now.values()]
        return {inode for inode in found if inode is not None}

    def _play(self, record: Record) -> None:
        match record:
            case Open(name):
                self._rename({name: Inode()})
            case Write(name, offset, octets):
                self._file(name).change((offset, octets))
            case Truncate(name, size):
                self._file(name).change((size, None))
            case Whole(name, octets):
                self._replace(self._file(name), octets)
            case Sync(name):
                self._file(name).sync()
            case Delete(name):
                self._rename({name: None})
            case Name(old, new, moved):
                self._rename({new: self._file(old)} | ({old: None} if moved else {}))
            case SyncFolder():
                for change in self._pending:
                    self._durable.update(change)
                self._pending.clear()
            case _:
                pass

    def _rename(self, change: Names) -> None:
        """Change names, not yet durably."""
        self._now.update(change)
        self._pending.append(change)

    def _file(self, name: str) -> Inode:
        """Return the file of that name; a recording that knows none is an error of the tests."""
        found = self._now.get(name)
        assert found is not None, f"the recording writes to {name}, which was never made"
        return found

    @staticmethod
    def _replace(file: Inode, octets: bytes) -> None:
        """Take what a file holds as one write, where it is not what was recorded so far."""
        if file.now != octets:
            file.change((0, octets))
            if len(file.now) > len(octets):
                file.change((len(octets), None))
