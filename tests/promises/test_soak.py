"""Promise 44: a long life stays small, and loses nothing in all that time."""

import contextlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from promises.test_storm import LANES, Fate, Storm, _think, check_effects, drain, lost, rage, settle
from support.command import ROOT, Mind, clean_environment
from support.processes import Newborn, Nursery
from support.proofs import proved, turned_red
from support.transaction_times import FILE
from support.validation import faults_of

pytestmark = [pytest.mark.heavy, pytest.mark.of_a_file]

SEED = os.environ.get("MIND_SOAK_SEED", "20261121")
SECONDS = float(os.environ.get("MIND_SOAK_SECONDS", "60"))
KILL_EVERY, BACKUP_EVERY, PLAN_EVERY, LOOK_EVERY = 10.0, 20.0, 15.0, 1.0
PUSH_PAUSE, THINK_PAUSE, LINE_PAUSE = 1.0, 0.1, 0.5
MOST_WAL = 64 << 20
MOST_SECONDS_PER_CYCLE = 10.0
# The agent whose worker stays; each of the others thinks one cycle per process.
SERVED = 0
# A process that stays may grow by so much over the part of its life that is measured: meanwhile
# the page cache of its store, of 2 MB, fills.
MOST_GROWTH_KIB, MOST_GROWTH_FILES = 4096, 2
RED = """
import sys
sys.path[:0] = {path!r}
from support.broken_builds import run_broken
from red.long_reader import PATCHES


run_broken(PATCHES)
"""


@dataclass
class Soak(Storm):
    """A storm that lasts, in which one process dies now and then."""

    until: float = 0.0

    def lane(self, number: int, kind: str) -> None:
        """Push or think until the time is over; one agent has a worker that stays instead."""
        if (number, kind) == (SERVED, "think"):
            return
        chance = random.Random(f"{SEED}/{kind}/{number}")
        pause = PUSH_PAUSE if kind == "push" else THINK_PAUSE
        try:
            while time.monotonic() < self.until and not self.errors:
                arguments = _think(number) if kind == "think" else self._push(number, chance)
                self._run(kind, arguments, self._fate(chance))
                self.pause.wait(pause)
        except Exception as error:
            self.errors.append(repr(error))

    def _fate(self, chance: random.Random) -> Fate:
        """Let the next one die if it is time for that, and again as long as none did."""
        due = (time.monotonic() - self.until + SECONDS) / KILL_EVERY
        if sum(self.died.values()) >= int(due):
            return Fate(None)
        return Fate(None, chance.uniform(0.001, 0.06))


@dataclass(frozen=True)
class Sample:
    """What a process and the store's log took at one moment."""

    at: float
    resident_kib: int
    files: int
    wal: int


@dataclass
class Resident:
    """A process that stays as long as the soak, and what it took."""

    name: str
    pid: int
    folder: Path
    samples: list[Sample] = field(default_factory=list)

    def look(self, until: float) -> None:
        """Measure every second."""
        while time.monotonic() < until:
            status = Path(f"/proc/{self.pid}/status").read_text()
            resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
            wal = self.folder / "mind.db-wal"
            with contextlib.suppress(FileNotFoundError):
                sample = Sample(
                    time.monotonic(),
                    int(resident.split()[1]),
                    len(list(Path(f"/proc/{self.pid}/fd").iterdir())),
                    wal.stat().st_size,
                )
                self.samples.append(sample)
            time.sleep(LOOK_EVERY)

    def growth(self, what: Callable[[Sample], int]) -> float:
        """Return by how much it grew over the last two thirds, along the line that fits best."""
        late = self.samples[len(self.samples) // 3 :]
        line = statistics.linear_regression([one.at for one in late], [what(one) for one in late])
        return line.slope * (late[-1].at - late[0].at)

    def words(self) -> str:
        """Say by how much it grew."""
        last = self.samples[-1]
        resident, files = (self.growth(what) for what in (_resident, _files))
        return (
            f"{self.name}: RSS {resident:+.0f} KiB of {last.resident_kib}, "
            f"files {files:+.2f} of {last.files}"
        )


@dataclass
class Stream:
    """One `mind inbox push --stream` that lives as long as the soak."""

    process: subprocess.Popen[bytes]
    receipts: set[str] = field(default_factory=set)

    def feed(self, until: float) -> None:
        """Push one event after the other."""
        stdin = self.process.stdin
        assert stdin is not None
        for number in count(1):
            if time.monotonic() >= until:
                break
            line = {
                "agent": f"a{number % LANES}",
                "text": f"line {number}",
                "key": f"line {number}",
            }
            stdin.write(json.dumps(line).encode() + b"\n")
            stdin.flush()
            time.sleep(LINE_PAUSE)
        stdin.close()

    def read(self) -> None:
        """Take the receipts."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.receipts.add(json.loads(line)["id"])


def upkeep(nursery: Nursery, folder: Path, until: float, errors: list[str]) -> None:
    """Make backups, and tell the agents what is planned, until the time is over."""
    backup_at = plan_at = time.monotonic()
    try:
        for number in count(1):
            if time.monotonic() >= until:
                return
            if time.monotonic() >= backup_at:
                backup_at += BACKUP_EVERY
                (folder / "copy.db").unlink(missing_ok=True)
                nursery.run("store", "backup", "copy.db")
            if time.monotonic() >= plan_at:
                plan_at += PLAN_EVERY
                nursery.run("plan", "add", "--agent", "a1", f"plan {number}", "--after", "1s")
                tell_plans(nursery, folder)
            time.sleep(LOOK_EVERY)
    except Exception as error:
        errors.append(repr(error))


def tell_plans(nursery: Nursery, folder: Path) -> None:
    """Put an event for each plan that is due into the inbox."""
    due = nursery.start(["plan", "due"], folder / "due.jsonl", {})
    if due.status() == 0:
        nursery.run("inbox", "push", "due.jsonl")
    (folder / "due.jsonl").unlink()


@contextlib.contextmanager
def beside(*works: Callable[[], None]) -> Iterator[None]:
    """Do these things in threads while the block lasts, and wait for their end."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.join()


def ninety_ninth(folder: Path) -> float:
    """Return how many milliseconds 99 of 100 transactions lasted at most."""
    lasted = sorted(float(line) for line in (folder / FILE).read_text().split())
    return lasted[int(len(lasted) * 0.99)]


@pytest.mark.long
def test_a_long_life_stays_small_and_loses_nothing(mind: Mind) -> None:
    with contextlib.closing(Nursery(mind.folder, "support.transaction_times")) as nursery:
        settle(mind.folder, nursery)
        until = time.monotonic() + SECONDS
        where = mind.folder / "mind.db"
        storm = Soak(mind, nursery, 100_000, where, until=until)
        with staying(nursery, mind.folder) as worker:
            stream = Stream(mind.start("inbox", "push", "--stream"))
            residents = (
                Resident("inbox push --stream", stream.process.pid, mind.folder),
                Resident("run", worker.pid, mind.folder),
            )
            works = (
                *(partial(one.look, until - 2 * LOOK_EVERY) for one in residents),
                lambda: stream.feed(until),
                stream.read,
                lambda: upkeep(nursery, mind.folder, until, storm.errors),
            )
            with stream.process, beside(*works):
                rage(storm)
        assert stream.process.returncode == 0
        assert worker.status() == 0, worker.words()
        assert storm.errors == []
        drain(storm)
        for agent in range(LANES):
            nursery.run("history", "verify", "--agent", f"a{agent}")
    storm.acknowledged |= stream.receipts
    report(storm, residents, cycles=len(worker.records()))
    check_effects(where, mind.folder)
    assert faults_of(where) == []


@contextlib.contextmanager
def staying(nursery: Nursery, folder: Path) -> Iterator[Newborn]:
    """Let a worker stay while the block lasts, and stop it."""
    arguments = ["run", "--agent", f"a{SERVED}", "--model", "program:./answer"]
    worker = nursery.start(arguments, folder / "out" / "run", {})
    try:
        yield worker
    finally:
        worker.kill(signal.SIGTERM)


def report(storm: Soak, residents: Sequence[Resident], *, cycles: int) -> None:
    """Check that nothing was lost and that nothing grew, and say what was counted."""
    kills = sum(storm.died.values())
    most_wal = max(sample.wal for one in residents for sample in one.samples)
    acknowledged = len(storm.acknowledged)
    sys.stdout.write(
        f"seed {SEED}: {SECONDS:.0f} s, {kills} kills, {acknowledged} acknowledged, "
        f"{cycles} cycles of the worker that stays, -wal at most {most_wal} bytes, transactions "
        f"p99 {ninety_ninth(storm.mind.folder):.1f} ms, statuses {dict(storm.statuses)}\n"
        f"{'; '.join(one.words() for one in residents)}\n"
    )
    assert kills >= int(SECONDS / KILL_EVERY) - 1
    assert lost(storm.where, storm.acknowledged) == set()
    assert cycles >= SECONDS / MOST_SECONDS_PER_CYCLE
    for one in residents:
        assert one.growth(_resident) < MOST_GROWTH_KIB, one.words()
        assert one.growth(_files) < MOST_GROWTH_FILES, one.words()
    assert most_wal < MOST_WAL
    proved(
        44,
        seconds=int(SECONDS),
        kills=kills,
        acknowledged=acknowledged,
        cycles=cycles,
        most_wal_bytes=most_wal,
    )


def _resident(sample: Sample) -> int:
    return sample.resident_kib


def _files(sample: Sample) -> int:
    return sample.files


@pytest.mark.parametrize(("build", "grows"), [("", False), ("long_reader", True)])
def test_a_build_with_one_long_reader_lets_the_log_grow(
    build: str, *, grows: bool, mind: Mind
) -> None:
    mind("init", "--agent", "ava")
    script = RED.format(path=[str(ROOT / "tests")])
    program = (
        [sys.executable, "-c", script] if build else [str(Path(sys.executable).parent / "mind")]
    )
    stream = subprocess.Popen(
        [*program, "inbox", "push", "--agent", "ava", "--stream"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=mind.folder,
        env=clean_environment(mind.folder),
    )
    assert stream.stdin is not None
    assert stream.stdout is not None
    line = json.dumps({"text": "x" * 1_000_000}).encode() + b"\n"
    for _ in range(12):
        stream.stdin.write(line)
        stream.stdin.flush()
        stream.stdout.readline()
    wal = (mind.folder / "mind.db-wal").stat().st_size
    stream.communicate()
    assert (wal > 10_000_000) is grows
    if grows:
        turned_red(44, build, most_wal_bytes=wal)
