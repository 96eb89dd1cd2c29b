"""Delegated tasks: keep, send and end them, and take down what their workers say."""

from collections.abc import Callable, Collection
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import FencedError, NothingToDoError, RefusedError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.ports import NOBODY, Chance, Clock, Deliver, Rows, Store
from mindpipe.core.text import did_you_mean
from mindpipe.tasks import tables, wording
from mindpipe.tasks.records import MAX_DEPTH, OPEN, Identity, NewTask, Report, Task, TaskState
from mindpipe.tasks.wording import outcome_of


class TaskOrigin(NamedTuple):
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
    origin: TaskOrigin | None = None,
) -> Task:
    """Keep a task until it is sent.

    Raises:
        RefusedError: it would be delegated for a task that itself was, too many times.
    """
    whence = origin or TaskOrigin()
    with store.write(agent) as rows:
        depth = 1 + max((one.depth for one in tables.of_worker(rows, worker=agent)), default=0)
        if depth > MAX_DEPTH:
            raise RefusedError(
                f"{agent} works on a task that was delegated {MAX_DEPTH} times; do it yourself."
            )
        id_ = chance.new_id("k", agent, whence.call or len(tables.ids(rows)))
        created = clock.now()
        made = Task(
            id=id_,
            agent=agent,
            kind=new.kind,
            text=new.text,
            to=new.to,
            state=TaskState.CREATED,
            key=wording.key_of(store.identity, id_),
            created=created,
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
            place=tables.count_created(rows, agent=agent, at=created),
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
        return known(rows, task)


def find(rows: Rows, task: str) -> Task:
    """Return one task inside a transaction, which holds it; raises UsageError with the nearest id.

    Who delegated it and who works on it both change it, and the ticket for which it waits.
    """
    rows.hold("task", task)
    found = known(rows, task)
    if found.ticket is not None:
        rows.hold("ticket", found.ticket)
    return found


def known(rows: Rows, task: str) -> Task:
    """Return one task as it is, whoever holds it; raises UsageError with the nearest id."""
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
    words = f"cancelled by {person}" + (f": {reason}" if reason else "")
    with store.write(NOBODY) as rows:
        return fail(rows, deliver, require_open(rows, task), words)


def fail(rows: Rows, deliver: Deliver, task: Task, why: str) -> Task:
    """Save an open task as failed, inside the transaction; its agent hears of it."""
    made = task.to_state(*_to_failed(task.state), error=why, worker=None)
    tables.save(rows, made)
    deliver([outcome_of(made)])
    return made


def let_go(rows: Rows, task: Task, *, sha256: str) -> Task:
    """Save a held task as one to be sent under a hash, inside the transaction."""
    made = task.to_state(TaskState.CREATED, approved=sha256, error=None)
    tables.save(rows, made)
    return made


def recover(
    store: Store,
    *,
    agent: str | None,
    task: str | None,
    mend: Callable[[str], list[Task]],
    send_again: Callable[[str, str], Task],
) -> list[Task]:
    """See after the tasks of an agent, or send one again; return those that changed.

    `mend` is given the agent, `send_again` who delegated the task, and the task.

    Raises:
        NothingToDoError: there is nothing to recover.
        UsageError: neither a task nor an agent is named, or both are; or there is no such task.
    """
    if (task is None) == (agent is None):
        raise UsageError("which tasks? Give --agent NAME, or the ID of one.")
    if task is not None:
        return [send_again(show(store, task=task).agent, task)]
    found = mend(agent or "")
    if not found:
        raise NothingToDoError(f"no task of {agent} is to be recovered.")
    return found


def work(
    store: Store,
    *,
    task: str,
    program_of: Callable[[str], str | None],
    run: Callable[[str], Task],
) -> Task:
    """Let the program that a task was given to run to its end; return the task as it is then.

    `program_of` names the program that a worker is, if it is one.

    Raises:
        FencedError: another process has the task, or it was sent anew or ended.
        UsageError: there is no such task, or it was not given to a program.
    """
    with store.write(NOBODY):
        found = show(store, task=task)
    program = program_of(found.to)
    if program is None:
        raise UsageError(f"{task} was given to the agent {found.to}, not to a program.")
    return run(program)


def _to_failed(state: TaskState) -> tuple[TaskState, ...]:
    """Return the legal steps from an open state to failed."""
    if TaskState.FAILED in state.successors():
        return (TaskState.FAILED,)
    return (TaskState.ESCALATED, TaskState.FAILED)


_TO_BEGIN = (TaskState.SENT, TaskState.LATE)


class Author(NamedTuple):
    """Which agent reports, and whose text it had read."""

    name: str
    sources: tuple[str, ...] = ()


def begin(store: Store, clock: Clock, *, task: str, sends: int, worker: Identity) -> Task:
    """Take up a task that was sent to a program; of several processes only the first can.

    Raises:
        FencedError: another process has it, or it was sent anew since.
    """
    with store.write(NOBODY) as rows:
        found = find(rows, task)
        if found.sends != sends or found.worker is not None or found.state not in _TO_BEGIN:
            raise FencedError(f"{task} is not for this worker; it is {found.state.value}.")
        made = found.to_state(TaskState.RUNNING, worker=worker, last_seen=clock.now())
        tables.save(rows, made)
        reach("task.before_begin")
    reach("task.after_begin")
    return made


def heard(
    store: Store, clock: Clock, deliver: Deliver, *, task: str, sends: int, report: Report
) -> Task:
    """Take down a line of the program that works on a task.

    Raises:
        FencedError: the task was sent anew since, or has ended.
    """
    with store.write(NOBODY) as rows:
        found = _mine(rows, task, sends)
        made = _reported(rows, clock, deliver, found, report)
    reach("task.after_report")
    return made


def end(
    store: Store, clock: Clock, deliver: Deliver, *, task: str, sends: int, report: Report | None
) -> Task:
    """Take down how a program ended: by its result or error, or lost without one (None).

    Without a result but otherwise well it says neither, and is partial.

    Raises:
        FencedError: the task was sent anew since, or has ended.
    """
    reach("task.before_outcome")
    with store.write(NOBODY) as rows:
        found = _mine(rows, task, sends)
        if report is not None and _is_end(report):
            made = _reported(rows, clock, deliver, found, report)
        elif found.state is TaskState.ESCALATED:
            made = msgspec.structs.replace(found, worker=None)
            tables.save(rows, made)
        else:
            made = found.to_state(TaskState.LOST, worker=None, partial=report is not None)
            tables.save(rows, made)
    reach("task.after_outcome")
    return made


def report(
    store: Store,
    clock: Clock,
    deliver: Deliver,
    *,
    task: str,
    report: Report,
    author: Author | None = None,
) -> Task:
    """Take down what an agent says of a task that it was given, or an operator of any.

    Raises:
        RefusedError: it was not sent yet, or has ended.
        UsageError: there is no such task for it.
    """
    with store.write(NOBODY) as rows:
        found = find(rows, task)
        if author is not None and found.to != author.name:
            raise UsageError(f'no task "{task}" was given to you.')
        if found.state in (TaskState.CREATED, TaskState.LOST) or not found.state.successors():
            raise RefusedError(f"{task} is {found.state.value}; there is nothing to report.")
        return _reported(
            rows, clock, deliver, found, report, sources=author.sources if author else ()
        )


def _mine(rows: Rows, task: str, sends: int) -> Task:
    """Return the task of a program's worker; raises FencedError if it is no longer its own."""
    found = find(rows, task)
    over = found.state in (TaskState.LOST, TaskState.SENT) or not found.state.successors()
    if found.sends != sends or found.worker is None or over:
        raise FencedError(f"{task} is no longer for this worker; it is {found.state.value}.")
    return found


def _is_end(report: Report) -> bool:
    """Tell whether a report ends its task."""
    return report.result is not None or report.error is not None


def _reported(
    rows: Rows,
    clock: Clock,
    deliver: Deliver,
    found: Task,
    report: Report,
    *,
    sources: Collection[str] = (),
) -> Task:
    """Save a task as a report leaves it; its end is told to who delegated it."""
    if report.result is not None and report.error is not None:
        raise UsageError("a task ends with a result or with an error, not with both.")
    made = msgspec.structs.replace(
        found,
        last_seen=clock.now(),
        progress=found.progress if report.progress is None else report.progress,
        checkpoint=found.checkpoint if report.checkpoint is None else report.checkpoint,
    )
    if _is_end(report):
        made = _ended(made, report)
        deliver([outcome_of(made, sources=sources)])
    elif found.state is TaskState.SENT:
        made = made.to_state(TaskState.RUNNING)
    tables.save(rows, made)
    return made


def _ended(task: Task, report: Report) -> Task:
    if report.error is None:
        return task.to_state(TaskState.DONE, result=report.result, progress=1.0, worker=None)
    late = (TaskState.RUNNING,) if task.state is TaskState.LATE else ()
    return task.to_state(*late, TaskState.FAILED, error=report.error, worker=None)


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
