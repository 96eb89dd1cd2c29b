"""Keep the log of iterations and of changes of mode, and show it."""

from collections.abc import Iterable
from typing import Literal

from mindpipe.core.errors import NothingToDoError, RefusedError
from mindpipe.core.ports import Clock, Store
from mindpipe.engine.tables import iterations
from mindpipe.engine.worker.modes import HOLDING
from mindpipe.workers.records import Iteration, LoopMode, ModeChange

KEPT_ITERATIONS = 20_000
"""Iterations kept of each agent; at one every two seconds these are eleven hours."""


def add_iteration(store: Store, iteration: Iteration, *, keep: int = KEPT_ITERATIONS) -> None:
    """Write one iteration, in the caller's transaction where one is open."""
    with store.write(iteration.agent) as rows:
        iterations.insert_iteration(rows, iteration, keep=keep)


def last_iteration(store: Store, *, agent: str) -> int:
    """Return the number of an agent's newest iteration, or 0."""
    with store.read() as rows:
        return iterations.last_number(rows, agent=agent)


def list_iterations(
    store: Store, *, agent: str, after: int = 0, limit: int = 100
) -> list[Iteration]:
    """Return an agent's newest `limit` iterations after a number, the oldest first."""
    with store.read() as rows:
        return iterations.iterations_of(rows, agent=agent, after=after, limit=limit)


def last_iterations(store: Store, *, agents: Iterable[str]) -> dict[str, int]:
    """Return the number of the newest iteration of each of these agents that has one."""
    with store.read() as rows:
        return iterations.last_numbers(rows, agents=list(agents))


By = Literal["loop", "operator"]
KEPT_CHANGES = 1_000
"""Changes of mode kept of each agent."""


def last_change(store: Store, *, agent: str) -> ModeChange | None:
    """Return the last change of an agent's mode; None where it never was but normal."""
    with store.read() as rows:
        return iterations.last_change(rows, agent=agent)


def mode_of(change: ModeChange | None) -> LoopMode:
    """Return the mode after a change."""
    return LoopMode.NORMAL if change is None else change.after


def is_held(change: ModeChange | None) -> bool:
    """Tell whether a mode holds because a person set it."""
    return change is not None and change.by == "operator" and change.after in HOLDING


def change_mode(
    store: Store, clock: Clock, *, agent: str, after: LoopMode, by: By, reason: str
) -> ModeChange:
    """Change an agent's mode, and return the change as it is kept.

    A person may set any mode after any other. The one that the loop chose itself begins to hold
    so, by way of normal.

    Raises:
        NothingToDoError: it is in that mode already, and holds where a person sets it.
        RefusedError: a person sets recovery, or another mode during it.
        IllegalStateError: the loop goes into a mode that cannot follow the present one.
    """
    with store.write(agent) as rows:
        last = iterations.last_change(rows, agent=agent)
        before = mode_of(last)
        is_by_person = by == "operator"
        if is_by_person and LoopMode.RECOVERY in {before, after}:
            raise RefusedError("recovery begins after a crash and ends by itself.")
        if before is after:
            if not is_by_person or after not in HOLDING or is_held(last):
                raise NothingToDoError(f"{agent} is in {after.value} mode already.")
            change_mode(store, clock, agent=agent, after=LoopMode.NORMAL, by=by, reason=reason)
            before = LoopMode.NORMAL
        made = ModeChange(
            agent=agent,
            at=clock.now(),
            before=before,
            after=after if is_by_person else before.to(after),
            by=by,
            reason=reason,
        )
        iterations.insert_change(rows, made, keep=KEPT_CHANGES)
    return made


def list_changes(store: Store, *, agent: str, limit: int = 100) -> list[ModeChange]:
    """Return the newest changes of an agent's mode, the oldest first."""
    with store.read() as rows:
        return iterations.changes_of(rows, agent=agent, limit=limit)
