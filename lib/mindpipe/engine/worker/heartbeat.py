"""Keep leases alive from a second thread while a model or a tool is at work."""

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from mindpipe.core.errors import FencedError, MindError
from mindpipe.core.ports import Store

INTERVAL_SECONDS = 20.0
_AGAIN_SECONDS = 3.0
"""After so long a renewal is tried again that failed, as where a server is away."""


class _Beat:
    """What is to be renewed: how, when next, and how many times more."""

    def __init__(self, renew: Callable[[], bool], *, interval: float, seconds: float) -> None:
        self.renew = renew
        self.interval = interval
        # A worker that hangs is to lose its lease, so that no beat comes after its time.
        self.left = float(int(seconds / interval))
        self.due = time.monotonic() + interval
        self.is_under_way = False

    def strike(self) -> None:
        """Renew once; no more where the lease is gone, and soon again where that failed."""
        begun = time.monotonic()
        self.due = begun + self.interval
        try:
            self.left = self.left - 1 if self.renew() else 0
        except MindError:
            self.due = time.monotonic() + min(self.interval, _AGAIN_SECONDS)
            self.left -= (self.due - begun) / self.interval


class _Heart:
    """The thread that renews all leases of a process.

    It stays, so that a cycle which is over before its first beat takes no thread of its own.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._beats: list[_Beat] = []
        self._thread: threading.Thread | None = None
        self._wakes = math.inf

    def keep(self, beat: _Beat) -> None:
        """Renew from now on."""
        with self._changed:
            self._beats.append(beat)
            # A fork takes no threads along.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._live, name="heartbeat", daemon=True)
                self._thread.start()
            elif beat.due < self._wakes:
                self._changed.notify_all()

    def drop(self, beat: _Beat) -> None:
        """Renew no more; a renewal that is under way ends first."""
        with self._changed:
            # Beats so close that one follows the other at once would leave no gap to wait for.
            self._beats.remove(beat)
            self._changed.wait_for(lambda: not beat.is_under_way)

    def _live(self) -> None:
        """Renew whatever is due, forever; where a renewal ends it, the next beat begins anew."""
        with self._changed:
            try:
                while True:
                    self._go_on()
            finally:
                self._thread = None

    def _go_on(self) -> None:
        """Wait for the next renewal, or do it if it is due."""
        coming = [beat for beat in self._beats if beat.left > 0]
        first = min(coming, key=lambda beat: beat.due, default=None)
        self._wakes = first.due if first else math.inf
        left = None if first is None else first.due - time.monotonic()
        if first is None or (left is not None and left > 0):
            self._changed.wait(left)
        else:
            self._renew(first)

    def _renew(self, beat: _Beat) -> None:
        """Renew while others may come and go."""
        beat.is_under_way = True
        self._changed.release()
        try:
            beat.strike()
        finally:
            self._changed.acquire()
            beat.is_under_way = False
            self._changed.notify_all()


_HEART = _Heart()


@contextlib.contextmanager
def beating(renew: Callable[[], bool], *, interval: float, seconds: float) -> Iterator[None]:
    """Call `renew` every `interval` seconds until the block ends or `seconds` have passed.

    A worker that hangs beyond its deadline so loses its lease. `renew` returns False when the
    lease is gone; then the beating ends, and the next transaction of the worker is refused. Where
    it raises a MindError, it is soon called again.
    """
    beat = _Beat(renew, interval=interval, seconds=seconds)
    _HEART.keep(beat)
    try:
        yield
    finally:
        _HEART.drop(beat)


class _Closable(Store, Protocol):
    """A store that can be closed."""

    def close(self) -> None:
        """Close the file."""
        ...


@contextlib.contextmanager
def renewing(
    open_store: Callable[[], _Closable],
    renew: Callable[[Store], None],
    *,
    interval: float,
    seconds: float,
) -> Iterator[None]:
    """Renew a lease until the block ends, each time on a store that is opened for it.

    Only one who was fenced stops; a store that is busy once is soon asked again.
    """

    def beat() -> bool:
        try:
            with contextlib.closing(open_store()) as store:
                renew(store)
        except FencedError:
            return False
        return True

    with beating(beat, interval=min(interval, INTERVAL_SECONDS), seconds=seconds):
        yield
