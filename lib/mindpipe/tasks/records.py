"""Delegated tasks: who works on what for whom, how far it is, and what is done when it is lost."""

from typing import Annotated, Literal

import msgspec

from mindpipe.core.records import Natural, Record, State
from mindpipe.core.sources import joined

IfLost = Literal["resume", "restart", "escalate"]
IfLate = Literal["wait", "escalate"]
IfPartial = Literal["finish", "restart", "escalate"]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
KindName = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_.-]{0,63}(?!\n)$")]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=65536)]
PROGRAM = "program:"
MAX_RETRIES = 3
MAX_DEPTH = 5
"""Tasks that were delegated for tasks, one for the other, at most."""


class TaskState(State):
    """How far a delegated task has come."""

    CREATED = "created"
    SENT = "sent"
    RUNNING = "running"
    LATE = "late"
    LOST = "lost"
    ESCALATED = "escalated"
    DONE = "done"
    FAILED = "failed"

    def successors(self) -> frozenset["TaskState"]:
        """Return the states that may follow."""
        return _SUCCESSORS.get(self, frozenset())


_SUCCESSORS = {
    TaskState.CREATED: frozenset({TaskState.SENT, TaskState.ESCALATED}),
    TaskState.SENT: frozenset(
        {TaskState.RUNNING, TaskState.DONE, TaskState.FAILED, TaskState.LOST, TaskState.LATE}
    ),
    TaskState.RUNNING: frozenset(
        {TaskState.DONE, TaskState.FAILED, TaskState.LOST, TaskState.LATE}
    ),
    TaskState.LATE: frozenset(
        {TaskState.RUNNING, TaskState.DONE, TaskState.LOST, TaskState.ESCALATED}
    ),
    TaskState.LOST: frozenset({TaskState.SENT, TaskState.ESCALATED}),
    TaskState.ESCALATED: frozenset(
        {TaskState.CREATED, TaskState.SENT, TaskState.DONE, TaskState.FAILED}
    ),
}
OPEN = tuple(state for state in TaskState if state.successors())
"""The states of tasks that have not ended."""


class Identity(Record):
    """What tells a worker's process from any other that has or had its number."""

    pid: int
    born: str
    boot: str


class NewTask(Record, omit_defaults=True):
    """A task as it is delegated.

    `to` is an agent, a worker of `tasks.workers`, or (from an operator alone) `program:PATH`. It is
    late after `due_seconds`. `if_lost`, `if_late` and `if_partial` say what is done then.
    """

    kind: KindName = "work"
    text: Words
    to: Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]
    input: dict[str, object] = {}
    due_seconds: Annotated[float, msgspec.Meta(ge=1, le=31_536_000)] = 3600.0
    max_retries: Annotated[int, msgspec.Meta(ge=0, le=MAX_RETRIES)] = MAX_RETRIES
    if_lost: IfLost = "resume"
    if_late: IfLate = "escalate"
    if_partial: IfPartial = "finish"


class Task(Record, omit_defaults=True):
    """One delegated task; `agent` delegated it.

    `key` is its idempotency key, the same however often it is sent. `sends` counts how often it
    was, and fences workers of earlier times. `progress` is 0-1, `checkpoint` what its worker would
    go on from. `worker` is the process of a program that works on it. `partial` says that the last
    worker ended well but without a result. `sources` names whose text it was made from, `depth`
    how many tasks it was delegated for, one for the other. `approved` is the hash of the worker and
    of what it is given, under which a person let it go that policy had held.
    `place` counts from 0 those that its agent created at the same instant.
    """

    id: str
    agent: str
    kind: KindName
    text: str
    to: str
    state: TaskState
    key: str
    created: str
    due_seconds: float
    input: dict[str, object] = {}
    max_retries: Natural = MAX_RETRIES
    if_lost: IfLost = "resume"
    if_late: IfLate = "escalate"
    if_partial: IfPartial = "finish"
    sent_at: str | None = None
    due_at: str | None = None
    last_seen: str | None = None
    sends: Natural = 0
    retry_count: Natural = 0
    progress: Share = 0.0
    checkpoint: dict[str, object] | None = None
    worker: Identity | None = None
    partial: bool = False
    result: object = None
    error: str | None = None
    ticket: str | None = None
    cycle: Natural = 0
    call: str | None = None
    depth: Natural = 0
    sources: tuple[str, ...] = ()
    approved: str | None = None
    place: Natural = 0

    def origins(self) -> tuple[str, ...]:
        """Return whose words its worker reads: its agent's, and those that these came from."""
        return joined(self.sources, (f"task/{self.agent}",))

    def to_state(self, *states: TaskState, **changes: object) -> "Task":
        """Return the task after legal steps one after the other, with what else changed."""
        at = self.state
        for state in states:
            at = at.to(state)
        return msgspec.structs.replace(self, state=at, **changes)


class Report(Record, omit_defaults=True):
    """What a worker says of its task, as a line on its stdout or by report_task.

    `progress` is 0-1, `checkpoint` what it could go on from after a crash. Exactly one of `result`
    and `error` ends the task; a `beat` only says that it is alive.
    """

    progress: Share | None = None
    checkpoint: dict[str, object] | None = None
    beat: bool = False
    result: object = None
    error: str | None = None
