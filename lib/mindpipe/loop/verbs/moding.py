"""Show, change and list the modes of an agent's loop; every change says who made it and why."""

from typing import Literal

from mindpipe.core.errors import IllegalStateError, NothingToDoError, RefusedError
from mindpipe.core.ports import Clock, Store
from mindpipe.loop.modes import STAYING
from mindpipe.loop.records import Mode, ModeChange
from mindpipe.loop.tables import modes as rows_of

By = Literal["loop", "operator"]
KEPT = 1_000
"""Changes of mode kept of each agent."""


def last(store: Store, *, agent: str) -> ModeChange | None:
    """Return the last change of an agent's mode; None where it never was but normal."""
    with store.read() as rows:
        return rows_of.last_change(rows, agent=agent)


def mode_of(change: ModeChange | None) -> Mode:
    """Return the mode after a change."""
    return Mode.NORMAL if change is None else change.after


def is_held(change: ModeChange | None) -> bool:
    """Tell whether a mode stays because a person began it."""
    return change is not None and change.by == "operator" and change.after in STAYING


def change(
    store: Store, clock: Clock, *, agent: str, after: Mode, by: By, reason: str
) -> ModeChange:
    """Change an agent's mode, and return the change as it is kept.

    Raises:
        NothingToDoError: it is in that mode already.
        RefusedError: a person sets recovery, or a mode that cannot follow the present one.
    """
    with store.write() as rows:
        before = mode_of(rows_of.last_change(rows, agent=agent))
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
        rows_of.insert_change(rows, made, keep=KEPT)
    return made


def list_(store: Store, *, agent: str, limit: int = 100) -> list[ModeChange]:
    """Return the newest changes of an agent's mode, the oldest first."""
    with store.read() as rows:
        return rows_of.changes_of(rows, agent=agent, limit=limit)


def _require_settable(agent: str, before: Mode, after: Mode) -> None:
    """Raise RefusedError where a person may not set a mode now."""
    if Mode.RECOVERY in {before, after}:
        raise RefusedError("recovery begins after a crash and ends by itself.")
    try:
        before.to(after)
    except IllegalStateError:
        raise RefusedError(
            f"{agent} is in {before.value} mode, which {after.value} cannot follow. "
            f"Run mind run mode normal --agent {agent} first."
        ) from None
