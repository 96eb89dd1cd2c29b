"""When a session is written down, when what is written is too old, and how it is made anew.

A session follows from its iterations: `after` is the one step that a living loop takes and that
recovery takes again, so that both come to the same session.
"""

from collections.abc import Iterable

import msgspec

from mindpipe.core.instants import seconds_between
from mindpipe.loop.records import Iteration, Session

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
    session: Session,
    saved: Session | None,
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


def is_stale(saved: Session | None, *, newest: int) -> bool:
    """Tell whether a checkpoint is too far behind `newest`, the last iteration of the log."""
    return saved is None or newest - saved.iteration > STALE_AFTER


def after(session: Session, iteration: Iteration, *, weight: float) -> Session:
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


def caught_up(session: Session, iterations: Iterable[Iteration], *, weight: float) -> Session:
    """Return the session after the iterations that it does not know yet, in their order."""
    for iteration in iterations:
        if iteration.number > session.iteration:
            session = after(session, iteration, weight=weight)
    return session


def mean(before: float | None, value: float, *, weight: float) -> float:
    """Return a moving average after one more value; the first value is the average."""
    return value if before is None else weight * value + (1.0 - weight) * before
