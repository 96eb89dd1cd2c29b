"""Delegate tasks, look at them, and end them."""

from typing import NamedTuple

from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.names import did_you_mean
from mindpipe.core.ports import Chance, Clock, Deliver, Rows, Store
from mindpipe.tasks import keys, tables
from mindpipe.tasks.records import MAX_DEPTH, OPEN, NewTask, Task, TaskState
from mindpipe.tasks.wording import outcome_of


class Origin(NamedTuple):
    """Where a task comes from: cycle, call, and whose text the agent had read."""

    cycle: int = 0
    call: str | None = None
    sources: tuple[str, ...] = ()


def add(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    new: NewTask,
    origin: Origin | None = None,
) -> Task:
    """Keep a task until it is sent.

    Raises:
        RefusedError: it would be delegated for a task that itself was, too many times.
    """
    whence = origin or Origin()
    with store.write() as rows:
        depth = 1 + max((one.depth for one in tables.of_worker(rows, worker=agent)), default=0)
        if depth > MAX_DEPTH:
            raise RefusedError(
                f"{agent} works on a task that was delegated {MAX_DEPTH} times; do it yourself."
            )
        id_ = chance.new_id("k", agent, whence.call or len(tables.ids(rows)))
        made = Task(
            id=id_,
            agent=agent,
            kind=new.kind,
            text=new.text,
            to=new.to,
            state=TaskState.CREATED,
            key=keys.key_of(store.identity, id_),
            created=clock.now(),
            due_seconds=new.due_seconds,
            input=new.input,
            max_retries=new.max_retries,
            if_lost=new.if_lost,
            if_late=new.if_late,
            if_partial=new.if_partial,
            cycle=whence.cycle,
            call=whence.call,
            depth=depth,
            sources=whence.sources,
        )
        tables.save(rows, made)
    return made


def list_(store: Store, *, agent: str | None = None, every: bool = False) -> list[Task]:
    """Return the tasks that an agent delegated, or all did, and that have not ended; or every."""
    with store.read() as rows:
        return tables.list_(rows, agent=agent, states=tuple(TaskState) if every else OPEN)


def given(store: Store, *, worker: str) -> list[Task]:
    """Return the open tasks that an agent is to work on."""
    with store.read() as rows:
        return tables.of_worker(rows, worker=worker)


def show(store: Store, *, task: str) -> Task:
    """Return one task; raises UsageError with the nearest id."""
    with store.read() as rows:
        return find(rows, task)


def find(rows: Rows, task: str) -> Task:
    """Return one task inside a transaction; raises UsageError with the nearest id."""
    found = tables.find(rows, task)
    if found is None:
        near = did_you_mean(task, tables.ids(rows))
        raise UsageError(f'no task "{task}"; {near}mind task list shows them.')
    return found


def require_open(rows: Rows, task: str) -> Task:
    """Return a task that has not ended, inside a transaction; raises RefusedError for others."""
    found = find(rows, task)
    if not found.state.successors():
        raise RefusedError(f"{task} is {found.state.value}; it has ended.")
    return found


def cancel(store: Store, deliver: Deliver, *, task: str, person: str, reason: str | None) -> Task:
    """End a task as failed, whoever works on it; what comes of that later is refused.

    Raises:
        RefusedError: it has ended.
        UsageError: there is no such task.
    """
    with store.write() as rows:
        found = require_open(rows, task)
        words = f"cancelled by {person}" + (f": {reason}" if reason else "")
        made = found.to_state(*_to_failed(found.state), error=words, worker=None)
        tables.save(rows, made)
        deliver([outcome_of(made)])
    return made


def _to_failed(state: TaskState) -> tuple[TaskState, ...]:
    """Return the legal steps from an open state to failed."""
    if TaskState.FAILED in state.successors():
        return (TaskState.FAILED,)
    return (TaskState.ESCALATED, TaskState.FAILED)
