"""The port by which an observer remembers what it has seen, and tells what is new."""

from typing import Protocol

from mindpipe.observers.records import Remembered, Step


class Keeper(Protocol):
    """Keep what observers have seen and hand on what they say, both or neither."""

    def load(self, observer: str) -> Remembered:
        """Return what an observer has seen."""
        ...

    def keep(self, step: Step) -> bool:
        """Take one step; False means that another process took it meanwhile: load, look again.

        Raises:
            RefusedError: there is no room; nothing is kept, and the step may be taken later.
        """
        ...
