"""Keep the log of iterations and of changes of mode, and show it."""

from typing import Literal

from mindpipe.core.errors import IllegalStateError, NothingToDoError, RefusedError
from mindpipe.core.ports import Clock, Store
from mindpipe.engine.tables import iterations
from mindpipe.engine.worker.modes import STAYING
from mindpipe.workers.records import Iteration, LoopMode, ModeChange

KEPT_ITERATIONS = 20_000
"""Iterations kept of each agent; at one every two seconds these are eleven hours."""


def add_iteration(store: Store, iteration: Iteration, *, keep: int = KEPT_ITERATIONS) -> None:
    """Write one iteration, in the caller's transaction where one is open."""
    with store.write() as rows:
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
    """Tell whether a mode stays because a person began it."""
    return change is not None and change.by == "operator" and change.after in STAYING


def change_mode(
    store: Store, clock: Clock, *, agent: str, after: LoopMode, by: By, reason: str
) -> ModeChange:
    """Change an agent's mode, and return the change as it is kept.

    Raises:
        NothingToDoError: it is in that mode already.
        RefusedError: a person sets recovery, or a mode that cannot follow the present one.
    """
    with store.write() as rows:
        before = mode_of(iterations.last_change(rows, agent=agent))
        if before is after:
            raise NothingToDoError(f"{agent} is in {after.value} mode already.")
        if by == "operator":
            _require_settable(agent, before, after)
        made = ModeChange(
            agent=agent,
            at=clock.now(),
            before=before,
            after=before.to(after),
            by=by,
            reason=reason,
        )
        iterations.insert_change(rows, made, keep=KEPT_CHANGES)
    return made


def list_changes(store: Store, *, agent: str, limit: int = 100) -> list[ModeChange]:
    """Return the newest changes of an agent's mode, the oldest first."""
    with store.read() as rows:
        return iterations.changes_of(rows, agent=agent, limit=limit)


def _require_settable(agent: str, before: LoopMode, after: LoopMode) -> None:
    """Raise RefusedError where a person may not set a mode now."""
    if LoopMode.RECOVERY in {before, after}:
        raise RefusedError("recovery begins after a crash and ends by itself.")
    try:
        before.to(after)
    except IllegalStateError:
        raise RefusedError(
            f"{agent} is in {before.value} mode, which {after.value} cannot follow. "
            f"Run mind run mode normal --agent {agent} first."
        ) from None
