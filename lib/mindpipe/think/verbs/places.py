"""The space that an agent is in."""

from mindpipe.core.ports import Store
from mindpipe.think import tables


def place(store: Store, *, agent: str) -> str | None:
    """Return the space that an agent is in, or None."""
    with store.read() as rows:
        return tables.place_of(rows, agent=agent)


def move(store: Store, *, agent: str, space: str | None) -> None:
    """Put an agent into a space, or out of all."""
    with store.write() as rows:
        tables.set_place(rows, agent=agent, space=space)
