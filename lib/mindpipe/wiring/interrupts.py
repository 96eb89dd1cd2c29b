"""Hear of an emergency while a worker thinks: a thread looks out and wakes the one at work.

Nothing is looked for between model and tool calls, where the worker looks by itself.
"""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Self

from mindpipe.core.errors import MindError, RefusedError
from mindpipe.core.events import Command, Priority
from mindpipe.core.ports import Clock
from mindpipe.inbox.verbs import emergencies
from mindpipe.loop.verbs import commands
from mindpipe.think.verbs.joining import EmergencyError
from mindpipe.wiring.workers import reading

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore
    from mindpipe.wiring.stopping import Stop

LOOK_SECONDS = 0.05
MOST_IN_A_CYCLE = 3
"""So many calls of one cycle are interrupted; what comes then waits for the next turn."""

WAKE = signal.SIGUSR1


class Alarm:
    """Interrupt the model call or tool under way when an emergency comes to the agent at work.

    A model call ends at once; a tool has `seconds` left. It is heard of in the main thread only,
    by a signal of its own, and raises where a block is marked for it, else at the next `check`.
    """

    def __init__(self, store: Path, clock: Clock, *, seconds: float) -> None:
        self._store = store
        self._clock = clock
        self._seconds = seconds
        self._worker = threading.main_thread()
        self._thread = threading.Thread(target=self._look_out, name="alarm", daemon=True)
        self._counting = threading.Lock()
        self._calls = 0
        self._busy, self._quiet, self._over = (threading.Event() for _ in range(3))
        self._agent = ""
        self._heard: set[str] = set()
        self._since: float | None = None
        self._left = 0
        self._at_once = False
        self._before: object = None

    def __enter__(self) -> Self:
        """Begin to look out."""
        self._before = signal.signal(WAKE, self._hear)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Look out no longer."""
        self._over.set()
        self._quiet.set()
        self._busy.set()
        self._thread.join()
        signal.signal(WAKE, self._before)  # type: ignore[arg-type]  # what signal.signal returned

    @contextlib.contextmanager
    def around(self, agent: str) -> Iterator[None]:
        """Mark a cycle of an agent: only in it anything is heard."""
        self._agent, self._heard, self._since = agent, set(), None
        self._left = MOST_IN_A_CYCLE
        try:
            yield
        finally:
            self._left, self._since = 0, None

    @contextlib.contextmanager
    def now(self) -> Iterator[None]:
        """Mark a block that an emergency ends at once: a model call, or a wait."""
        with self._listening():
            try:
                self._at_once = True
                self.check()
                yield
            finally:
                self._at_once = False

    @contextlib.contextmanager
    def soon(self) -> Iterator[None]:
        """Mark a block that has the seconds left that `ends_at` says; several threads may."""
        with self._listening():
            yield

    def check(self) -> None:
        """Raise EmergencyError if one was heard of, once."""
        if self._since is not None and self._left:
            self._left -= 1
            self._since = None
            raise EmergencyError

    def ends_at(self) -> float | None:
        """Return when, on the monotonic clock, a tool has to end; None where nothing was heard."""
        since = self._since
        return None if since is None else since + self._seconds

    @contextlib.contextmanager
    def _listening(self) -> Iterator[None]:
        """Let the other thread look out meanwhile."""
        with self._counting:
            self._calls += 1
            self._quiet.clear()
            self._busy.set()
        try:
            yield
        finally:
            with self._counting:
                self._calls -= 1
                if not self._calls:
                    self._busy.clear()
                    self._quiet.set()

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        """Raise in a block that ends at once, not again while it ends."""
        if self._at_once:
            self._at_once = False
            self.check()

    def _look_out(self) -> None:
        """Look for emergencies during calls; a store that cannot be read ends it."""
        with contextlib.suppress(MindError), reading(self._store) as store:
            while not self._over.is_set():
                self._busy.wait()
                self._look(store)

    def _look(self, store: "SqliteStore") -> None:
        """Look again and again until the calls have ended, where the store has changed."""
        seen: int | None = None
        while not self._quiet.wait(LOOK_SECONDS):
            version = store.connection.pragma("data_version")
            if version == seen or not self._left:
                continue
            seen = version
            found = set(emergencies.waiting(store, self._clock, agent=self._agent))
            if found - self._heard:
                self._heard |= found
                self._since = time.monotonic()
                signal.pthread_kill(self._worker.ident or 0, WAKE)


def obey(
    store: "SqliteStore",
    clock: Clock,
    stop: "Stop",
    *,
    agent: str,
    owner: str,
    up_to: Priority = Priority.URGENT,
) -> tuple[Command, ...]:
    """Do what the operator told a loop meanwhile, and return it.

    Raises:
        StoppedError: it is to stop.
    """
    told = commands.obey(store, clock, agent=agent, owner=owner, up_to=up_to)
    if Command.STOP in told:
        stop.ask()
        stop.check()
    return told


def obey_in_a_cycle(
    store: "SqliteStore", clock: Clock, stop: "Stop", *, agent: str, owner: str
) -> None:
    """Do the same for emergencies while a cycle is open, which a pause suspends.

    Raises:
        StoppedError: it is to stop.
        RefusedError: its agent rests from now on.
    """
    told = obey(store, clock, stop, agent=agent, owner=owner, up_to=Priority.EMERGENCY)
    if told and told[-1] is Command.PAUSE:
        raise RefusedError(f"{agent} was paused by an interrupt.")
