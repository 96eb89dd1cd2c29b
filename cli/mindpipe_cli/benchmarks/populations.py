"""How long many persons take to live, on processes and on a cluster, and what they take up."""

import resource
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from mindpipe.core.ports import Clock, Limits
from mindpipe.core.records import Record
from mindpipe_cli import output
from mindpipe_cli.benchmarks.commands import mind

_LIMITS = Limits(memory_bytes=64 << 30, file_bytes=4 << 30, open_files=65_536)
"""What bounds a cluster: its object store alone is a file of 80 MB."""
FAR = 100_000_000
_HOUR_US = 3_600_000_000


class PopulationFigure(Record):
    """One row of `mind bench populations`.

    `way` is processes, cluster, or extrapolated to so many persons. `seconds` are the median of the
    rounds, on the wall, `ratio` those beside the seconds of processes. `at_rest` and `in_memory`
    are bytes per person, of the files and of what the work on one file of the largest takes.
    """

    way: str
    persons: int
    seconds: float
    ratio: float | None = None
    persons_days_s: float
    at_rest: float | None = None
    in_memory: float | None = None


class PopulationSize(Record):
    """How many persons live how long, shared among how many, how often, and on which cluster."""

    persons: tuple[int, ...]
    days: int
    jobs: int
    rounds: int
    cluster: str | None


def figures(clock: Clock, size: PopulationSize) -> Iterator[PopulationFigure]:
    """Yield a row for each number of persons and way, then what a line through them says.

    Raises:
        MindError: a command failed, as where ray is not installed.
    """
    ends: dict[str, list[PopulationFigure]] = {}
    with tempfile.TemporaryDirectory(prefix="mind-bench-") as name:
        folder = Path(name)
        for persons in sorted(size.persons):
            for one in _measured(folder, clock, size, persons, last=persons == max(size.persons)):
                ends.setdefault(one.way, []).append(one)
                yield one
    for way, rows in ends.items():
        if far := extrapolated(way, rows, size.days):
            yield far


def _measured(
    folder: Path, clock: Clock, size: PopulationSize, persons: int, *, last: bool
) -> Iterator[PopulationFigure]:
    """Yield the rows of so many persons: each round lives the same days in each way."""
    born = folder / "born"
    output.say(f"{persons:,} persons are made.")
    mind("simulate", "new", "--count", str(persons), "--format", "arrow", str(born))
    ways: dict[str, tuple[str, ...]] = {"processes": ()}
    if size.cluster:
        ways["cluster"] = ("--cluster", size.cluster)
    spent: dict[str, list[float]] = {way: [] for way in ways}
    at_rest = in_memory = None
    for turn in range(size.rounds):
        for way, options in ways.items():
            output.say(f"{persons:,} persons, {way}, round {turn + 1} of {size.rounds}")
            here = folder / way
            shutil.copytree(born, here)
            tick = (
                "simulate",
                "tick",
                str(here),
                "--dt",
                f"{size.days}d",
                "--jobs",
                str(size.jobs),
            )
            begun = clock.boot().seconds
            mind(*tick, *options, limits=_LIMITS)
            spent[way].append(clock.boot().seconds - begun)
            at_rest = sum(path.stat().st_size for path in here.glob("*.arrow")) / persons
            if last and in_memory is None:
                in_memory = _in_memory(here / "00000.arrow")
            shutil.rmtree(here)
    shutil.rmtree(born)
    base = statistics.median(spent["processes"])
    for way, seconds in spent.items():
        middle = statistics.median(seconds)
        yield PopulationFigure(
            way=way,
            persons=persons,
            seconds=round(middle, 2),
            ratio=round(middle / base, 3),
            persons_days_s=round(persons * size.days / middle, 1),
            at_rest=None if at_rest is None else round(at_rest, 1),
            in_memory=None if in_memory is None else round(in_memory, 1),
        )


def extrapolated(way: str, rows: Sequence[PopulationFigure], days: int) -> PopulationFigure | None:
    """Return what the line through the fewest and the most persons says of very many.

    One number of persons has a line through nothing. None where more persons took no longer: that
    was the noise of a machine, of which nothing follows.
    """
    first, last = rows[0], rows[-1]
    took, more = last.seconds, last.persons
    if last is not first:
        took, more = took - first.seconds, more - first.persons
    if took <= 0:
        return None
    seconds = last.seconds + took / more * (FAR - last.persons)
    return PopulationFigure(
        way=f"{way}, extrapolated",
        persons=FAR,
        seconds=round(seconds, 0),
        persons_days_s=round(FAR * days / seconds, 1),
        at_rest=last.at_rest,
        in_memory=last.in_memory,
    )


def _in_memory(shard: Path) -> float:
    """Return how many bytes each person of a file takes while the file is worked on."""
    from mindpipe.person.life.shard_file import LivingShard, read_shard

    before = _peak()
    table, now_us = read_shard(shard)
    living = LivingShard(table, now_us)
    living.live(now_us + _HOUR_US)
    living.table()
    persons: int = table.num_rows
    return (_peak() - before) / persons


def _peak() -> int:
    """Return how many bytes of memory this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
