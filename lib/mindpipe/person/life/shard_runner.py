"""What brings the shards of a folder to an instant: a port, and processes of this machine."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from mindpipe.core.errors import ExitStatus, MindError, TemporaryError
from mindpipe.io.forks import EndedProcess, Forks
from mindpipe.person.life.population_folder import PopulationFolder
from mindpipe.person.records.population import PopulationManifest


class ShardRunner(Protocol):
    """What brings the shards of a folder to an instant: processes, or workers of a cluster."""

    def run(self, folder: PopulationFolder, manifest: PopulationManifest) -> Iterator["Progress"]:
        """Bring all shards to `to_us` of the manifest, and yield how far that is.

        Raises:
            MindError: the work on one of them failed. What was done is kept.
        """
        ...


class Progress(NamedTuple):
    """How many parts of the work are done, and how many there are."""

    done: int
    total: int


class ShardProcesses:
    """So many processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def run(self, folder: PopulationFolder, manifest: PopulationManifest) -> Iterator[Progress]:
        """Bring all shards to `to_us` of the manifest; a part of the work is a shard."""
        assert manifest.to_us is not None
        shards = folder.shards(manifest)
        every_us = manifest.every_us or None
        work = partial(tick_shard, until_us=manifest.to_us, every_us=every_us)
        for done in shared(shards, work, jobs=self._jobs):
            yield Progress(done, len(shards))


def tick_shard(path: Path, *, until_us: int, every_us: int | None = None) -> None:
    """Let the persons of a shard live until an instant, and read them on the way if wanted."""
    from mindpipe.person.life.shard_file import tick

    tick(path, until_us, every_us=every_us)


def shared(shards: Sequence[Path], work: Callable[[Path], object], *, jobs: int) -> Iterator[int]:
    """Let so many processes do some work on each shard; yield how many are done, one by one.

    Raises:
        MindError: the work on one of them failed; the others are asked to end.
    """
    jobs = min(jobs, len(shards))
    if jobs <= 1:
        for done, shard in enumerate(shards, start=1):
            work(shard)
            yield done
        return
    done = 0
    with Forks() as forks:
        for place in range(jobs):
            forks.start(str(place), partial(_work_on, shards[place::jobs], work))
        for heard in forks.heard():
            if isinstance(heard, EndedProcess):
                _require_done(heard, forks.number)
            elif heard.startswith(_FAILED):
                status, _, words = heard[len(_FAILED) :].partition(b" ")
                raise failure(words.decode(), int(status))
            else:
                done += 1
                yield done


def failure(words: str, status: int) -> MindError:
    """Return the error that ended somebody else's work, as it was there."""
    error = MindError(words)
    error.status = ExitStatus(status)
    return error


_FAILED = b"failed "


def _work_on(shards: Sequence[Path], work: Callable[[Path], object]) -> int:
    """Work on some shards and print a line for each, in a process of its own."""
    try:
        for shard in shards:
            work(shard)
            os.write(1, b"done\n")
    except MindError as error:
        words = str(error).replace("\n", " ").encode()
        os.write(1, b"%s%d %s\n" % (_FAILED, error.status, words))
    return 0


def _require_done(ended: EndedProcess, number: int | None) -> None:
    """Raise for a process that ended before its work did."""
    if number is not None:
        raise KeyboardInterrupt
    if ended.status != 0:
        words = "a process ended before its persons were done; run the same command again."
        raise TemporaryError(words)
