"""Wait until something may have changed in a store, wherever it is."""

import contextlib
import os
import select
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

from mindpipe.io.forks import NewsPipes
from mindpipe.io.watch import ASK_ANYWAY_SECONDS, StoreWatch
from mindpipe.store.address import Where

_PIPE_BYTES = 1 << 16


class Wait(Protocol):
    """Wait for a change."""

    def __call__(self, seconds: float) -> None:
        """Return when something may have changed, after so many seconds at the latest."""
        ...


def watching(where: Where, *, longest: float = ASK_ANYWAY_SECONDS) -> AbstractContextManager[Wait]:
    """Watch a store while the block lasts; a wait is never longer than `longest` seconds."""
    if _TOLD:
        return nullcontext(ToldWatch(_TOLD[0], longest=longest))
    if isinstance(where, Path):
        return StoreWatch(where, longest=longest)
    from mindpipe.store.postgres.watch import ServerWatch

    return ServerWatch(where, longest=longest)


_TOLD: list[NewsPipes] = []
"""The pipes through which this process is told that its store may have changed, if it is."""


def hear_through(pipes: NewsPipes) -> None:
    """Let whoever started this process watch for it, and tell of changes through pipes.

    So a server has one listener of all the processes that one has started.
    """
    _TOLD[:] = [pipes]


class ToldWatch:
    """Return from a call when this process was told of a change, or after `longest` seconds.

    While it is `free`, any change is for one of all that are free, which passes it on where there
    is more to do; else each change is for it too.
    """

    def __init__(self, pipes: NewsPipes, *, longest: float) -> None:
        self._pipes, self._longest = pipes, longest
        self.free = False

    def __call__(self, seconds: float) -> None:
        """Wait for a word, for so many seconds at the most."""
        until = time.monotonic() + min(seconds, self._longest)
        pipe = self._pipes.any if self.free else self._pipes.own
        waiting = select.poll()
        waiting.register(pipe, select.POLLIN)
        while (left := until - time.monotonic()) > 0 and waiting.poll(left * 1000):
            with contextlib.suppress(BlockingIOError):
                if not os.read(pipe, _PIPE_BYTES):
                    # Nobody tells any more, and whoever started this process ends it.
                    time.sleep(max(0.0, until - time.monotonic()))
                return

    def pass_on(self) -> None:
        """Tell another one that is free."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            os.write(self._pipes.tells_any, b"c")
