"""What is done with a task by how its worker is found."""

import enum
from typing import NamedTuple

from mindpipe.core.instants import seconds_between
from mindpipe.tasks.records import Task, TaskState


class WorkerSight(NamedTuple):
    """How a worker is found: whether it is there, and whether the task still waits before it.

    It could say something only since an instant, where the store had been away.
    """

    alive: bool
    queued: bool = False
    heard_since: str = ""


class FoundTask(enum.Enum):
    """How a task is found."""

    ENDED = enum.auto()
    WITH_A_PERSON = enum.auto()
    NOT_SENT = enum.auto()
    WORKING = enum.auto()
    STUCK = enum.auto()
    GONE = enum.auto()
    PARTIAL = enum.auto()


class RecoveryStep(enum.Enum):
    """What is done."""

    NOTHING = enum.auto()
    SEND = enum.auto()
    MARK_LATE = enum.auto()
    RESUME = enum.auto()
    RESTART = enum.auto()
    ESCALATE = enum.auto()


def found(task: Task, sight: WorkerSight, *, now: str, heartbeat: float) -> FoundTask:
    """Return how a task is found: its row, its worker, and how long nothing was heard of it.

    One whose worker is there but was not heard of for `heartbeat` seconds is stuck, and so is one
    that no worker has taken up by then.
    """
    if task.state in (TaskState.DONE, TaskState.FAILED):
        return FoundTask.ENDED
    if task.state is TaskState.ESCALATED:
        return FoundTask.WITH_A_PERSON
    if task.state is TaskState.CREATED:
        return FoundTask.NOT_SENT
    if task.state is TaskState.LOST:
        return FoundTask.PARTIAL if task.partial else FoundTask.GONE
    if not sight.alive:
        return FoundTask.GONE
    silent = seconds_between(max(task.last_seen or task.created, sight.heard_since), now)
    return FoundTask.STUCK if silent > heartbeat and not sight.queued else FoundTask.WORKING


def step(task: Task, state: FoundTask, *, now: str) -> RecoveryStep:
    """Return what is done with a task that is found so, by its policies.

    Every further sending counts as a retry; when all are used up a person is asked.
    """
    if state is FoundTask.NOT_SENT:
        return RecoveryStep.SEND
    if state in (FoundTask.ENDED, FoundTask.WITH_A_PERSON, FoundTask.WORKING):
        return _late(task, now) if state is FoundTask.WORKING else RecoveryStep.NOTHING
    return _retry(task, state)


def _retry(task: Task, state: FoundTask) -> RecoveryStep:
    """Return what is done with a task that nobody works on as one should."""
    if _gives_up(task, state) or task.retry_count >= task.max_retries:
        return RecoveryStep.ESCALATE
    if state is FoundTask.STUCK:
        return RecoveryStep.RESUME
    if state is FoundTask.PARTIAL:
        return RecoveryStep.RESUME if task.if_partial == "finish" else RecoveryStep.RESTART
    far = task.checkpoint is not None and task.progress > 0.5
    return RecoveryStep.RESUME if task.if_lost == "resume" and far else RecoveryStep.RESTART


def _late(task: Task, now: str) -> RecoveryStep:
    """Return what is done with a task that is worked on: it may be too late."""
    if task.due_at is None or now < task.due_at:
        return RecoveryStep.NOTHING
    if task.if_late == "escalate":
        return RecoveryStep.ESCALATE
    return RecoveryStep.NOTHING if task.state is TaskState.LATE else RecoveryStep.MARK_LATE


def _gives_up(task: Task, state: FoundTask) -> bool:
    """Tell whether a task's policy is to ask a person at once; of a stuck one it is not."""
    if state is FoundTask.STUCK:
        return False
    policy = task.if_partial if state is FoundTask.PARTIAL else task.if_lost
    return policy == "escalate"
