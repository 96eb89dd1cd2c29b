"""The workers of this machine: programs that work on tasks, each seen to by a process of ours."""

import datetime
import math
import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    FencedError,
    MindError,
    StoreBusyError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.instants import format_instant
from mindpipe.core.json import load_json
from mindpipe.core.ports import NOBODY, Clock, Deliver, Limits, ProgramCall, ProgramRun, Store
from mindpipe.core.problems import problems_of
from mindpipe.core.records import to_json
from mindpipe.core.text import storable_text
from mindpipe.engine.tools.tasks import handed_back
from mindpipe.engine.worker.delegation import Delegation
from mindpipe.io.processes import born_of
from mindpipe.io.programs import LocalPrograms, start_apart
from mindpipe.settings import Settings
from mindpipe.store.address import Where
from mindpipe.store.postgres.clock import SERVER, heard_since, machine_of, sees
from mindpipe.tasks.records import PROGRAM, Identity, Report, Task
from mindpipe.tasks.verbs import task as tasks

_MIND = "from mindpipe_cli.main import main; main()"


class LocalWorkers:
    """Programs by name as the operator named them, and such that a task names itself."""

    def __init__(self, programs: dict[str, str], *, store: Where, clock: Clock) -> None:
        self._programs = programs
        self._store = store
        self._clock = clock

    def is_program(self, to: str) -> bool:
        """Tell whether a task's `to` means a program."""
        return to.startswith(PROGRAM) or to in self._programs

    def program_of(self, to: str) -> str | None:
        """Return the program that `to` means; None where it means an agent."""
        return self._programs.get(to) or to.removeprefix(PROGRAM) if self.is_program(to) else None

    def start(self, task: Task) -> None:
        """Start a process of ours that takes a task up and runs its program."""
        words = ("task", "work", task.id, "--sent", str(task.sends), "--store", str(self._store))
        start_apart((sys.executable, "-c", _MIND, *words), os.environ)

    def lives(self, worker: Identity) -> bool:
        """Tell whether the very process of a worker is there; of another machine, if it may be.

        That of another machine of a server is lost once nothing was heard of it for long.
        """
        if sees(self._clock, worker.boot):
            return born_of(worker.pid) == worker.born
        return self._clock.boot().boot == SERVER

    def heard_since(self) -> str:
        """Return since when they can be heard, where the store was away; else an empty text."""
        since = -math.inf if isinstance(self._store, Path) else heard_since(self._store)
        if since == -math.inf:
            return ""
        return format_instant(datetime.datetime.fromtimestamp(since, datetime.UTC))


def programs_of(settings: Settings) -> dict[str, str]:
    """Return the programs that the operator named, by their names.

    Raises:
        UsageError: a word of the setting names no program.
    """
    programs: dict[str, str] = {}
    for word in shlex.split(settings.tasks.workers or ""):
        name, _, to = word.partition("=")
        path = to.removeprefix(PROGRAM)
        if not name or path in (to, ""):
            raise UsageError(f'"{word}" is no worker; write NAME=program:PATH.')
        programs[name] = os.path.abspath(path)  # noqa: PTH100 - links stay as they are
    return programs


def workers_of(settings: Settings, *, store: Where, clock: Clock) -> LocalWorkers:
    """Return the workers that the operator named; raises UsageError for a word that is none."""
    return LocalWorkers(
        programs_of(settings),
        store=store.absolute() if isinstance(store, Path) else store,
        clock=clock,
    )


def delegation_of(settings: Settings, *, store: Where, clock: Clock) -> Delegation:
    """Return who works on tasks and when they count as stuck."""
    return Delegation(
        workers=workers_of(settings, store=store, clock=clock),
        heartbeat=settings.tasks.heartbeat_seconds,
        trust=settings.security.sources(),
    )


_LINE_BYTES = 1 << 20
_LOOK_SECONDS = 1.0
_BEAT_SECONDS = 1.0
_NEWS_SECONDS = 0.5
_TAIL = 2000
_MEMORY_BYTES = 4 << 30


class TaskProcess:
    """One process's work on one task, from taking it up to its end.

    However fast its program prints, what it says of its progress is written at most twice a second
    by `monotonic`, and at its end: the latest progress and the latest checkpoint. A store that is
    away, or busy, is waited for, at the end for as long as the program might have worked.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        deliver: Deliver,
        *,
        task: str,
        sends: int,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._clock = clock
        self._deliver = deliver
        self._task = task
        self._sends = sends
        self._rest = b""
        self._last: Report | None = None
        self._fenced: FencedError | None = None
        self._monotonic = monotonic
        self._looked = monotonic()
        self._kept = self._looked - _NEWS_SECONDS
        self._unkept: Report | None = None
        self._until = self._kept

    def work(self, argv: tuple[str, ...], *, seconds: float) -> Task:
        """Run the task's program to its end.

        Raises:
            FencedError: somebody else has the task, or it was sent anew or ended meanwhile.
            StoreBusyError: the store was away all the time.
        """
        self._until = self._monotonic() + seconds
        pid = os.getpid()
        me = Identity(pid=pid, born=born_of(pid) or "unknown", boot=machine_of(self._clock))
        task = tasks.begin(self._store, self._clock, task=self._task, sends=self._sends, worker=me)
        programs = LocalPrograms(sooner=self._look, hear=self._hear)
        try:
            ended = programs.run(_call(task, argv, seconds))
        except UnavailableError as error:
            return self._end(Report(error=str(error)))
        if self._fenced is not None:
            raise self._fenced
        self._hear(b"\n")
        return self._end(self._outcome(ended))

    def _end(self, report: Report | None) -> Task:
        """Take down what was heard last, and then how it ended."""
        while True:
            self._keep(self._monotonic())
            try:
                if self._unkept is None or self._monotonic() >= self._until:
                    return self._ended(report)
            except StoreBusyError:
                if self._monotonic() >= self._until:
                    raise
            time.sleep(_LOOK_SECONDS)

    def _ended(self, report: Report | None) -> Task:
        with self._store.write(NOBODY):
            made = tasks.end(
                self._store,
                self._clock,
                self._deliver,
                task=self._task,
                sends=self._sends,
                report=report,
            )
            return handed_back(self._store, self._clock, made)

    def _outcome(self, ended: ProgramRun) -> Report | None:
        """Return how a program's end is taken: None where it was killed or ran out of time."""
        if self._last is not None:
            return self._last
        if ended.outgrew:
            return Report(error=f"it took more memory than a task may, {_MEMORY_BYTES} bytes")
        if ended.status is None or ended.status < 0:
            return None
        if ended.status == 0:
            return Report()
        tail = storable_text(ended.stderr)[0].strip()[-_TAIL:]
        return Report(error=f"exit status {ended.status}: {tail}".rstrip(": "))

    def _look(self) -> float | None:
        """Say when the program has to end: at once when the task is no longer ours."""
        now = self._monotonic()
        self._keep_if_due(now)
        if self._fenced is None and now - self._looked >= _LOOK_SECONDS:
            self._looked = now
            try:
                found = tasks.show(self._store, task=self._task)
            except MindError:
                return None
            if found.sends != self._sends or found.worker is None:
                self._fenced = FencedError(f"{self._task} is no longer for this worker.")
        return None if self._fenced is None else time.monotonic()

    def _hear(self, piece: bytes) -> None:
        """Take whole lines out of what the program prints."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        self._rest = self._rest[:_LINE_BYTES]
        for line in lines:
            if line.strip() and self._last is None and self._fenced is None:
                self._heard(_report_of(line))

    def _heard(self, report: Report) -> None:
        """Take down one line; a result or an error counts when the program has ended."""
        if report.result is not None or report.error is not None:
            self._last = report
            return
        self._unkept = report if self._unkept is None else _later(self._unkept, report)
        self._keep_if_due(self._monotonic())

    def _keep_if_due(self, now: float) -> None:
        """Write what was heard since the last time, unless that was just now."""
        report = self._unkept
        if report is not None and now - self._kept >= (
            _BEAT_SECONDS if _only_beats(report) else _NEWS_SECONDS
        ):
            self._keep(now)

    def _keep(self, now: float) -> None:
        """Write what was heard since the last time, if anything."""
        report, self._unkept, self._kept = self._unkept, None, now
        if report is None or self._fenced is not None:
            return
        try:
            tasks.heard(
                self._store,
                self._clock,
                self._deliver,
                task=self._task,
                sends=self._sends,
                report=report,
            )
        except FencedError as fenced:
            self._fenced = fenced
        except StoreBusyError:
            self._unkept = report


def _later(earlier: Report, later: Report) -> Report:
    """Return the latest of two reports in each field."""
    return Report(
        progress=earlier.progress if later.progress is None else later.progress,
        checkpoint=earlier.checkpoint if later.checkpoint is None else later.checkpoint,
        beat=True,
    )


def _only_beats(report: Report) -> bool:
    """Tell whether a report only says that somebody is alive."""
    return report.progress is None and report.checkpoint is None


def _report_of(line: bytes) -> Report:
    """Return what a line says; one that is no report only says that somebody is alive."""
    try:
        found = load_json(line, source="stdout", line=1)
    except BadInputError:
        return Report(beat=True)
    if problems_of(found, Report, source="stdout", line=1):
        return Report(beat=True)
    return msgspec.convert(found, Report)


def _call(task: Task, argv: tuple[str, ...], seconds: float) -> ProgramCall:
    """Return how a task's program is run: the task is on its stdin, the key in its environment."""
    told = {
        "task": task.id,
        "agent": task.agent,
        "kind": task.kind,
        "text": task.text,
        "input": task.input,
        "key": task.key,
        "progress": task.progress,
        "checkpoint": task.checkpoint,
        "retry": task.retry_count,
        "due": task.due_at,
    }
    return ProgramCall(
        argv=argv,
        stdin=to_json(told) + b"\n",
        seconds=seconds,
        environment={
            "IDEMPOTENCY_KEY": task.key,
            "MIND_AGENT": task.agent,
            "MIND_TASK": task.id,
        },
        private_folder=False,
        limits=Limits(cpu_seconds=int(seconds) + 5, memory_bytes=_MEMORY_BYTES, open_files=1024),
    )
