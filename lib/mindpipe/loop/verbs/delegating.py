"""Send delegated tasks, mend those that are late, stuck or lost, and recover them after a crash."""

from typing import NamedTuple

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import MindError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Rows
from mindpipe.core.sources import untrusted
from mindpipe.core.tools import ToolManifest
from mindpipe.decisions.verbs import escalating
from mindpipe.inbox.records import EventState
from mindpipe.inbox.verbs import look as inbox
from mindpipe.loop.workers import Workers
from mindpipe.tasks.records import OPEN, Task, TaskState
from mindpipe.tasks.recovery import Found, Sight, Step, found, step
from mindpipe.tasks.verbs import queue, sending
from mindpipe.tasks.wording import order_of, outcome_of
from mindpipe.think.means import Means
from mindpipe.think.policy import reason_to_ask
from mindpipe.think.tools.handing_back import handed_back
from mindpipe.think.verbs.tickets import Matter, open_matter

_WHY = {
    Found.STUCK: "its worker says nothing any more",
    Found.GONE: "its worker is gone",
    Found.PARTIAL: "its worker ended without a result",
    Found.WORKING: "it is late",
}


class Delegation(NamedTuple):
    """Who works, after how many silent seconds a worker counts as stuck, and whom all trust."""

    workers: Workers
    heartbeat: float
    trust: tuple[str, ...] = ()


def send_due(means: Means, delegation: Delegation, *, agent: str) -> list[Task]:
    """Send the tasks that an agent delegated since; return them as they are then.

    A program is not started for what was made from text that its agent may not act on unasked: a
    person is asked then.
    """
    return _each(means, delegation, agent, (TaskState.CREATED,), starting=False)


def mend(means: Means, delegation: Delegation, *, agent: str) -> list[Task]:
    """See after the tasks that were sent; return those that were sent again, late or escalated."""
    return _each(means, delegation, agent, _SENT, starting=False)


def recover(means: Means, delegation: Delegation, *, agent: str) -> list[Task]:
    """See after all open tasks after a crash: none is left that nobody works on or looks at.

    One that was sent and taken up by nobody is sent again at once, as whoever sent it may have died
    before it could start a worker.
    """
    return _each(means, delegation, agent, OPEN, starting=True)


def send_again(means: Means, delegation: Delegation, *, task: str) -> Task:
    """Send a task again because a person wants it, its retries counted anew.

    Raises:
        RefusedError: it has ended.
        UsageError: there is no such task.
    """
    with means.store.write() as rows:
        before = queue.require_open(rows, task)
        made = _sent(rows, means, delegation, before, anew=False, retry=None)
        handed_back(means.store, means.clock, made)
    _start(delegation, made)
    return made


_SENT = (TaskState.SENT, TaskState.RUNNING, TaskState.LATE, TaskState.LOST)


def _each(
    means: Means,
    delegation: Delegation,
    agent: str,
    states: tuple[TaskState, ...],
    *,
    starting: bool,
) -> list[Task]:
    """Take the step that each task wants; return those that it changed."""
    changed: list[Task] = []
    for one in queue.list_(means.store, agent=agent):
        if one.state not in states:
            continue
        means.check()
        if _wants(means, delegation, one, starting=starting)[1] is Step.NOTHING:
            continue
        with means.store.write() as rows:
            now = queue.find(rows, one.id)
            made = _taken(rows, means, delegation, now, starting=starting)
        if made is None:
            continue
        reach("task.after_send")
        _start(delegation, made)
        changed.append(made)
    return changed


def _wants(
    means: Means, delegation: Delegation, task: Task, *, starting: bool
) -> tuple[Found, Step]:
    """Return how a task is found and what is to be done."""
    now = means.clock.now()
    sight = _sight(means, delegation, task)
    state = found(task, sight, now=now, heartbeat=delegation.heartbeat)
    untaken = task.state is TaskState.SENT and delegation.workers.is_program(task.to)
    if starting and untaken and state is Found.WORKING:
        state = Found.STUCK
    return state, step(task, state, now=now)


def _sight(means: Means, delegation: Delegation, task: Task) -> Sight:
    """Look at the worker of a task: its process, or the event by which an agent was given it."""
    if delegation.workers.is_program(task.to):
        # Whoever was started for it may be about to take it up.
        return Sight(task.worker is None or delegation.workers.lives(task.worker))
    try:
        agents.show(means.store, name=task.to)
        given = inbox.find(means.store, agent=task.to, source="task", key=order_of(task).key or "")
    except UsageError:
        return Sight(alive=False)
    if given is None or given.state is EventState.DEAD:
        return Sight(alive=False)
    return Sight(alive=True, queued=given.state is not EventState.DONE)


def _taken(
    rows: Rows, means: Means, delegation: Delegation, task: Task, *, starting: bool
) -> Task | None:
    """Take the step that a task wants, inside the transaction; None where it wants none."""
    state, wanted = _wants(means, delegation, task, starting=starting)
    if wanted is Step.NOTHING:
        return None
    if wanted is Step.MARK_LATE:
        return sending.mark_late(rows, task)
    if wanted is Step.ESCALATE:
        used_up = state is not Found.WORKING and task.retry_count >= task.max_retries
        tried = f", and it was tried {task.sends} times" if used_up else ""
        reason = f"{_WHY[state]}{tried}"
        return _escalated(rows, means, task, reason, late=state is Found.WORKING)
    if wanted is Step.SEND:
        held = _held(means, delegation, task)
        if held is not None:
            return _escalated(rows, means, task, held, late=False)
    retry = wanted is not Step.SEND
    return _sent(rows, means, delegation, task, anew=wanted is Step.RESTART, retry=retry)


def _sent(
    rows: Rows,
    means: Means,
    delegation: Delegation,
    task: Task,
    *,
    anew: bool,
    retry: bool | None,
) -> Task:
    """Send a task inside the transaction; to an agent it goes as an event."""
    made = sending.send(rows, means.clock, task, anew=anew, retry=retry)
    if not delegation.workers.is_program(made.to):
        means.deliver([order_of(made)])
    return made


def _start(delegation: Delegation, task: Task) -> None:
    """Start a process for a task that was sent to a program."""
    if task.state is TaskState.SENT and delegation.workers.is_program(task.to):
        delegation.workers.start(task)
        reach("task.after_start")


def _held(means: Means, delegation: Delegation, task: Task) -> str | None:
    """Say why a task is not sent unasked, or None."""
    if not delegation.workers.is_program(task.to):
        try:
            agents.show(means.store, name=task.to)
        except MindError:
            return f"there is no agent and no worker {task.to}"
        return None
    who = agents.show(means.store, name=task.agent)
    tool = ToolManifest(name=task.to, description="", command=(task.to,), effect="unsafe")
    return reason_to_ask(tool, who, untrusted(task.sources, (*who.trust, *delegation.trust)))


def _escalated(rows: Rows, means: Means, task: Task, reason: str, *, late: bool) -> Task:
    """Hand a task to a person: a ticket, an event for its agent, and a call for somebody."""
    words = f"task {task.id} ({task.kind}, {task.to}): {reason}; mind task show {task.id}"
    matter = Matter("escalation", words, task.cycle)
    ticket = open_matter(means.store, means.clock, means.chance, agent=task.agent, matter=matter)
    made = sending.escalate(rows, task, late=late, reason=reason, ticket=ticket.id)
    means.deliver([outcome_of(made)])
    escalating.raise_(
        rows,
        means.clock,
        agent=made.agent,
        key=f"{made.id}:{made.sends}",
        about=made.id,
        text=words,
    )
    return made
