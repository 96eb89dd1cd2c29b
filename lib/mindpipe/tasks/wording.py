"""The order and the outcome of a task in words, and its key."""

import hashlib
from collections.abc import Iterable

from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.records import to_json
from mindpipe.core.sources import joined
from mindpipe.tasks.records import Task, TaskState

SOURCE = "task"
_MOST_CHARACTERS = 1 << 17


def outcome_of(task: Task, *, sources: Iterable[str] = ()) -> NewEvent:
    """Return the event by which an agent hears what became of a task: one per state and sending.

    What a worker says is not trusted: it is the text of `task/WORKER`, and of `sources`.
    """
    return NewEvent(
        type="service",
        agent=task.agent,
        source=SOURCE,
        sender=task.to[:200],
        key=f"{task.id}:{task.state.value}:{task.sends}",
        priority=(
            Priority.CRITICAL if task.state is TaskState.ESCALATED else Priority.NORMAL
        ).value,
        text=f"Task {task.id} ({task.kind}, {task.to}) {_became(task)}",
        sources=joined(sources),
        body={"task": task.id, "state": task.state.value, "progress": task.progress},
    )


_REPORT = "Say how far you are, and the result, by report_task."
_NO_REPORT = "Somebody else will report what comes of it."


def order_of(task: Task, *, reports: bool = True) -> NewEvent:
    """Return the event by which an agent is given a task, with the key of the work itself.

    A task that is sent again is another event about the same work. It names the tool by which the
    agent `reports`, if that has it; else a person reports what came of it.
    """
    body: dict[str, object] = {"task": task.id, "key": task.key, "kind": task.kind}
    if task.input:
        body["input"] = task.input
    again = ""
    if task.sends > 1:
        again = " It was given to you before: go on where you are, do not begin twice."
        body |= {"progress": task.progress, "checkpoint": task.checkpoint}
    return NewEvent(
        type="service",
        agent=task.to,
        source=SOURCE,
        sender=task.agent,
        key=f"{task.id}:send:{task.sends}",
        text=(
            f"Task {task.id} ({task.kind}) from {task.agent}: {task.text}\n"
            f"{_REPORT if reports else _NO_REPORT}{again}"
        ),
        sources=joined(task.sources),
        body=body,
    )


def _became(task: Task) -> str:
    """Say what became of a task."""
    if task.state is TaskState.DONE:
        result = task.result if isinstance(task.result, str) else to_json(task.result).decode()
        if len(result) > _MOST_CHARACTERS:
            cut = f"[cut: mind task show {task.id} has all]"
            return f"is done. Result: {result[:_MOST_CHARACTERS]} {cut}"
        return f"is done. Result: {result}"
    if task.state is TaskState.FAILED:
        return f"failed: {task.error}"
    return f"waits for a person: {task.error}"


def key_of(store: str, task: str) -> str:
    """Return a task's key: the same for every retry, so that a receiver can tell them for one."""
    return hashlib.sha256(f"{store}\x1f{task}".encode()).hexdigest()
