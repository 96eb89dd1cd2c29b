"""Wait until something may have changed in a store, wherever it is."""

import os
import select
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

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
        return nullcontext(_PipeWatch(_TOLD[0], longest=longest))
    if isinstance(where, Path):
        return StoreWatch(where, longest=longest)
    from mindpipe.store.postgres.watch import ServerWatch

    return ServerWatch(where, longest=longest)


_TOLD: list[int] = []
"""The pipe through which this process is told that its store may have changed, if it is."""


def hear_through(pipe: int) -> None:
    """Let whoever started this process watch for it, and tell of changes through a pipe.

    So a server has one listener of all the processes that one has started.
    """
    _TOLD[:] = [pipe]


class _PipeWatch:
    """Return from a call when something came through a pipe, or after `longest` seconds."""

    def __init__(self, pipe: int, *, longest: float) -> None:
        self._pipe, self._longest = pipe, longest
        self._waiting = select.poll()
        self._waiting.register(pipe, select.POLLIN)

    def __call__(self, seconds: float) -> None:
        """Wait for a word, for so many seconds at the most."""
        wait = min(seconds, self._longest)
        if self._waiting.poll(wait * 1000) and not os.read(self._pipe, _PIPE_BYTES):
            # Nobody tells any more, and whoever started this process ends it.
            time.sleep(wait)
