"""Observe processes and their ends, and programs whose lines are events."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    RefusedError,
    StoreBusyError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.ports import Clock
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record, to_json
from mindpipe.io.processes import Child, born_of, child, drain, wait_for_end
from mindpipe.observers.adapters.lines import LineTaker, ReportedBadLines
from mindpipe.observers.changes import Keeper
from mindpipe.observers.events import event_of, key_of
from mindpipe.observers.records import Observed, ObserverStep, Speaking, Watched
from mindpipe.observers.rules import failures_after, pause

_RUNNING = "running"
_TURN_SECONDS = 0.2
_GRACE_SECONDS = 3.0


class _Running(Record):
    """A process that was told to have started: what tells it from any other."""

    boot: str
    pid: int
    born: str


class LifeObserver:
    """Tell when a process starts and how it ends, each once, whoever ends in between."""

    def __init__(self, entry: Watched, keeper: Keeper, *, agent: str | None, clock: Clock) -> None:
        self._entry = entry
        self._keeper = keeper
        self._agent = agent
        self._clock = clock
        self.name = f"process:{agent or ''}:{entry.observer}"

    def run(self, stop: threading.Event) -> None:
        """Watch the process to its end, or until `stop` is set, which ends one that it runs.

        Raises:
            UnavailableError: there is no such process, or the program cannot start.
        """
        if self._entry.command is not None:
            self._run_command(self._entry.command, stop)
        elif self._entry.pid is not None:
            self._watch(self._entry.pid, stop)

    def _watch(self, pid: int, stop: threading.Event) -> None:
        """Watch a process that somebody else runs; nobody tells its exit status."""
        before = self._told_of()
        born = born_of(pid)
        now = _Running(boot=self._clock.boot().boot, pid=pid, born=born or "")
        if before is not None and before != now:
            self._end(before, None)
        if born is None:
            if before is None:
                raise UnavailableError(f"there is no process {pid}.")
            return
        if before != now:
            self._begin(now)
        if wait_for_end(pid, stop, seconds=_TURN_SECONDS):
            self._end(now, None)

    def _run_command(self, command: tuple[str, ...], stop: threading.Event) -> None:
        """Run a program and watch it; one of an earlier observer ended with that one."""
        before = self._told_of()
        if before is not None:
            self._end(before, None)
        with child(command, dict(os.environ), grace=_GRACE_SECONDS) as made, _ending(made, stop):
            now = _Running(
                boot=self._clock.boot().boot, pid=made.pid, born=born_of(made.pid) or "gone"
            )
            self._begin(now)
            drain(made, limit=1 << 20)
            self._end(now, made.status())

    def _told_of(self) -> _Running | None:
        """Return the process that was told to have started and not to have ended."""
        mark = self._keeper.load(self.name).marks.get(_RUNNING)
        return None if mark is None else msgspec.json.decode(mark, type=_Running)

    def _begin(self, now: _Running) -> None:
        """Tell that a process started."""
        self._tell(self._seen("started"), now, mark=to_json(now).decode())

    def _end(self, ended: _Running, status: int | None) -> None:
        """Tell that a process ended."""
        self._tell(self._seen("exited", status), ended, mark=None)

    def _seen(self, kind: str, status: int | None = None) -> Observed:
        """Return what is observed of this process."""
        shown = " ".join(self._entry.command or (str(self._entry.pid),))
        observers = (self._entry.observer,)
        return Observed(kind=kind, path=shown, observers=observers, status=status)

    def _tell(self, seen: Observed, whose: _Running, *, mark: str | None) -> None:
        """Hand on one observation together with what is known from then on."""
        event = event_of(
            seen,
            agent=self._entry.agent or self._agent,
            observer=self._entry.observer,
            key=key_of(self.name, seen.kind, whose),
            boost=self._entry.priority_boost,
        )
        self._keeper.keep(ObserverStep(observer=self.name, events=(event,), marks={_RUNNING: mark}))


class ProgramObserver:
    """Hand on the lines of a program that stays; when it ends it is started again."""

    def __init__(
        self,
        entry: Speaking,
        taker: LineTaker,
        *,
        clock: Clock,
        tell: Callable[[str], None],
    ) -> None:
        self._entry = entry
        self._taker = taker
        self._clock = clock
        self._tell = tell
        self.name = f"program:{entry.observer}"

    def run(self, stop: threading.Event) -> None:
        """Run the program again and again, with growing pauses where it ends soon."""
        failures = 0
        while not stop.is_set():
            began = self._clock.boot().seconds
            try:
                words = self.run_once(stop)
            except UnavailableError as error:
                words = str(error)
            failures = failures_after(failures, lasted=self._clock.boot().seconds - began)
            if not stop.is_set():
                self._tell(f"{words} It is started again in {pause(failures):g} s.")
                stop.wait(pause(failures))

    def run_once(self, stop: threading.Event) -> str:
        """Run the program to its end and say how it ended.

        Raises:
            UnavailableError: it cannot start.
        """
        limit = self._taker.rules().bounds.max_bytes
        command = self._entry.command
        with child(command, dict(os.environ), grace=_GRACE_SECONDS) as made, _ending(made, stop):
            for group in made.lines(limit=limit, source=self._entry.observer):
                self._take(group, stop)
            status = made.status()
            said = f": {made.last_words.splitlines()[-1]}" if made.last_words else ""
        return f"{command[0]} ended with status {status}{said}."

    def _take(self, group: list[tuple[int, bytes] | Problem], stop: threading.Event) -> None:
        """Hand on one group, as often as it takes; while there is no room the program waits."""
        bad_lines = ReportedBadLines(self._tell)
        lines = [found for found in group if not isinstance(found, Problem)]
        bad_lines.refuse([found for found in group if isinstance(found, Problem)], b"")
        failures = 0
        while not stop.is_set():
            try:
                self._taker.take(
                    lines, key=None, bad_lines=bad_lines if not failures else _Silent()
                )
            except (RefusedError, StoreBusyError) as error:
                failures += 1
                if failures == 1:
                    self._tell(f"{error} The program waits.")
                stop.wait(pause(failures))
            except (BadInputError, UsageError) as error:
                self._tell(f"rejected: {error}")
                return
            else:
                return


class _Silent(ReportedBadLines):
    """Say nothing of lines that were named before."""

    def __init__(self) -> None:
        super().__init__(lambda _words: None)


@contextmanager
def _ending(made: Child, stop: threading.Event) -> Iterator[None]:
    """End a program as soon as `stop` is set."""
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            if stop.wait(_TURN_SECONDS):
                made.end()
                return

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()
