"""Wait until something may have changed in a store, wherever it is."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from mindpipe.io.watch import ASK_ANYWAY_SECONDS, StoreWatch
from mindpipe.store.address import Where


class Wait(Protocol):
    """Wait for a change."""

    def __call__(self, seconds: float) -> None:
        """Return when something may have changed, after so many seconds at the latest."""
        ...


def watching(where: Where, *, longest: float = ASK_ANYWAY_SECONDS) -> AbstractContextManager[Wait]:
    """Watch a store while the block lasts; a wait is never longer than `longest` seconds."""
    if isinstance(where, Path):
        return StoreWatch(where, longest=longest)
    from mindpipe.store.postgres.watch import ServerWatch

    return ServerWatch(where, longest=longest)
