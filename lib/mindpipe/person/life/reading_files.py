"""The files of readings in a folder of persons: which count, and how one comes to count.

A file is of one shard, from one instant to another. It is written under the number of a worker and
published by who holds the lock of the folder, before the shard is: what then is there of a later
instant than its begin was left by somebody who was killed, and goes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mindpipe.io.files import file_errors, remove

FOLDER = "readings"


class ReadingFile(NamedTuple):
    """A file of readings: of which shard, from when, to when, and by whom, None once published."""

    path: Path
    shard: str
    begin_us: int
    end_us: int
    attempt: int | None


def files_of(folder: Path) -> Iterator[ReadingFile]:
    """Yield the files of readings in a folder of persons, by name."""
    for path in sorted((folder / FOLDER).glob("*_*_*.arrow*")):
        name, _, attempt = path.name.partition(".arrow")
        shard, begin, end = name.split("_", 2)
        try:
            number = int(attempt.removeprefix(".")) if attempt else None
            yield ReadingFile(path, shard, int(begin), int(end), number)
        except ValueError:
            continue  # somebody else's


def published(folder: Path, *, until_us: int) -> list[Path]:
    """Return those that count, of ticks up to an instant.

    What a tick wrote that was killed comes behind that instant.
    """
    files = files_of(folder)
    return [one.path for one in files if one.attempt is None and one.end_us <= until_us]


def publish(folder: Path, shard: str, attempt: int) -> None:
    """Let what was written of a shard under a number count, if anything was."""
    mine = [one for one in files_of(folder) if one.shard == shard]
    for new in (one for one in mine if one.attempt == attempt):
        for one in mine:
            if one.attempt is None and one.end_us > new.begin_us:
                remove(one.path)
        with file_errors(new.path):
            new.path.replace(new.path.with_suffix(""))


def clear(folder: Path) -> None:
    """Remove what was written and never published."""
    for one in files_of(folder):
        if one.attempt is not None:
            remove(one.path)
