"""A clock whose pauses something else may end: a stop, or an emergency."""

from contextlib import AbstractContextManager
from typing import Protocol

from mindpipe.core.ports import BootTime, Clock


class Ends(Protocol):
    """What may end a block at once."""

    def now(self) -> AbstractContextManager[None]:
        """Mark a block that is given up at once when it is time."""
        ...


class EndableClock:
    """A clock like another, but for its pauses."""

    def __init__(self, clock: Clock, ends: Ends) -> None:
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
