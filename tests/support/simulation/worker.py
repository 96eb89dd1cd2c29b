"""A worker in a simulated time: one life after the other, each until the world ends it."""

import contextlib
import os
import select
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from support.command import looked_into
from support.processes import Newborn, Nursery
from support.simulation import times

LONGEST = 1800.0
"""Seconds of ours within which a worker waits again: a flood is a cycle for each event."""
BEGINNING = 1_780_272_000.0
"""The wall clock as a world begins: 2026-06-01T00:00:00Z."""
RECOVER = 75


class SimulatedWorker:
    """Let `mind run` live up to the instants at which the world acts, begun anew where it died.

    `lives` counts its processes, `ends` how they ended, and `complaints` holds what one said that
    ended otherwise than in order or by our own hand. `next` is what the next life finds in its
    environment besides `settings`.
    """

    def __init__(
        self,
        folder: Path,
        arguments: Sequence[str],
        *,
        settings: Mapping[str, str],
        build: str = "support.simulation.times",
        beginning: float = BEGINNING,
    ) -> None:
        self.folder = folder
        self.lives = 0
        self.ends: Counter[int] = Counter()
        self.complaints: list[str] = []
        self.words: list[str] = []
        self.next: dict[str, str] = {}
        self.process: Newborn | None = None
        self._arguments = ["run", *arguments]
        self._settings = dict(settings)
        self._lasting: set[str] = set()
        for name in (times.WORLD, times.GO):
            os.mkfifo(folder / name, 0o600)
        # Both ends of each, so that neither opening nor dying leaves anybody waiting.
        self._world, self._go = (
            os.open(folder / name, os.O_RDWR) for name in (times.WORLD, times.GO)
        )
        times.write(beginning, 0.0, 0.0, folder)
        self.nursery = Nursery(folder, build)

    def __enter__(self) -> Self:
        """Be there."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave nobody behind."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill(signal.SIGKILL)
            self.process.status()
        self.nursery.close()
        os.close(self._world)
        os.close(self._go)

    def cell(self, sql: str, *values: object) -> object:
        """Return the first cell that a query of the store gives."""
        return next(iter(self.rows(sql, *values)), (None,))[0]

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows that a query of the store gives."""
        with looked_into(self.folder) as store:
            return list(store.execute(sql, values))

    def last(self, name: str, value: str) -> None:
        """Let every life from the next one on find this in its environment."""
        self._lasting.add(name)
        self.next[name] = value

    def until(self, at: float) -> None:
        """Let workers live until the world is due, and stand there with one that waits."""
        wall, boot, _ = times.read(self.folder)
        times.write(wall, boot, at, self.folder)
        while True:
            if self.process is None:
                self._begin()
            else:
                os.write(self._go, b".")
            if self._waits():
                return

    def _waits(self) -> bool:
        """Tell whether the worker has come to wait for the world; else it has ended."""
        worker = self.process
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
        self.process = None
        status = worker.status()
        self.ends[status] += 1
        self.words.append(worker.words())
        if status == RECOVER and "RECOVERY" in worker.words():
            self.nursery.run("store", "recover", "--resume")
        elif status not in {0, -signal.SIGKILL}:
            self.complaints.append(f"{status}: {worker.words()[-300:]}")

    def _begin(self) -> None:
        """Start a worker."""
        self.lives += 1
        environment = {times.WORKER: "1", **self._settings, **self.next}
        self.next = {name: value for name, value in self.next.items() if name in self._lasting}
        out = self.folder / "worker"
        for file in (out, out.with_name("worker.err")):
            file.unlink(missing_ok=True)
        self.process = self.nursery.start(self._arguments, out, environment)

    def end(self, number: int) -> None:
        """Send the waiting worker a signal, let it go on, and wait for its end."""
        worker = self.process
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

    def stop(self) -> None:
        """End the worker in order."""
        if self.process is not None:
            self.end(signal.SIGTERM)

    def rest(self) -> None:
        """Let all be done that is due, without pauses; fail where it never ends."""
        self.next = {}
        for _ in range(100):
            wall, boot, _ = times.read(self.folder)
            times.write(wall, boot, float("inf"), self.folder)
            environment = {times.WORKER: "1", **self._settings}
            out = self.folder / "last"
            last = self.nursery.start([*self._arguments, "--once"], out, environment)
            status = last.status()
            if status == 3:
                return
            assert status == 0, last.words()
        raise AssertionError("it never comes to rest")


class SimulatedWorld:
    """What is around a simulated worker, and ends with it."""

    worker: SimulatedWorker

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave nobody behind."""
        self.worker.__exit__(kind, error, trace)
