"""Stay: go through one iteration after the other, of many agents in turns, and wait between."""

import contextlib
from collections.abc import Iterator, Sequence

from mindpipe.core.errors import MindError
from mindpipe.core.instants import seconds_between
from mindpipe.loop.jumps import Jumps
from mindpipe.loop.records import Bounds
from mindpipe.loop.verbs import sessions
from mindpipe.loop.verbs.bearing import MOST_ERRORS, POLL_SECONDS
from mindpipe.loop.verbs.iterating import AgentLoop
from mindpipe.loop.worker import Worker
from mindpipe.think.records import CycleReport

__all__ = ["MOST_ERRORS", "POLL_SECONDS", "run"]


def run(workers: Sequence[Worker], *, bounds: Bounds) -> Iterator[CycleReport]:
    """Live within some bounds and yield what each cycle did.

    The agents of several workers take turns: of those that have something to do, an urgent one
    first, then the one that had its last turn the longest ago. A passing fault, a cap or a pause
    is waited out, and said once. An error is told to the agent; five in a row pause it. A wall
    clock that jumps is spoken of, and changes nothing. With `once` there are no pauses.

    Raises:
        RecoveryError: the store went into RECOVERY.
        InputOutputError: the disk is full or the store damaged.
        MindError: with `once`, whatever one cycle ends with.
    """
    loops = [AgentLoop(worker, patient=not bounds.once) for worker in workers]
    try:
        yield from _stay(loops, workers, bounds)
    finally:
        # Where it cannot be written, the next life begins from the log.
        for worker, loop in zip(workers, loops, strict=True):
            with contextlib.suppress(MindError):
                if not loop.is_anothers():
                    sessions.save(worker.store, loop.session)


def _stay(
    loops: Sequence[AgentLoop], workers: Sequence[Worker], bounds: Bounds
) -> Iterator[CycleReport]:
    """Let each loop have its turns until the bounds are met."""
    first = workers[0]
    jumps = Jumps(first.clock)
    lived = 0
    while not _is_over(first, bounds, lived):
        for worker in workers:
            worker.check()
        for note in jumps.notes():
            first.tell(note)
        looks = [(loop.look(), loop) for loop in loops]
        due = [(glance, loop) for glance, loop in looks if glance.seconds <= 0]
        if not due:
            if bounds.once:
                return
            first.wait(_waiting(first, bounds, min(glance.seconds for glance, _ in looks)))
            continue
        glance, loop = min(due, key=lambda one: (not one[0].urgent, one[1].turned))
        report = loop.iterate(glance)
        if report is not None:
            lived += 1
            yield report


def _is_over(worker: Worker, bounds: Bounds, lived: int) -> bool:
    """Tell whether the workers have stayed as long as they should."""
    if bounds.cycles is not None and lived >= bounds.cycles:
        return True
    return bounds.until is not None and worker.clock.now() >= bounds.until


def _waiting(worker: Worker, bounds: Bounds, seconds: float) -> float:
    """Return how long to wait, no longer than to the end."""
    if bounds.until is None:
        return seconds
    return min(seconds, max(0.01, seconds_between(worker.clock.now(), bounds.until)))
