"""Keep the log of iterations, and show it."""

from mindpipe.core.ports import Store
from mindpipe.loop.records import Iteration
from mindpipe.loop.tables import iterations as rows_of

KEPT = 20_000
"""Iterations kept of each agent; at one every two seconds these are eleven hours."""


def add(store: Store, iteration: Iteration, *, keep: int = KEPT) -> None:
    """Write one iteration, in the caller's transaction where one is open."""
    with store.write() as rows:
        rows_of.insert_iteration(rows, iteration, keep=keep)


def last(store: Store, *, agent: str) -> int:
    """Return the number of an agent's newest iteration, or 0."""
    with store.read() as rows:
        return rows_of.last_number(rows, agent=agent)


def list_(store: Store, *, agent: str, after: int = 0, limit: int = 100) -> list[Iteration]:
    """Return an agent's newest `limit` iterations after a number, the oldest first."""
    with store.read() as rows:
        return rows_of.iterations_of(rows, agent=agent, after=after, limit=limit)
