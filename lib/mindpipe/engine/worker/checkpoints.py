"""Keep what a loop knows between iterations: load its checkpoint, write a new one, make it anew."""

from collections.abc import Iterable

import msgspec

from mindpipe.core.failpoints import reach
from mindpipe.core.instants import seconds_between
from mindpipe.core.ports import Clock, Store
from mindpipe.engine.tables import iterations as tables
from mindpipe.engine.worker import crashes, log
from mindpipe.engine.worker import log as worker_log
from mindpipe.inbox.verbs import inbox
from mindpipe.workers.records import Checkpoint, Iteration

STALE_AFTER = 10
"""A checkpoint that is further behind the log than this many iterations is made anew."""

REMEMBERED = 200
"""From so many of the newest iterations it is made anew.

What lies before bears on a moving average of weight w by (1 - w) to this power: under 1e-9 from a
weight of 0.1 on, which is the tolerance of a session that was made anew.
"""

CONSOLIDATED, DEVELOPED = "consolidated", "developed"
"""Outcomes of iterations that are beats of a slow rhythm."""


def is_due(
    session: Checkpoint,
    saved: Checkpoint | None,
    *,
    every: int,
    seconds: float,
    significant: bool = False,
) -> bool:
    """Tell whether a session has to be written: `saved` is what was written last, if anything.

    It has after `every` iterations, after `seconds` of the wall clock (a clock that was set back
    counts as late), on another mode, and when something significant happened.
    """
    if saved is None or significant or session.mode is not saved.mode:
        return True
    if session.iteration - saved.iteration >= every:
        return True
    return not 0.0 <= seconds_between(saved.at, session.at) < seconds


def is_stale(saved: Checkpoint | None, *, newest: int) -> bool:
    """Tell whether a checkpoint is too far behind `newest`, the last iteration of the log."""
    return saved is None or newest - saved.iteration > STALE_AFTER


def after(session: Checkpoint, iteration: Iteration, *, weight: float) -> Checkpoint:
    """Return the session after one iteration; `weight` (0-1) is that of the newest value in means.

    An average starts at its first value. Mode and focus are those of the iteration. One whose
    outcome says that memory was consolidated, or was to be, begins to count cycles anew.
    """
    failed = iteration.error is not None
    lived = iteration.cycle is not None
    outcome = iteration.outcome.removeprefix("not ")
    at, count = iteration.at, session.since_consolidation + lived
    return msgspec.structs.replace(
        session,
        at=iteration.at,
        iteration=iteration.number,
        mode=iteration.mode,
        focus=session.focus if iteration.concern is None else iteration.concern,
        active=iteration.at if lived else session.active,
        mean_seconds=mean(session.mean_seconds, iteration.milliseconds / 1000.0, weight=weight),
        mean_queue=mean(session.mean_queue, float(iteration.queue), weight=weight),
        since_consolidation=0 if outcome == CONSOLIDATED else count,
        consolidated=at if outcome == CONSOLIDATED else session.consolidated,
        developed=at if outcome == DEVELOPED else session.developed,
        errors=session.errors + 1 if failed else 0,
    )


def caught_up(session: Checkpoint, iterations: Iterable[Iteration], *, weight: float) -> Checkpoint:
    """Return the session after the iterations that it does not know yet, in their order."""
    for iteration in iterations:
        if iteration.number > session.iteration:
            session = after(session, iteration, weight=weight)
    return session


def mean(before: float | None, value: float, *, weight: float) -> float:
    """Return a moving average after one more value; the first value is the average."""
    return value if before is None else weight * value + (1.0 - weight) * before


def load_checkpoint(store: Store, *, agent: str) -> Checkpoint | None:
    """Return an agent's checkpoint, or None where there is none that can be read."""
    with store.read() as rows:
        return tables.checkpoint_of(rows, agent)


def save_checkpoint(store: Store, session: Checkpoint) -> None:
    """Write a checkpoint, in the caller's transaction where one is open."""
    with store.write(session.agent) as rows:
        tables.save_checkpoint(rows, session)
        reach("checkpoint.before_commit")


def is_checkpoint_stale(store: Store, *, agent: str) -> bool:
    """Tell whether an agent's checkpoint is missing, or too far behind its log to go on from."""
    newest = log.last_iteration(store, agent=agent)
    return is_stale(load_checkpoint(store, agent=agent), newest=newest)


def restore_checkpoint(store: Store, clock: Clock, *, agent: str, weight: float) -> Checkpoint:
    """Return the session that a life of an agent begins with; writes nothing.

    It is that of the checkpoint, brought up to the log of iterations. Where that is missing, cannot
    be read or is stale, the session is made anew from the newest iterations; only what these do not
    tell is taken from it still. Mode, waiting events and crashes are as the store says. `weight` is
    that of the newest value in moving averages. Working memory needs no restoring: prompts take it
    from recent episodes.
    """
    now = clock.now()
    with store.read():
        saved = load_checkpoint(store, agent=agent) or Checkpoint(agent=agent, at=now)
        session = _anew(saved) if is_checkpoint_stale(store, agent=agent) else saved
        lived = log.list_iterations(store, agent=agent, after=session.iteration, limit=REMEMBERED)
        return msgspec.structs.replace(
            caught_up(session, lived, weight=weight),
            began=session.began or now,
            mode=worker_log.mode_of(worker_log.last_change(store, agent=agent)),
            queue=tuple(event.id for event in inbox.peek(store, clock, agent=agent)),
            crashes=crashes.in_a_row(store, agent=agent),
        )


def _anew(saved: Checkpoint) -> Checkpoint:
    """Return what of a stale checkpoint the log may not tell."""
    return Checkpoint(
        agent=saved.agent,
        at=saved.at,
        focus=saved.focus,
        task=saved.task,
        began=saved.began,
        active=saved.active,
        consolidated=saved.consolidated,
        developed=saved.developed,
    )
