"""Stay and live iterations, of many agents in turns; show how a loop attends, and its runs."""

import contextlib
from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import CommitUnknownError, MindError, StoreBusyError
from mindpipe.core.instants import seconds_between
from mindpipe.core.owned import owned
from mindpipe.core.ports import NO_LIMIT, NOBODY, Clock, Store
from mindpipe.core.records import Record
from mindpipe.engine.records.journal import CycleReport
from mindpipe.engine.worker import checkpoints, log
from mindpipe.engine.worker.backoff import MOST_ERRORS, POLL_SECONDS
from mindpipe.engine.worker.loop import AgentLoop, LoopLooks
from mindpipe.engine.worker.phases import Worker
from mindpipe.engine.worker.timing import Load, LoopPace, TimingRules, pace
from mindpipe.history.verbs import cycles
from mindpipe.trigger_runs import verbs as trigger_runs
from mindpipe.trigger_runs.records import TriggerRun, TriggerRunState
from mindpipe.workers.records import Checkpoint, LoopMode, ModeNow, WorkerBounds

_MOST_SECONDS = 3600.0
_LONGEST_ABSENCE = 15.0
_APART = 16
"""Workers that lose a store at once come back to it at so many different instants."""
_OLDEST = "2020-01-01T00:00:00Z"


class ClockJumps:
    """Notice that the wall clock was set, by the clock since boot, which nobody can set.

    The work goes on, but whoever reads its times should know.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wall, self._boot = clock.now(), clock.boot().seconds
        self._odd = False

    def notes(self) -> list[str]:
        """Return what is to be said since the last look: a jump, and once a year before 2020."""
        wall, boot = self._clock.now(), self._clock.boot().seconds
        moved = seconds_between(self._wall, wall) - (boot - self._boot)
        self._wall, self._boot = wall, boot
        found = []
        if abs(moved) > _MOST_SECONDS:
            found.append(f"the clock moved by {moved:.0f} s.")
        was_odd, self._odd = self._odd, wall < _OLDEST
        if self._odd and not was_odd:
            found.append(f"the clock shows {wall}; set it, times in the store come from it.")
        return found


__all__ = [
    "MOST_ERRORS",
    "POLL_SECONDS",
    "GivenLoad",
    "cancel",
    "list_",
    "load_of",
    "mode",
    "run",
    "show",
    "timing",
]


class GivenLoad(Record):
    """What a pause is reckoned from, as far as it is given: averages are those from before.

    `rate` is of events a second, `queue` of those that wait, `took` the seconds of the last
    iteration.
    """

    mode: LoopMode | None = None
    rate: float | None = None
    queue: float | None = None
    mean_queue: float | None = None
    took: float | None = None
    mean_seconds: float | None = None
    urgent: bool = False


def run(workers: Sequence[Worker], *, bounds: WorkerBounds) -> Iterator[CycleReport]:
    """Live within some bounds and yield what each cycle did.

    The agents of several workers take turns: of those that have something to do, an urgent one
    first, then the one that had its last turn the longest ago. A passing fault, a cap or a pause
    is waited out, and said once. An error is told to the agent; five in a row pause it. A wall
    clock that jumps is spoken of, and changes nothing. With `once` there are no pauses.

    Raises:
        RecoveryError: the store went into RECOVERY.
        RefusedError: the life of one of them goes on in another store.
        InputOutputError: the disk is full or the store damaged.
        MindError: with `once`, whatever one cycle ends with.
    """
    for worker in workers:
        agents.require_here(worker.store, name=worker.agent)
    yield from stay(_Residents(workers, patient=not bounds.once), bounds=bounds)


def mode(store: Store, *, agent: str) -> ModeNow:
    """Return the mode of an agent's loop, and who set it when and why."""
    last = log.last_change(store, agent=agent)
    if last is None:
        return ModeNow(agent=agent, mode=LoopMode.NORMAL)
    return ModeNow(
        agent=agent,
        mode=last.after,
        since=last.at,
        by=last.by,
        reason=last.reason,
        held=log.is_held(last),
    )


def load_of(store: Store, *, agent: str) -> Load:
    """Return what an agent's loop last knew of its load; raises UsageError if there is no agent."""
    agents.show(store, name=agent)
    saved = checkpoints.load_checkpoint(store, agent=agent) or Checkpoint(agent=agent, at="")
    last = log.list_iterations(store, agent=agent, limit=1)
    return Load(
        mode=mode(store, agent=agent).mode,
        rate=last[0].rate if last else None,
        mean_queue=saved.mean_queue,
        mean_seconds=saved.mean_seconds,
    )


def timing(rules: TimingRules, *, given: GivenLoad, known: Load | None = None) -> LoopPace:
    """Return how long a loop pauses; what is not given is as it is known."""
    before = known or Load(LoopMode.NORMAL)

    def mean(mean: float | None, newest: float | None) -> float | None:
        return mean if newest is None else checkpoints.mean(mean, newest, weight=rules.smoothing)

    load = Load(
        mode=given.mode or before.mode,
        rate=before.rate if given.rate is None else given.rate,
        mean_queue=mean(
            before.mean_queue if given.mean_queue is None else given.mean_queue, given.queue
        ),
        mean_seconds=mean(
            before.mean_seconds if given.mean_seconds is None else given.mean_seconds, given.took
        ),
        urgent=given.urgent,
    )
    return pace(load, rules)


def list_(
    store: Store,
    *,
    agent: str | None = None,
    states: Collection[TriggerRunState] = (),
    limit: int = NO_LIMIT,
    offset: int = 0,
) -> list[TriggerRun]:
    """Return the newest trigger runs, of one agent or of all, that are live or in some states.

    Raises:
        UsageError: there is no such agent.
    """
    if agent is not None:
        agents.show(store, name=agent)
    return trigger_runs.list_(
        store, agent=agent, states=states or trigger_runs.LIVE, limit=limit, offset=offset
    )


def show(store: Store, *, run: str) -> TriggerRun:
    """Return one trigger run; raises UsageError if there is none of this id."""
    return trigger_runs.show(store, run=run)


def cancel(store: Store, clock: Clock, *, run: str, reason: str) -> TriggerRun:
    """Let a trigger run not go on that waits, or whose next try is to come.

    Raises:
        RefusedError: it has ended, or is under way.
        UsageError: there is no such run.
    """
    with store.write(NOBODY) as rows:
        found = owned(rows, lambda: trigger_runs.show(store, run=run))
        now = cycles.open_one(store, agent=found.agent)
        return trigger_runs.cancel(
            store, clock, run=run, reason=reason, open_cycle=now.cycle if now else None
        )


class Crew(Protocol):
    """Whose loops take turns in a process, and the number and ports of that process."""

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        ...

    @property
    def clock(self) -> Clock:
        """Return the clock."""
        ...

    def check(self) -> None:
        """Raise when the lives have to end."""
        ...

    def looks(self) -> LoopLooks:
        """Look whether anything is to be done."""
        ...

    def wait(self, seconds: float, /) -> None:
        """Wait until the store may have moved."""
        ...

    def tell(self, words: str, /) -> None:
        """Say something in words."""
        ...

    def passes_over(self, fault: MindError, /) -> bool:
        """Leave alone whose cycle failed; False where that ends the lives of all."""
        ...

    def leave(self) -> None:
        """Keep what the loops know, as they end."""
        ...


class _Residents:
    """Workers that stay with their agents, idle or not."""

    def __init__(self, workers: Sequence[Worker], *, patient: bool) -> None:
        self._workers = workers
        self._loops = [AgentLoop(worker, patient=patient) for worker in workers]
        self.clock, self.wait, self.tell = workers[0].clock, workers[0].wait, workers[0].tell
        self.pid = workers[0].life.pid

    def check(self) -> None:
        """Raise when the lives have to end."""
        for worker in self._workers:
            worker.check()

    def looks(self) -> LoopLooks:
        """Look whether anything is to be done for any of them."""
        looks = [(loop.look(), loop) for loop in self._loops]
        due = [(glance, loop) for glance, loop in looks if glance.seconds <= 0]
        return LoopLooks(due, min(glance.seconds for glance, _ in looks))

    def passes_over(self, _fault: MindError, /) -> bool:
        """Let it end the lives of all."""
        return False

    def leave(self) -> None:
        """Write the checkpoints; where one cannot be written, the next life begins from the log."""
        for worker, loop in zip(self._workers, self._loops, strict=True):
            with contextlib.suppress(MindError):
                if not loop.is_anothers():
                    checkpoints.save_checkpoint(worker.store, loop.session)


class _Absence:
    """A store that cannot be reached, or stays busy: it is said once, and waited out."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._said, self._times = "", 0

    def bear(self, fault: MindError) -> None:
        """Rest, each time about twice as long, and never so long that it is waited for after."""
        if str(fault) != self._said:
            self._said = str(fault)
            self._crew.tell(self._said)
        seconds = min(POLL_SECONDS * 2.0**self._times, _LONGEST_ABSENCE)
        self._crew.wait(seconds * (1 - self._crew.pid % _APART / (2 * _APART)))
        self._times = min(self._times + 1, 10)

    def ends(self) -> None:
        """Note that the store is there."""
        self._said, self._times = "", 0


def stay(crew: Crew, *, bounds: WorkerBounds) -> Iterator[CycleReport]:
    """Let the loops of a process have their turns until the bounds are met; see `run`.

    A store that cannot be reached is waited for, and each loop goes on where its last transaction
    ended: what became of one whose answer was lost, the next look sees.

    Raises:
        MindError: with `once`, what the first cycle that failed ended with, when the others whom
            that does not concern were lived.
    """
    jumps, absence = ClockJumps(crew.clock), _Absence(crew)
    lived = 0
    failed: MindError | None = None
    try:
        while not _have_ended(crew.clock, bounds, lived):
            try:
                is_due, report = _turn(crew, jumps, bounds)
            except (StoreBusyError, CommitUnknownError) as fault:
                if bounds.once:
                    raise
                absence.bear(fault)
                continue
            except MindError as fault:
                if not (bounds.once and crew.passes_over(fault)):
                    raise
                if failed is not None:
                    crew.tell(str(fault))
                failed = failed or fault
                continue
            absence.ends()
            if report is not None:
                lived += 1
                yield report
            elif bounds.once and not is_due:
                break
        if failed is not None:
            raise failed
    finally:
        crew.leave()


def _turn(crew: Crew, jumps: ClockJumps, bounds: WorkerBounds) -> tuple[bool, CycleReport | None]:
    """Let the loop whose turn it is go through an iteration, or wait until one is due.

    Return whether one was, and the cycle that was lived.
    """
    crew.check()
    for note in jumps.notes():
        crew.tell(note)
    looks = crew.looks()
    if not looks.due:
        if not bounds.once:
            crew.wait(_waiting(crew.clock, bounds, looks.seconds))
        return False, None
    glance, loop = min(looks.due, key=lambda one: (not one[0].urgent, one[1].turned))
    return True, loop.iterate(glance)


def _have_ended(clock: Clock, bounds: WorkerBounds, lived: int) -> bool:
    """Tell whether the workers have stayed as long as they should."""
    if bounds.cycles is not None and lived >= bounds.cycles:
        return True
    return bounds.until is not None and clock.now() >= bounds.until


def _waiting(clock: Clock, bounds: WorkerBounds, seconds: float) -> float:
    """Return how long to wait, no longer than to the end."""
    if bounds.until is None:
        return seconds
    return min(seconds, max(0.01, seconds_between(clock.now(), bounds.until)))
