"""Calls to the outside that are under way, and can be closed by whoever does not wait for them."""

import contextlib
from collections.abc import Callable, Iterator


class OpenCalls:
    """What is under way: connections, child processes; each knows how it is closed.

    `close` may be called from any thread and from a signal handler: it takes no lock and raises
    nothing. Whoever waits for a call that was closed sees an ordinary error of it.
    """

    def __init__(self) -> None:
        self._ends: dict[object, Callable[[], None]] = {}
        self._for_good = False
        self.closed = False

    @contextlib.contextmanager
    def open(self, end: Callable[[], None]) -> Iterator[None]:
        """Mark a call as under way; where all are closed by then, it is closed at once.

        `end` may be called more than once, and an OSError of it says that there was nothing left.
        """
        mark = object()
        self._ends[mark] = end
        try:
            if self.closed:
                _quietly(end)
            yield
        finally:
            del self._ends[mark]

    def close(self, *, for_good: bool = False) -> None:
        """Close what is under way, and what is opened from now on until `reopen`."""
        self._for_good = self._for_good or for_good
        self.closed = True
        # Others may come and go meanwhile, in other threads; making a list is one step.
        for end in list(self._ends.values()):
            _quietly(end)

    def reopen(self) -> None:
        """Let calls be opened again, unless all were closed for good."""
        self.closed = self._for_good


def _quietly(end: Callable[[], None]) -> None:
    """Close one call, if anything of it is there."""
    with contextlib.suppress(OSError):
        end()
