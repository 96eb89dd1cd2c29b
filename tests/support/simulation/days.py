"""Live through a plan of the world: one worker after the other, each until it is killed."""

import contextlib
import itertools
import os
import random
import re
import select
import signal
import stat
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from support.command import looked_into
from support.processes import Newborn, Nursery
from support.simulation import times
from support.simulation.world import HOUR, Act, Plan

MODEL = Path(__file__).with_name("answer.awk")
LONGEST = 300.0
"""Seconds of ours within which a worker waits again; a burst may take it so long."""
BEGINNING = 1_780_272_000.0
"""The wall clock as the world begins: 2026-06-01T00:00:00Z."""
POINTS = (
    "claim.before_commit",
    "claim.after_commit",
    "reserve.after_commit",
    "ask.before_send",
    "ask.after_reply",
    "record.before_commit",
    "record.after_commit",
    "store_tool.before_commit",
    "store_tool.after_commit",
    "turn.before_commit",
    "turn.after_commit",
    "checkpoint.before_commit",
    "compact.before_publish",
    "compact.after_publish",
)
RECOVER = 75
_LASTING = frozenset({"SIMULATED_SLOWNESS"})
MARK = re.compile(r"^read (#e\d+#)$")


@dataclass
class Sample:
    """What a worker took at one moment: minutes since the beginning, KiB, open files."""

    minute: float
    resident_kib: int
    files: int


@dataclass
class Days:
    """A store with one agent, the world around it, and what was seen of its life."""

    folder: Path
    plan: Plan
    settings: dict[str, str] = field(default_factory=dict)
    build: str = "support.simulation.times"
    acknowledged: dict[str, str] = field(default_factory=dict)
    ends: Counter[int] = field(default_factory=Counter)
    calm: list[Sample] = field(default_factory=list)
    lives: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    poisoned: int = 0
    complaints: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        """Make the world ready."""
        self._chance = random.Random(f"{self.plan.seed}/deaths")
        self._marks = itertools.count(1)
        self._worker: Newborn | None = None
        self._next: dict[str, str] = {}
        for name in (times.WORLD, times.GO):
            os.mkfifo(self.folder / name, 0o600)
        # Both ends of each, so that neither opening nor dying leaves anybody waiting.
        self._world, self._go = (
            os.open(self.folder / name, os.O_RDWR) for name in (times.WORLD, times.GO)
        )
        times.write(BEGINNING, 0.0, 0.0, self.folder)
        answer = self.folder / "answer"
        answer.write_text(f"#!/bin/sh\nexec awk -f {MODEL}\n")
        answer.chmod(stat.S_IRWXU)
        self._nursery = Nursery(self.folder, self.build)
        for words in (
            "init",
            "agent new ava --max-tokens 6000 --model program:./answer",
            "space new log",
            "space join log ava",
            "concern add --agent ava study --about keyword:study --share 0.3",
        ):
            self._nursery.run(*words.split())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave nobody behind."""
        if self._worker is not None:
            with contextlib.suppress(ProcessLookupError):
                self._worker.kill(signal.SIGKILL)
            self._worker.status()
        self._nursery.close()
        os.close(self._world)
        os.close(self._go)

    def live(self) -> None:
        """Let everything happen that is planned, then let the agent come to rest."""
        for act in self.plan.acts():
            self._until(act.at)
            self.acts[act.deed] += 1
            getattr(self, f"_{act.deed}")(act)
        self._until(self.plan.hours * HOUR)
        self._stop()
        self._settle()

    def _until(self, at: float) -> None:
        """Let workers live until the world is due, and stand there with one that waits."""
        wall, boot, _ = times.read(self.folder)
        times.write(wall, boot, at, self.folder)
        while True:
            if self._worker is None:
                self._begin()
            else:
                os.write(self._go, b".")
            if self._waits():
                return

    def _waits(self) -> bool:
        """Tell whether the worker has come to wait for the world; else it has ended."""
        worker = self._worker
        assert worker is not None
        ready, _, _ = select.select([self._world, worker.handle], [], [], LONGEST)
        assert ready, f"nobody waits: {worker.words()[-500:]}"
        if self._world in ready:
            os.read(self._world, 1)
            return True
        self._bury(worker)
        return False

    def _bury(self, worker: Newborn) -> None:
        """Note how a worker ended; where it is too much for the program, be the operator."""
        self._worker = None
        status = worker.status()
        self.ends[status] += 1
        if status == RECOVER and "RECOVERY" in worker.words():
            self._nursery.run("store", "recover", "--resume")
        elif status not in {0, -signal.SIGKILL}:
            self.complaints.append(f"{status}: {worker.words()[-300:]}")

    def _begin(self) -> None:
        """Start a worker."""
        self.lives += 1
        environment = {times.WORKER: "1", **self.settings, **self._next}
        self._next = {name: value for name, value in self._next.items() if name in _LASTING}
        out = self.folder / "worker"
        for file in (out, out.with_name("worker.err")):
            file.unlink(missing_ok=True)
        self._worker = self._nursery.start(["run", "--agent", "ava"], out, environment)

    def _end(self, number: int) -> None:
        """Send the waiting worker a signal, let it go on, and wait for its end."""
        worker = self._worker
        assert worker is not None
        worker.kill(number)
        os.write(self._go, b".")
        assert worker.ended(LONGEST)
        with contextlib.suppress(BlockingIOError):
            self._drain()
        self._bury(worker)

    def _drain(self) -> None:
        """Take back the word to go on, where nobody has heard it."""
        while select.select([self._go], [], [], 0)[0]:
            os.read(self._go, 100)

    def _stop(self) -> None:
        """End the worker in order."""
        if self._worker is not None:
            self._end(signal.SIGTERM)

    def _kill(self, _act: Act) -> None:
        self._end(signal.SIGKILL)

    def _die(self, act: Act) -> None:
        point = self._chance.choice(POINTS)
        self._next |= {
            "MIND_TESTING": "1",
            "MIND_FAIL": f"{point}:kill@{self._chance.choice((1, 1, 2, 3))}",
        }
        self._kill(act)

    def _push(self, act: Act) -> None:
        for _ in range(act.count):
            self._send(1, act.priority, f"A word of {act.priority}, to study.")

    def _burst(self, act: Act) -> None:
        self._send(act.count, act.priority, "One of very many. " * 60)

    def _send(self, count: int, priority: int, words: str) -> None:
        """Push some events, each with a mark of its own; note what was acknowledged."""
        marks = [f"#e{next(self._marks):07d}#" for _ in range(count)]
        lines = self.folder / "lines.jsonl"
        lines.write_text("".join(f'{{"text":"{mark} {words}","key":"{mark}"}}\n' for mark in marks))
        given = ["--agent", "ava", "--priority", str(priority)]
        found = self._nursery.run("inbox", "push", *given, "lines.jsonl")
        self.acknowledged |= {one["id"]: mark for one, mark in zip(found, marks, strict=True)}

    def _jump(self, act: Act) -> None:
        wall, boot, due = times.read(self.folder)
        times.write(wall + act.seconds, boot, due, self.folder)

    def _focus(self, _act: Act) -> None:
        self._nursery.run("concern", "focus", "--agent", "ava", "study")

    def _unfocus(self, _act: Act) -> None:
        self._nursery.run("concern", "focus", "--agent", "ava", "--none")

    def _slow(self, act: Act) -> None:
        self._next["SIMULATED_SLOWNESS"] = "25"
        self._kill(act)

    def _quick(self, act: Act) -> None:
        del self._next["SIMULATED_SLOWNESS"]
        self._kill(act)

    def _break(self, _act: Act) -> None:
        (self.folder / "answer").rename(self.folder / "lost")

    def _mend(self, _act: Act) -> None:
        with contextlib.suppress(FileNotFoundError):
            (self.folder / "lost").rename(self.folder / "answer")

    def _damage(self, _act: Act) -> None:
        """Let a page of the store be bad for a while, and be looked for by its owner."""
        self._stop()
        with looked_into(self.folder) as store:
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file = self.folder / "mind.db"
        sound = file.read_bytes()
        file.write_bytes(sound[:8192] + b"\xff" * 64 + sound[8256:])
        check = self._nursery.start(["store", "check"], self.folder / "checked", {})
        assert check.status() != 0
        file.write_bytes(sound)
        self._nursery.run("store", "recover")

    def _sample(self, act: Act) -> None:
        """Measure the worker while nobody kills it, and wake the agent if it was put to rest."""
        worker = self._worker
        if worker is not None and self.plan.is_calm(act.at):
            status = Path(f"/proc/{worker.pid}/status").read_text()
            resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
            files = len(list(Path(f"/proc/{worker.pid}/fd").iterdir()))
            self.calm.append(Sample(act.at / 60, int(resident.split()[1]), files))
        paused = "SELECT body ->> '$.paused' FROM agent WHERE name = 'ava'"
        if self.cell(paused) is not None:
            self._nursery.run("agent", "set", "ava", "--unset", "paused")

    def _settle(self) -> None:
        """Let the agent do all that is left, brought back to life where three crashes buried it."""
        self._mend(Act(0.0, "mend"))
        self._next = {}
        of_ava = ("--agent", "ava")
        for one in self._nursery.run("inbox", "list", *of_ava, "--state", "dead"):
            self.poisoned += 1
            self._nursery.run("inbox", "redrive", *of_ava, one["id"])
        for _ in range(100):
            wall, boot, _ = times.read(self.folder)
            times.write(wall, boot, float("inf"), self.folder)
            out = self.folder / "last"
            last = self._nursery.start(
                ["run", "--agent", "ava", "--once"], out, {times.WORKER: "1", **self.settings}
            )
            status = last.status()
            if status == 3:
                return
            assert status == 0, last.words()
        raise AssertionError("it never comes to rest")

    def cell(self, sql: str) -> object:
        """Return the first cell that a query of the store gives."""
        with looked_into(self.folder) as store:
            return next(iter(store.execute(sql)), (None,))[0]

    def rows(self, sql: str) -> Iterator[tuple[object, ...]]:
        """Yield the rows that a query of the store gives."""
        with looked_into(self.folder) as store:
            yield from store.execute(sql)

    def read(self) -> Counter[str]:
        """Return how often the agent said of each mark that it read it."""
        found = (MARK.match(str(text)) for (text,) in self.rows("SELECT text FROM post"))
        return Counter(one[1] for one in found if one)

    def verify(self) -> None:
        """Follow the hash chain of the whole history."""
        self._nursery.run("history", "verify", "--agent", "ava")

    def tell(self) -> None:
        """Say what was lived through."""
        cycles = self.cell("SELECT count(*) FROM cycle")
        sys.stdout.write(
            f"{self.plan.hours:g} hours: {self.lives} lives, ends {dict(self.ends)}, "
            f"{len(self.acknowledged)} events, {cycles} cycles, acts {dict(self.acts)}, "
            f"resident {self.calm[0].resident_kib} to {self.calm[-1].resident_kib} KiB, "
            f"{self.poisoned} redriven\n"
        )
