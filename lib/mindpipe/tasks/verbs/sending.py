"""Send tasks, again with the same key where they were lost, and hand them to a person."""

from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.ports import Clock, Rows
from mindpipe.tasks import tables
from mindpipe.tasks.records import Task, TaskState


def send(rows: Rows, clock: Clock, task: Task, *, anew: bool, retry: bool | None) -> Task:
    """Save a task as sent, inside the transaction; workers of earlier times are fenced.

    `anew` lets it begin from nothing, else it goes on from its checkpoint; `retry`
    counts, and None counts them from nothing.
    """
    lost = task.state in (TaskState.SENT, TaskState.RUNNING, TaskState.LATE)
    now = clock.now()
    made = task.to_state(
        *((TaskState.LOST,) if lost else ()),
        TaskState.SENT,
        sent_at=now,
        due_at=later(now, seconds=task.due_seconds),
        last_seen=now,
        sends=task.sends + 1,
        retry_count=0 if retry is None else task.retry_count + retry,
        progress=0.0 if anew else task.progress,
        checkpoint=None if anew else task.checkpoint,
        worker=None,
        partial=False,
        error=None,
    )
    tables.save(rows, made)
    reach("task.before_send")
    return made


def mark_late(rows: Rows, task: Task) -> Task:
    """Save a task as late, inside the transaction."""
    made = task.to_state(TaskState.LATE)
    tables.save(rows, made)
    return made


def escalate(rows: Rows, task: Task, *, late: bool, reason: str, ticket: str) -> Task:
    """Save a task as one that waits for a person, inside the transaction.

    The worker of one that is only `late` goes on, and what it says is still heard.
    """
    steps: tuple[TaskState, ...] = (TaskState.ESCALATED,)
    if TaskState.ESCALATED not in task.state.successors():
        steps = (TaskState.LATE if late else TaskState.LOST, *steps)
    worker = task.worker if late else None
    made = task.to_state(*steps, error=reason, ticket=ticket, worker=worker)
    tables.save(rows, made)
    reach("task.before_escalate")
    return made
