"""Stop or interrupt a worker: signals and emergencies end what waits or may be repeated."""

import contextlib
import signal
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from types import FrameType
from typing import TYPE_CHECKING, Protocol, Self

import msgspec

from mindpipe.core.errors import MindError, RefusedError
from mindpipe.core.events import Command, Priority
from mindpipe.core.models import ModelReply, ModelRequest, Target
from mindpipe.core.ports import (
    BootTime,
    Clock,
    Model,
    Preview,
    ProgramCall,
    ProgramRun,
    Programs,
)
from mindpipe.engine.cycle.emergency import EmergencyError
from mindpipe.engine.worker import commands
from mindpipe.inbox.verbs import emergencies
from mindpipe.io.open_calls import OpenCalls
from mindpipe.settings import Settings
from mindpipe.store.address import Where
from mindpipe.store.worker_sessions import reading

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore


LOOK_SECONDS = 0.05
_AGAIN_SECONDS = 1.0
MOST_IN_A_CYCLE = 3
"""So many calls of one cycle are interrupted; what comes then waits for the next turn."""

WAKE = signal.SIGUSR1


class Alarm:
    """Interrupt the model call or tool under way when an emergency comes to the agent at work.

    A model call, of which `calls` know, is closed; a tool has `seconds` left. A pause of ours ends
    by a signal of its own, which the main thread hears, and raises in it; anything else goes on
    until the next `check`.
    """

    def __init__(self, store: Where, clock: Clock, *, seconds: float, calls: OpenCalls) -> None:
        self._open = calls
        self._asks = False
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
        """Mark a pause of ours, which an emergency ends at once."""
        with self._listening():
            try:
                self._at_once = True
                self.check()
                yield
            finally:
                self._at_once = False

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Mark a model call, which an emergency closes."""
        with self._listening():
            self.check()
            self._open.reopen()
            self._asks = True
            try:
                yield
            finally:
                # What is closed from here on belongs to no call.
                with self._counting:
                    self._asks = False

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
        """Look for emergencies during calls; a store that cannot be read is opened anew."""
        while not self._over.is_set():
            self._busy.wait()
            with contextlib.suppress(MindError), reading(self._store) as store:
                while not self._over.is_set():
                    self._busy.wait()
                    self._look(store)
            self._over.wait(_AGAIN_SECONDS)

    def _look(self, store: "EngineStore") -> None:
        """Look again and again until the calls have ended, where the store has changed."""
        seen: str | None = None
        while not self._quiet.wait(LOOK_SECONDS):
            version = store.stamp()
            if version == seen or not self._left:
                continue
            seen = version
            came = emergencies.waiting(store, self._clock, agent=self._agent)
            found = {event.id for event in came}
            if found - self._heard:
                self._heard |= found
                self._since = time.monotonic()
                with self._counting:
                    if self._asks:
                        self._open.close()
                signal.pthread_kill(self._worker.ident or 0, WAKE)


def obey_commands(
    store: "EngineStore",
    clock: Clock,
    stop: "StopSignal",
    *,
    agent: str,
    owner: str,
    up_to: Priority = Priority.URGENT,
    only: Collection[Command] = frozenset(Command),
) -> tuple[Command, ...]:
    """Do what the operator told a loop meanwhile, and return it.

    Raises:
        StoppedError: it is to stop.
    """
    told = commands.obey(store, clock, agent=agent, owner=owner, up_to=up_to, only=only)
    if Command.STOP in told:
        stop.ask()
        stop.check()
    return told


def obey_emergencies(
    store: "EngineStore",
    clock: Clock,
    stop: "StopSignal",
    *,
    agent: str,
    owner: str,
    only: Collection[Command] = frozenset(Command),
) -> None:
    """Do the same for emergencies while a cycle is open, which a pause suspends.

    Raises:
        StoppedError: it is to stop.
        RefusedError: its agent rests from now on.
    """
    most = Priority.EMERGENCY
    told = obey_commands(store, clock, stop, agent=agent, owner=owner, up_to=most, only=only)
    if told and told[-1] is Command.PAUSE:
        raise RefusedError(f"{agent} was paused by an interrupt.")


ENDS_WITHIN = 10.0
# Of what a stop may take, for a tool that is ended and for the last rows.
_LAST_SECOND = 1.0
TOOL_SECONDS = ENDS_WITHIN - _LAST_SECOND


class StoppedError(BaseException):
    """Say that the worker was asked to stop; what is under way is given up."""


class StopSignal:
    """Hear SIGTERM and SIGINT, or those of them in `hears`, while the block is open.

    `check` raises once one came. `now` marks a wait of ours that is given up at once; model calls,
    of which `calls` know, are closed. `soon` marks a tool that has `tool_seconds` left, unless
    SIGINT comes again; then those of which `programs` know are ended. Anything else goes on until
    the next `check`, so that no transaction is cut, and nothing is raised in code of others.
    """

    def __init__(
        self,
        *,
        hears: tuple[signal.Signals, ...] = (signal.SIGTERM, signal.SIGINT),
        ends_within: float = ENDS_WITHIN,
    ) -> None:
        self.number: int | None = None
        self.calls = OpenCalls()
        self.programs = OpenCalls()
        self.tool_seconds = max(0.01, ends_within - _LAST_SECOND)
        self._signals = (*hears, signal.SIGALRM)
        self._at_once = False
        self._in_time = 0
        self._counting = threading.Lock()
        self._given_up = False
        self._before: list[object] = []

    def __enter__(self) -> Self:
        """Begin to hear."""
        self._before = [signal.signal(number, self._hear) for number in self._signals]
        return self

    def __exit__(self, *_error: object) -> None:
        """Let the signals do again what they did."""
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        for number, before in zip(self._signals, self._before, strict=True):
            signal.signal(number, before)  # type: ignore[arg-type]  # what signal.signal returned

    def ask(self) -> None:
        """Ask the worker to stop, as SIGTERM does."""
        if self.number is None:
            self.number = signal.SIGTERM

    def check(self) -> None:
        """Raise StoppedError if the worker was asked to stop."""
        if self.number is not None:
            raise StoppedError

    @contextlib.contextmanager
    def now(self) -> Iterator[None]:
        """Mark a wait of ours, which a stop ends at once."""
        self._at_once = True
        try:
            self.check()
            yield
        finally:
            self._at_once = False

    @contextlib.contextmanager
    def soon(self) -> Iterator[None]:
        """Mark a block that a stop ends after a while; several threads may be in one."""
        with self._counting:
            self._in_time += 1
        try:
            if self.number is not None:
                self._let_time_run()
            yield
        finally:
            with self._counting:
                self._in_time -= 1

    def _let_time_run(self) -> None:
        """Begin the time that tools still have, unless it has begun."""
        if signal.getitimer(signal.ITIMER_REAL)[0] == 0.0:
            signal.setitimer(signal.ITIMER_REAL, self.tool_seconds)

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        """Note a signal and close what it ends; raise in a wait of ours, once."""
        first = self.number is None
        if first:
            self.number = number
            self.calls.close(for_good=True)
        elif number != signal.SIGTERM:
            self.programs.close(for_good=True)
        if self._at_once and not self._given_up:
            self._given_up = True
            raise StoppedError
        if self._in_time and first:
            self._let_time_run()


def stop_of(settings: Settings) -> StopSignal:
    """Return what hears the signals that the settings say, which gives tools the time they say."""
    signals = settings.interrupts
    handled = ((signal.SIGTERM, signals.handle_sigterm), (signal.SIGINT, signals.handle_sigint))
    hears = tuple(number for number, is_heard in handled if is_heard)
    return StopSignal(hears=hears, ends_within=signals.emergency_shutdown_timeout)


class StoppableModel:
    """A model whose call is closed when the worker is asked to stop, or in an emergency.

    Nothing of it is kept.
    """

    def __init__(self, model: Model, stop: StopSignal, alarm: Alarm) -> None:
        self._model = model
        self._stop = stop
        self._alarm = alarm

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._model.target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Send one request and return its complete reply."""
        self._stop.check()
        with self._alarm.asking():
            try:
                return self._model.reply(request, preview)
            except Exception:
                # It may have failed because it was closed.
                self._stop.check()
                self._alarm.check()
                raise


class StoppablePrograms:
    """Programs that have a while to end by themselves when the worker is asked to stop.

    In an emergency they have as long, and are then ended like one that a signal ended.
    """

    def __init__(self, programs: Programs, stop: StopSignal, alarm: Alarm) -> None:
        self._programs = programs
        self._stop = stop
        self._alarm = alarm

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program to its end or deadline."""
        with self._stop.soon(), self._alarm.soon():
            ended = self._programs.run(call)
        if ended.status is not None and ended.status >= 0:
            return ended
        if self._stop.programs.closed:
            raise StoppedError
        if ended.status is None and self._alarm.ends_at() is not None:
            return msgspec.structs.replace(ended, status=-signal.SIGTERM)
        return ended


class PauseEnd(Protocol):
    """What may end a block at once."""

    def now(self) -> AbstractContextManager[None]:
        """Mark a block that is given up at once when it is time."""
        ...


class EndableClock:
    """A clock like another, but for its pauses."""

    def __init__(self, clock: Clock, ends: PauseEnd) -> None:
        self._clock = clock
        self._ends = ends

    def now(self) -> str:
        """Return the wall-clock instant."""
        return self._clock.now()

    def boot(self) -> BootTime:
        """Return the boot clock."""
        return self._clock.boot()

    def pause(self, seconds: float) -> None:
        """Wait, unless it is ended."""
        with self._ends.now():
            self._clock.pause(seconds)
