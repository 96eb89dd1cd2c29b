"""One life of a worker that stays, and what it left behind when it crashed."""

from mindpipe.core.records import Record
from mindpipe.core.states import State


class RunState(State):
    """How a worker's life stands: a clean end is its own last word, a crash what others find."""

    RUNNING = "running"
    CLEAN = "clean"
    CRASHED = "crashed"

    def successors(self) -> frozenset["RunState"]:
        """Return the states that may follow."""
        if self is RunState.RUNNING:
            return frozenset({RunState.CLEAN, RunState.CRASHED})
        return frozenset()


class Run(Record):
    """One life of `mind run`.

    `pid`, `born` and `boot` tell its process from any other; its `id` is also the owner's name in
    the leases it takes. `ended` is when it ended, or when its crash was found, `found` what was
    then under way, as JSON.
    """

    id: str
    agent: str
    state: RunState
    pid: int
    born: str
    boot: str
    program: str
    schema: int
    started: str
    ended: str | None = None
    found: str | None = None


class UnderWay(Record):
    """What a crashed worker left: its open cycle and events, what it did, is done and unknown."""

    cycle: int | None = None
    events: tuple[str, ...] = ()
    doing: str = "nothing"
    done: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


class Bounds(Record):
    """How long a worker stays: until nothing is due, for so many cycles, until an instant."""

    once: bool = False
    cycles: int | None = None
    until: str | None = None
