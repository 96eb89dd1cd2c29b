"""What a worker leaves in the store: its sessions, modes, iterations and checkpoint."""

from mindpipe.core.records import Natural, Positive, Record, State


class WorkerSessionState(State):
    """How a worker's life stands: a clean end is its own last word, a crash what others find."""

    RUNNING = "running"
    CLEAN = "clean"
    CRASHED = "crashed"

    def successors(self) -> frozenset["WorkerSessionState"]:
        """Return the states that may follow."""
        if self is WorkerSessionState.RUNNING:
            return frozenset({WorkerSessionState.CLEAN, WorkerSessionState.CRASHED})
        return frozenset()


class WorkerSession(Record):
    """One life of `mind run`.

    `pid`, `born` and `boot` tell its process from any other; its `id` is also the owner's name in
    the leases it takes. `ended` is when it ended, or when its crash was found, `found` what was
    then under way, as JSON. On a server others can trust that it goes on `until` an instant of the
    store's clock, in seconds; in a file they see its process.
    """

    id: str
    agent: str
    state: WorkerSessionState
    pid: int
    born: str
    boot: str
    program: str
    schema: int
    started: str
    ended: str | None = None
    found: str | None = None
    until: float | None = None


class NextLook(Record):
    """When an agent that nobody lives is to be looked at next, on the store's clock.

    `position` is the last change of the agent that was known then: another one makes it due.
    """

    agent: str
    boot: str
    seconds: float
    position: Natural


class UnfinishedWork(Record):
    """What a crashed worker left: its open cycle and events, what it did, is done and unknown."""

    cycle: int | None = None
    events: tuple[str, ...] = ()
    doing: str = "nothing"
    done: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


class WorkerBounds(Record):
    """How long a worker stays: until nothing is due, for so many cycles, until an instant."""

    once: bool = False
    cycles: int | None = None
    until: str | None = None


class LoopMode(State):
    """How a loop attends: `modes.py` says when each begins and ends, and what it takes up."""

    NORMAL = "normal"
    DEEP_FOCUS = "deep_focus"
    EXPLORATION = "exploration"
    OVERLOAD = "overload"
    SLEEP = "sleep"
    RECOVERY = "recovery"

    def successors(self) -> frozenset["LoopMode"]:
        """Return the modes that may follow."""
        return _MODE_SUCCESSORS[self]


_MODE_SUCCESSORS = {
    LoopMode.NORMAL: frozenset(LoopMode) - {LoopMode.NORMAL},
    LoopMode.DEEP_FOCUS: frozenset(
        {LoopMode.NORMAL, LoopMode.OVERLOAD, LoopMode.SLEEP, LoopMode.RECOVERY}
    ),
    LoopMode.EXPLORATION: frozenset(LoopMode) - {LoopMode.EXPLORATION},
    LoopMode.OVERLOAD: frozenset({LoopMode.NORMAL, LoopMode.SLEEP, LoopMode.RECOVERY}),
    LoopMode.SLEEP: frozenset({LoopMode.NORMAL, LoopMode.OVERLOAD, LoopMode.RECOVERY}),
    LoopMode.RECOVERY: frozenset({LoopMode.NORMAL}),
}


class ModeChange(Record):
    """One change of an agent's mode: when, from what to what, by the loop or a person, and why."""

    agent: str
    at: str
    before: LoopMode
    after: LoopMode
    by: str
    reason: str


class ModeNow(Record):
    """The mode of an agent's loop, since when, by whom and why; `held` until a person sets it."""

    agent: str
    mode: LoopMode
    since: str | None = None
    by: str | None = None
    reason: str | None = None
    held: bool = False


class Iteration(Record, omit_defaults=True):
    """One iteration of an agent's loop: observe, think, decide, act, reflect.

    `number` counts from 1 over all lives of the agent. `concern` names what was worked on. `events`
    were taken up, `queue` waited when it began, `rate` is how many came per second by then. `cycle`
    is the one that was lived, null where there was none. Phases are in milliseconds,
    `interval_ms` is the pause that followed. `confidence` is the mean of what was decided (0-1),
    `significance` that of what happened (0-10). `error` is what it ended with, if it failed.
    """

    agent: str
    number: Positive
    life: str
    at: str
    mode: LoopMode
    concern: str | None = None
    cycle: Positive | None = None
    outcome: str = "idle"
    events: Natural = 0
    queue: Natural = 0
    rate: float = 0.0
    observe_ms: float = 0.0
    think_ms: float = 0.0
    decide_ms: float = 0.0
    act_ms: float = 0.0
    reflect_ms: float = 0.0
    interval_ms: Natural = 0
    decided: Natural = 0
    applied: Natural = 0
    confidence: float | None = None
    significance: float | None = None
    error: str | None = None

    @property
    def milliseconds(self) -> float:
        """Return how long all phases took, to the microsecond."""
        phases = (self.observe_ms, self.think_ms, self.decide_ms, self.act_ms, self.reflect_ms)
        return round(sum(phases), 3)


class LoopCounts(Record, omit_defaults=True):
    """What a loop has counted when its agent is let go: another one goes on from there.

    `lasted` iterations were in this mode, `focused` in a row the focus's. `looked` in vain, `vain`,
    `failed` and `broken` count what went wrong in a row, by kind. `rests_until` is an instant of
    the store's clock.
    """

    lasted: Natural = 0
    focused: Natural = 0
    looked: Natural = 0
    vain: Natural = 0
    failed: Natural = 0
    broken: Natural = 0
    rests_until: float | None = None


class Checkpoint(Record, omit_defaults=True):
    """What a loop knows between iterations: the checkpoint holds just this.

    `iteration` is the last one that ended. `mean_seconds` and `mean_queue` are moving averages,
    null before the first value. `queue` are the ids of what waited. `since_consolidation` counts
    cycles, `consolidated` and `developed` are when these rhythms last came, `active` when something
    was last done, `began` when the first life did. `errors` counts failures in a row, `crashes`
    those at the same place. `counts` are there where the agent was let go between two iterations.
    """

    agent: str
    at: str
    iteration: Natural = 0
    mode: LoopMode = LoopMode.NORMAL
    focus: str | None = None
    task: str | None = None
    began: str = ""
    active: str = ""
    mean_seconds: float | None = None
    mean_queue: float | None = None
    queue: tuple[str, ...] = ()
    since_consolidation: Natural = 0
    consolidated: str | None = None
    developed: str | None = None
    errors: Natural = 0
    crashes: Natural = 0
    counts: LoopCounts | None = None
