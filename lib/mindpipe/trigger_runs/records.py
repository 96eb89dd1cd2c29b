"""What travels of a trigger run: its trigger, its cycles, and what it waits for."""

from typing import Literal

from mindpipe.core.records import Natural, Positive, Record, State

TriggerType = Literal["space_message", "plan", "service"]


class TriggerRunState(State):
    """How a run stands; a waiting one has no process and goes on in a fresh cycle."""

    RUNNING = "running"
    WAITING = "waiting_reply"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    def successors(self) -> frozenset["TriggerRunState"]:
        """Return the states that may follow."""
        return _TRIGGER_RUN_SUCCESSORS[self]


_TRIGGER_RUN_SUCCESSORS = {
    TriggerRunState.RUNNING: frozenset(
        {
            TriggerRunState.RUNNING,
            TriggerRunState.WAITING,
            TriggerRunState.DONE,
            TriggerRunState.FAILED,
            TriggerRunState.CANCELLED,
        }
    ),
    TriggerRunState.WAITING: frozenset({TriggerRunState.RUNNING, TriggerRunState.CANCELLED}),
    TriggerRunState.DONE: frozenset[TriggerRunState](),
    TriggerRunState.FAILED: frozenset[TriggerRunState](),
    TriggerRunState.CANCELLED: frozenset[TriggerRunState](),
}


class WaitState(State):
    """How a wait for a reply ended, or that it has not."""

    OPEN = "open"
    REPLIED = "replied"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"

    def successors(self) -> frozenset["WaitState"]:
        """Return the states that may follow: an open wait ends once."""
        if self is WaitState.OPEN:
            return frozenset({WaitState.REPLIED, WaitState.TIMED_OUT, WaitState.CANCELLED})
        return frozenset()


class RunTrigger(Record, omit_defaults=True):
    """Why a run began: the event, where it came from, and how deep in a chain of agents it is.

    `name` is the source of a service or the title of a plan, `post` the message of a space. `late`
    is the wait that this message answers, whose time was over when it came.
    """

    type: TriggerType
    event: str
    at: str
    name: str = ""
    space: str | None = None
    sender: str | None = None
    post: str | None = None
    expects_reply: bool = False
    depth: Natural = 0
    late: str | None = None


class ReplyWait(Record, omit_defaults=True):
    """What a run waits for: a reply to its message `post` in `space`, until an instant.

    Any message of `whom` in the space is a reply too, and with `anybody` any message at all. `by`
    is the message that ended it, where one did.
    """

    id: str
    run: str
    agent: str
    space: str
    post: str
    since: str
    until: str
    whom: str | None = None
    anybody: bool = False
    state: WaitState = WaitState.OPEN
    by: str | None = None
    ended: str | None = None


class TriggerRun(Record, omit_defaults=True):
    """One run of an agent: from its trigger, over every wait, to its end.

    `cycles` are the numbers of the cycles it was lived in, `waits` all it waited for, oldest first.
    `depth` counts the hops from agent to agent behind what woke it last: its trigger, a reply, or,
    after a time-out, its own message that nobody answered. What it says is one hop deeper.
    """

    id: str
    agent: str
    state: TriggerRunState
    trigger: RunTrigger
    began: str
    depth: Natural = 0
    cycles: tuple[Positive, ...] = ()
    waits: tuple[ReplyWait, ...] = ()
    ended: str | None = None
    reason: str | None = None

    @property
    def waiting(self) -> ReplyWait | None:
        """Return what it waits for now."""
        return next((wait for wait in self.waits if wait.state is WaitState.OPEN), None)

    @property
    def resumed_by(self) -> ReplyWait | None:
        """Return the wait whose end woke it last; None in its first cycle."""
        ended = [wait for wait in self.waits if wait.state is not WaitState.OPEN]
        return ended[-1] if ended else None


class HeardMessage(Record):
    """A message as waits look at it: its id, its space, the message it answers, and who sent it."""

    id: str
    space: str
    reply_to: str | None = None
    sender: str | None = None


class WaitBounds(Record):
    """Which messages end a wait beside a reply to its own, and after how many seconds it is over.

    They are those of `whom`, or with `anybody` all.
    """

    seconds: float
    whom: str | None = None
    anybody: bool = False
