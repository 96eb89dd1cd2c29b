"""Live through a plan of the world: one worker after the other, each until it is killed."""

import contextlib
import itertools
import random
import re
import signal
import stat
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from support.command import looked_into
from support.server_stores import ON_SERVER
from support.simulation import times
from support.simulation.worker import SimulatedWorker, SimulatedWorld
from support.simulation.world import HOUR, Act, Plan

MODEL = Path(__file__).with_name("answer.awk")
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
MARK = re.compile(r"^read (#e\d+#)$")


@dataclass
class Sample:
    """What a worker took at one moment: minutes since the beginning, KiB, open files."""

    minute: float
    resident_kib: int
    files: int


@dataclass
class Days(SimulatedWorld):
    """A store with one agent, the world around it, and what was seen of its life."""

    folder: Path
    plan: Plan
    settings: dict[str, str] = field(default_factory=dict)
    build: str = "support.simulation.times"
    points: tuple[str, ...] = POINTS
    acknowledged: dict[str, str] = field(default_factory=dict)
    calm: list[Sample] = field(default_factory=list)
    acts: Counter[str] = field(default_factory=Counter)
    poisoned: int = 0

    def __enter__(self) -> Self:
        """Make the world ready."""
        self._chance = random.Random(f"{self.plan.seed}/deaths")
        self._marks = itertools.count(1)
        self.worker = SimulatedWorker(
            self.folder, ["--agent", "ava"], settings=self.settings, build=self.build
        )
        answer = self.folder / "answer"
        answer.write_text(f"#!/bin/sh\nexec awk -f {MODEL}\n")
        answer.chmod(stat.S_IRWXU)
        self._nursery = self.worker.nursery
        for words in (
            "init",
            "agent new ava --max-tokens 6000 --model program:./answer",
            "space new log",
            "space join log ava",
            "concern add --agent ava study --about keyword:study --share 0.3",
        ):
            self._nursery.run(*words.split())
        return self

    @property
    def lives(self) -> int:
        """Return how many workers lived."""
        return self.worker.lives

    @property
    def ends(self) -> Counter[int]:
        """Return how they ended."""
        return self.worker.ends

    @property
    def complaints(self) -> list[str]:
        """Return what those said that did not end as they should."""
        return self.worker.complaints

    def live(self) -> None:
        """Let everything happen that is planned, then let the agent come to rest."""
        for act in self.plan.acts():
            self.worker.until(act.at)
            self.acts[act.deed] += 1
            getattr(self, f"_{act.deed}")(act)
        self.worker.until(self.plan.hours * HOUR)
        self.worker.stop()
        self._settle()

    def _kill(self, _act: Act) -> None:
        self.worker.end(signal.SIGKILL)

    def _die(self, act: Act) -> None:
        point = self._chance.choice(self.points)
        self.worker.next |= {
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
        self.worker.last("SIMULATED_SLOWNESS", "25")
        self._kill(act)

    def _quick(self, act: Act) -> None:
        del self.worker.next["SIMULATED_SLOWNESS"]
        self._kill(act)

    def _break(self, _act: Act) -> None:
        (self.folder / "answer").rename(self.folder / "lost")

    def _mend(self, _act: Act) -> None:
        with contextlib.suppress(FileNotFoundError):
            (self.folder / "lost").rename(self.folder / "answer")

    def _damage(self, _act: Act) -> None:
        """Let a page of the store be bad for a while, and be looked for by its owner."""
        if ON_SERVER:
            return
        self.worker.stop()
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
        worker = self.worker.process
        if worker is not None and self.plan.is_calm(act.at):
            status = Path(f"/proc/{worker.pid}/status").read_text()
            resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
            files = len(list(Path(f"/proc/{worker.pid}/fd").iterdir()))
            self.calm.append(Sample(act.at / 60, int(resident.split()[1]), files))
        paused = "SELECT body ->> '$.paused' FROM agent WHERE name = 'ava'"
        if self.worker.cell(paused) is not None:
            self._nursery.run("agent", "set", "ava", "--unset", "paused")

    def _settle(self) -> None:
        """Let the agent do all that is left, brought back to life where three crashes buried it."""
        self._mend(Act(0.0, "mend"))
        of_ava = ("--agent", "ava")
        for one in self._nursery.run("inbox", "list", *of_ava, "--state", "dead"):
            self.poisoned += 1
            self._nursery.run("inbox", "redrive", *of_ava, one["id"])
        self.worker.rest()

    def read(self) -> Counter[str]:
        """Return how often the agent said of each mark that it read it."""
        found = (MARK.match(str(text)) for (text,) in self.worker.rows("SELECT text FROM post"))
        return Counter(one[1] for one in found if one)

    def verify(self) -> None:
        """Follow the hash chain of the whole history."""
        self._nursery.run("history", "verify", "--agent", "ava")

    def tell(self) -> None:
        """Say what was lived through."""
        cycles = self.worker.cell("SELECT count(*) FROM cycle")
        sys.stdout.write(
            f"{self.plan.hours:g} hours: {self.lives} lives, ends {dict(self.ends)}, "
            f"{len(self.acknowledged)} events, {cycles} cycles, acts {dict(self.acts)}, "
            f"resident {self.calm[0].resident_kib} to {self.calm[-1].resident_kib} KiB, "
            f"{self.poisoned} redriven\n"
        )
