"""The workers of this machine: programs that work on tasks, each seen to by a process of ours."""

import os
import shlex
import sys
from pathlib import Path

from mindpipe.core.errors import UsageError
from mindpipe.core.ports import Clock
from mindpipe.engine.worker.delegation import Delegation
from mindpipe.io.processes import born_of
from mindpipe.io.programs import start_apart
from mindpipe.settings import Settings
from mindpipe.tasks.records import PROGRAM, Identity, Task

_MIND = "from mindpipe_cli.main import main; main()"


class LocalWorkers:
    """Programs by name as the operator named them, and such that a task names itself."""

    def __init__(self, programs: dict[str, str], *, store: Path, clock: Clock) -> None:
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
        """Tell whether the very process of a worker is there."""
        return worker.boot == self._clock.boot().boot and born_of(worker.pid) == worker.born


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


def workers_of(settings: Settings, *, store: Path, clock: Clock) -> LocalWorkers:
    """Return the workers that the operator named; raises UsageError for a word that is none."""
    return LocalWorkers(programs_of(settings), store=store.absolute(), clock=clock)


def delegation_of(settings: Settings, *, store: Path, clock: Clock) -> Delegation:
    """Return who works on tasks and when they count as stuck."""
    return Delegation(
        workers=workers_of(settings, store=store, clock=clock),
        heartbeat=settings.tasks.heartbeat_seconds,
        trust=settings.security.sources(),
    )
