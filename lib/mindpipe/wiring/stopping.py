"""Stop a worker that stays: signals set a flag, and end only what waits or may be repeated."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Self

import msgspec

from mindpipe.core.models import ModelReply, ModelRequest, Target
from mindpipe.core.ports import (
    Model,
    Preview,
    ProgramCall,
    ProgramRun,
    Programs,
)
from mindpipe.wiring.interrupts import Alarm
from mindpipe.wiring.settings import Settings

ENDS_WITHIN = 10.0
# Of what a stop may take, for a tool that is ended and for the last rows.
_LAST_SECOND = 1.0
TOOL_SECONDS = ENDS_WITHIN - _LAST_SECOND


class StoppedError(BaseException):
    """Say that the worker was asked to stop; what is under way is given up."""


class Stop:
    """Hear SIGTERM and SIGINT, or those of them in `hears`, while the block is open.

    `check` raises once one came. `now` marks a block that is given up at once, like a wait or a
    model call; `soon` one that has `tool_seconds` left, unless SIGINT comes again. Anything else
    goes on until the next `check`, so that no transaction is cut.
    """

    def __init__(
        self,
        *,
        hears: tuple[signal.Signals, ...] = (signal.SIGTERM, signal.SIGINT),
        ends_within: float = ENDS_WITHIN,
    ) -> None:
        self.number: int | None = None
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
        """Mark a block that a stop ends at once."""
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
        """Note a signal; raise where the block is marked for it, once."""
        first = self.number is None
        if first:
            self.number = number
        hurried = not first and number != signal.SIGTERM
        if self._given_up:
            return
        if self._at_once or (self._in_time and hurried):
            self._given_up = True
            raise StoppedError
        if self._in_time and first:
            self._let_time_run()


def stop_of(settings: Settings) -> Stop:
    """Return what hears the signals that the settings say, which gives tools the time they say."""
    hears = [
        number
        for number, name in ((signal.SIGTERM, "sigterm"), (signal.SIGINT, "sigint"))
        if settings.flag(f"interrupts.handle_{name}")
    ]
    within = settings.real("interrupts.emergency_shutdown_timeout")
    return Stop(hears=tuple(hears), ends_within=within)


class StoppableModel:
    """A model whose call is closed when the worker is asked to stop, or in an emergency.

    Nothing of it is kept.
    """

    def __init__(self, model: Model, stop: Stop, alarm: Alarm) -> None:
        self._model = model
        self._stop = stop
        self._alarm = alarm

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._model.target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Send one request and return its complete reply."""
        with self._stop.now(), self._alarm.now():
            return self._model.reply(request, preview)


class StoppablePrograms:
    """Programs that have a while to end by themselves when the worker is asked to stop.

    In an emergency they have as long, and are then ended like one that a signal ended.
    """

    def __init__(self, programs: Programs, stop: Stop, alarm: Alarm) -> None:
        self._programs = programs
        self._stop = stop
        self._alarm = alarm

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program to its end or deadline."""
        with self._stop.soon(), self._alarm.soon():
            ended = self._programs.run(call)
        if ended.status is None and self._alarm.ends_at() is not None:
            return msgspec.structs.replace(ended, status=-signal.SIGTERM)
        return ended
