"""What is named by its own id, and belongs to an agent that is not known before it is found."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from mindpipe.core.ports import Rows


class OfAgent(Protocol):
    """A record of an agent."""

    @property
    def agent(self) -> str:
        """Return whose it is."""
        ...


Owned = TypeVar("Owned", bound=OfAgent)


def owned(rows: Rows, find: Callable[[], Owned]) -> Owned:
    """Return what `find` does, with its agent held: as it is once nobody else changes it."""
    found = find()
    return find() if rows.hold("agent", found.agent) else found
