"""A folder of many persons: a manifest, and shards of so many persons each in columns of Arrow.

A shard is written beside itself and renamed, and says in itself at which instant its persons are.
The manifest says at which instant all are, and to which a tick brings them that has not ended. So
a tick that was killed goes on with the shards that are still behind, and ends with the same bytes.
"""

import importlib.util
import re
import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

import msgspec

from mindpipe.core.errors import BadInputError, RefusedError, UnavailableError
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD, to_json
from mindpipe.io.files import (
    file_errors,
    locked_folder,
    make_folder,
    read_whole,
    remove,
    remove_unfinished,
    sync_folder,
    write_whole,
)
from mindpipe.person.life import reading_files
from mindpipe.person.records.population import PopulationManifest
from mindpipe.person.records.scales import VERSION

MANIFEST, APART = "population.json", "apart"
SHARD = 50_000
"""How many persons stand in one file, are in memory at a time, and are computed together."""
_CHECKPOINT = re.compile(r"\d+\.arrow\.\d+")
_UNFINISHED = re.compile(rf"\.({_CHECKPOINT.pattern})\..*")
T = TypeVar("T")


def require_arrow() -> None:
    """Raise UnavailableError where pyarrow is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        words = (
            "persons in columns need the extra arrow: pip install '.[arrow]' in mindpipe's folder."
        )
        raise UnavailableError(words)


def require_duckdb() -> None:
    """Raise UnavailableError where duckdb is not installed."""
    if importlib.util.find_spec("duckdb") is None:
        words = "questions need the extra stats: pip install '.[stats]' in mindpipe's folder."
        raise UnavailableError(words)


class PopulationFolder:
    """The files of a population."""

    def __init__(self, folder: Path) -> None:
        self.path = folder

    def make(self) -> None:
        """Make the folder; raises RefusedError where there is something in it."""
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise RefusedError(f"{self.path} is there and not empty; name a new folder.")
        make_folder(self.path)

    def manifest(self) -> PopulationManifest:
        """Return what is known of all.

        Raises:
            UnavailableError: it is no folder of persons, or of a version that is not known here.
            BadInputError: its manifest is broken.
        """
        path = self.path / MANIFEST
        if not path.is_file():
            words = f"{self.path} holds no {MANIFEST}; mind simulate new --format arrow makes one."
            raise UnavailableError(words)
        found = record_in(path, read_whole(path), PopulationManifest)
        if found.v > VERSION:
            raise UnavailableError(f"{path} is of version {found.v}; this program knows {VERSION}.")
        return found

    def keep(self, manifest: PopulationManifest) -> None:
        """Write what is known of all."""
        write_whole(self.path / MANIFEST, [to_json(manifest), b"\n"])

    def locked(self) -> AbstractContextManager[None]:
        """Let nobody else write or read here; raises TemporaryError where somebody does."""
        return locked_folder(self.path)

    def still(self) -> AbstractContextManager[None]:
        """Let nobody write here meanwhile; raises TemporaryError where somebody does."""
        return locked_folder(self.path, shared=True)

    def shards(self, manifest: PopulationManifest) -> list[Path]:
        """Return the files of all shards, in the order of persons.

        Raises:
            UnavailableError: there are fewer files.
        """
        number = -(-manifest.count // manifest.shard)
        there = sum(1 for _ in self.path.glob("*.arrow"))
        if number > there:
            words = f"{self.path} holds {there} files of persons, and should {number}"
            raise UnavailableError(f"{words}; bring the others back.")
        return [self.shard(place) for place in range(number)]

    def shard(self, place: int) -> Path:
        """Return the file of one shard."""
        return self.path / f"{place:05d}.arrow"

    def checkpoint(self, place: int, attempt: int) -> Path:
        """Return where the worker with a number writes a shard for whoever holds the lock."""
        return self.path / f"{self.shard(place).name}.{attempt}"

    def publish(self, place: int, attempt: int) -> None:
        """Let what a worker wrote be the shard; raises UnavailableError where it is not there.

        Only who holds the lock does that, so that a worker that was given up changes nothing.
        """
        path = self.shard(place)
        reading_files.publish(self.path, path.stem, attempt)
        with file_errors(path):
            self.checkpoint(place, attempt).replace(path)
            sync_folder(self.path)

    def clear(self) -> None:
        """Remove what workers that were given up or killed have left."""
        for path in sorted(self.path.iterdir()):
            if unfinished := _UNFINISHED.match(path.name):
                remove_unfinished(self.path / unfinished[1])
            elif _CHECKPOINT.fullmatch(path.name):
                remove(path)
        reading_files.clear(self.path)

    def clear_apart(self) -> None:
        """Remove what is kept of those who live apart in a tick, which has ended."""
        shutil.rmtree(self.path / APART, ignore_errors=True)


def record_in(path: Path, octets: bytes, kind: type[T]) -> T:
    """Return the record that octets of a file of a folder are.

    Raises:
        BadInputError: they are none.
    """
    try:
        return msgspec.json.decode(octets, type=kind)
    except NO_RECORD as fault:
        raise BadInputError([Problem(source=str(path), message=str(fault))]) from None
