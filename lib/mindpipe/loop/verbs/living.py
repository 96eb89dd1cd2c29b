"""Stay: think whenever something is due, wait while nothing is or nothing can be done."""

import hashlib
from collections.abc import Iterator

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import AgentChange
from mindpipe.core.errors import (
    InputOutputError,
    MindError,
    NothingToDoError,
    RecoveryError,
    RefusedError,
    TemporaryError,
)
from mindpipe.core.events import NewEvent, Priority
from mindpipe.history.verbs import cycles
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.loop import words
from mindpipe.loop.jumps import Jumps
from mindpipe.loop.records import Bounds
from mindpipe.loop.worker import Worker
from mindpipe.think.records import CycleReport
from mindpipe.think.verbs import tickets

POLL_SECONDS = 1.0
MOST_ERRORS = 5
_LONGEST_REST = 60.0
_SOURCE = "loop"


def run(worker: Worker, *, bounds: Bounds) -> Iterator[CycleReport]:
    """Live one cycle after the other within some bounds and yield what each did.

    A passing fault, a cap or a pause is waited out, and said once. An error is told to the agent;
    five in a row pause it. A wall clock that jumps is spoken of, and changes nothing.

    Raises:
        RecoveryError: the store went into RECOVERY.
        InputOutputError: the disk is full or the store damaged.
        MindError: with `once`, whatever one cycle ends with.
    """
    life = _Life(worker, patient=not bounds.once)
    jumps = Jumps(worker.clock)
    lived = 0
    while not _is_over(worker, bounds, lived):
        worker.check()
        for note in jumps.notes():
            worker.tell(note)
        if not life.is_due():
            if bounds.once:
                return
            worker.wait(POLL_SECONDS)
            continue
        report = life.cycle()
        if report is not None:
            lived += 1
            yield report


def _is_over(worker: Worker, bounds: Bounds, lived: int) -> bool:
    """Tell whether the worker has stayed as long as it should."""
    if bounds.cycles is not None and lived >= bounds.cycles:
        return True
    return bounds.until is not None and worker.clock.now() >= bounds.until


class _Life:
    """What a worker has said and how often it failed in a row."""

    def __init__(self, worker: Worker, *, patient: bool) -> None:
        self._worker = worker
        self._patient = patient
        self._said = ""
        self._vain = 0
        self._errors = 0

    def is_due(self) -> bool:
        """Tell whether a cycle would find something to do; asks without writing."""
        worker, name = self._worker, self._worker.run.agent
        if self._patient and (why := agents.show(worker.store, name=name).paused):
            self._say(f"{name} is paused: {why}. Run mind agent set {name} --unset paused.")
            return False
        if inbox.peek(worker.store, worker.clock, agent=name, limit=1):
            return True
        if tickets.is_due(worker.store, worker.clock, agent=name):
            return True
        return cycles.open_one(worker.store, agent=name) is not None

    def cycle(self) -> CycleReport | None:
        """Live one cycle, or bear what kept it from being one."""
        try:
            report = self._worker.think()
        except (RecoveryError, InputOutputError):
            raise
        except NothingToDoError:
            self._worker.wait(POLL_SECONDS)
        except (TemporaryError, RefusedError) as fault:
            self._bear(fault)
        except Exception as error:
            self._fail(error)
        else:
            self._said, self._vain, self._errors = "", 0, 0
            return report
        return None

    def _bear(self, fault: MindError) -> None:
        """Wait for what passes by itself, or for a person who raises a cap."""
        if not self._patient:
            raise fault
        self._say(str(fault))
        passing = isinstance(fault, TemporaryError)
        self._vain = 0 if passing else self._vain + 1
        self._rest(POLL_SECONDS if passing else 2.0**self._vain)

    def _fail(self, error: Exception) -> None:
        """Tell the agent of an error, once in this life; the fifth in a row pauses it."""
        if not self._patient:
            raise error
        said = str(error) if isinstance(error, MindError) else f"{type(error).__name__}: {error}"
        self._say(said)
        if agents.show(self._worker.store, name=self._worker.run.agent).paused:
            return
        self._errors += 1
        if self._errors < MOST_ERRORS:
            self._raise_event(said)
            self._rest(2.0**self._errors)
        else:
            self._pause(f"{MOST_ERRORS} errors in a row, the last: {said}")
            self._errors = 0

    def _raise_event(self, said: str) -> None:
        """Push a critical event about an error; the same error is the same event."""
        run = self._worker.run
        key = f"{run.id}:{hashlib.sha256(said.encode()).hexdigest()[:16]}"
        with self._worker.store.write():
            self._worker.deliver(
                [
                    NewEvent(
                        agent=run.agent,
                        source=_SOURCE,
                        key=key,
                        priority=Priority.CRITICAL,
                        text=words.of_error(said),
                    )
                ]
            )

    def _pause(self, why: str) -> None:
        """Let the agent rest until a person has looked, with a ticket that says why."""
        worker, name = self._worker, self._worker.run.agent
        with worker.store.write():
            open_one = cycles.open_one(worker.store, agent=name)
            agents.set_(worker.store, name=name, change=AgentChange(paused=why))
            matter = tickets.Matter("escalation", why, open_one.cycle if open_one else 0)
            tickets.open_matter(
                worker.store, worker.clock, worker.chance, agent=name, matter=matter
            )

    def _say(self, said: str) -> None:
        """Say why nothing happens, unless it was the last thing said."""
        if said != self._said:
            self._worker.tell(said)
            self._said = said

    def _rest(self, seconds: float) -> None:
        """Wait, at most a minute, or until somebody changes the agent's settings."""
        worker, name = self._worker, self._worker.run.agent
        before = agents.show(worker.store, name=name)
        until = worker.clock.boot().seconds + min(seconds, _LONGEST_REST)
        while (left := until - worker.clock.boot().seconds) > 0:
            worker.check()
            worker.wait(min(left, POLL_SECONDS))
            if agents.show(worker.store, name=name) != before:
                return
