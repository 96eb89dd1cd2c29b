"""Take what workers say of their tasks; one that was sent anew since is not heard any more."""

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import FencedError, RefusedError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Clock, Deliver, Rows, Store
from mindpipe.tasks import tables
from mindpipe.tasks.records import Identity, Report, Task, TaskState
from mindpipe.tasks.verbs.queue import find
from mindpipe.tasks.wording import outcome_of

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
    with store.write() as rows:
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
    with store.write() as rows:
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
    with store.write() as rows:
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
    with store.write() as rows:
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
    """Return a task as it ended."""
    if report.error is None:
        return task.to_state(TaskState.DONE, result=report.result, progress=1.0, worker=None)
    late = (TaskState.RUNNING,) if task.state is TaskState.LATE else ()
    return task.to_state(*late, TaskState.FAILED, error=report.error, worker=None)
