"""Draw crashes from a recording and count what they did."""

import collections
import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from support.powerloss.checks import Examiner
from support.powerloss.disk import Disk, Series
from support.powerloss.facts import AGENTS, STORE, facts_of
from support.powerloss.recording import Ack, Record
from support.powerloss.recovery import Recover

RECOVERED = 50

When = Literal["before", "after"]
"""Before the first success that was reported, or after it."""


class Crash(NamedTuple):
    """One crash: after how many records, what it left, and what had been acknowledged by then."""

    at: int
    series: Series
    image: Mapping[str, bytes]
    expected: Mapping[tuple[str, str], set[str]]
    pending: bool


@dataclass
class Toll:
    """How many images were looked at, had something pending, and were wrong in which way."""

    images: int = 0
    pending: int = 0
    recovered: int = 0
    wrong: collections.Counter[str] = field(default_factory=collections.Counter)
    crashes: list[str] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)

    def share(self, name: str) -> float:
        """Return in which share of the images this was wrong."""
        return self.wrong[name] / self.images

    def note(self, crash: Crash, faults: Sequence[str]) -> None:
        """Count one image, each kind of fault once."""
        self.images += 1
        self.pending += crash.pending
        self.wrong.update(set(faults))
        if faults:
            self.crashes.append(f"{crash.series} at {crash.at}: {sorted(set(faults))}")


@dataclass(frozen=True)
class Recording:
    """What was recorded, and the files that were safe on disk when it began."""

    files: Mapping[str, bytes]
    records: Sequence[Record]

    def crashes(self, times: int, chance: random.Random, when: When = "after") -> Iterator[Crash]:
        """Yield crashes at random places in their order, of both series."""
        first = next(at for at, one in enumerate(self.records) if isinstance(one, Ack)) + 1
        span = range(first, len(self.records) + 1) if when == "after" else range(first)
        disk = Disk(self.files)
        expected: dict[tuple[str, str], set[str]] = collections.defaultdict(set)
        places = sorted(chance.choices(span, k=times))
        for begin, end in itertools.pairwise([0, *places]):
            for record in self.records[begin:end]:
                for fact in facts_of(record) if isinstance(record, Ack) else ():
                    expected[fact.file, fact.sql].add(fact.member)
            disk.play(self.records[begin:end])
            series: Series = chance.choice(("ordered", "harsh"))
            image = disk.after_crash(series, chance)
            yield Crash(end, series, image, expected, disk.pending())


def examine(
    recording: Recording, times: int, *, folder: Path, seed: str, recover: Recover | None = None
) -> Toll:
    """Look at that many crashes after the first success, and a tenth as many before it.

    With `recover` every hundredth image is recovered, lives on, and is looked at again.
    """
    toll, examiner = Toll(), Examiner(folder)
    for when, share in (("after", times), ("before", times // 10)):
        chance = random.Random(f"{seed}/{when}")
        for crash in recording.crashes(share, chance, when):
            found = list(examiner.faults(crash.image, crash.expected))
            lives = (STORE, AGENTS) in crash.expected
            if recover is not None and lives and toll.images % RECOVERED == 0:
                examiner.lay_out(crash.image)
                found += recover(folder / STORE) or examiner.faults_now(crash.expected)
                toll.recovered += 1
            toll.note(crash, found)
    toll.missing = examiner.missing
    return toll
