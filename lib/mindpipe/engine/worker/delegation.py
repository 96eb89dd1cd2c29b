"""Send delegated tasks, mend those that are late, stuck or lost, and reach who works on them."""

from typing import NamedTuple, Protocol

from mindpipe.agents.builtin_tools import kept_names
from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import MindError, RefusedError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.ports import NOBODY, Rows, Store
from mindpipe.core.sources import untrusted
from mindpipe.core.tools import ToolManifest
from mindpipe.decisions.verbs import escalation
from mindpipe.engine.approval import (
    approval_hash,
    given_to_worker,
    reason_to_ask,
    worker_version,
)
from mindpipe.engine.cycle.tickets import TicketMatter, open_matter
from mindpipe.engine.dependencies import Dependencies
from mindpipe.engine.records.journal import Ticket, TicketState
from mindpipe.engine.tables import journal
from mindpipe.engine.tools.tasks import handed_back
from mindpipe.inbox.records import EventState
from mindpipe.inbox.verbs import inbox
from mindpipe.tasks.records import OPEN, Identity, Task, TaskState
from mindpipe.tasks.recovery import FoundTask, RecoveryStep, WorkerSight, found, step
from mindpipe.tasks.verbs import task as tasks
from mindpipe.tasks.wording import order_of, outcome_of


class TaskWorkers(Protocol):
    """Programs of the operator that work on tasks, each in a process of its own."""

    def is_program(self, to: str) -> bool:
        """Tell whether a task's `to` means a program."""
        ...

    def program_of(self, to: str) -> str | None:
        """Return the program that `to` means; None where it means an agent."""
        ...

    def start(self, task: Task) -> None:
        """Start a process for a task that was sent; it takes the task up by itself, or not."""
        ...

    def lives(self, worker: Identity) -> bool:
        """Tell whether the very process of a worker is there."""
        ...

    def heard_since(self) -> str:
        """Return since when they can be heard, where the store was away; else an empty text."""
        ...


_WHY = {
    FoundTask.STUCK: "its worker says nothing any more",
    FoundTask.GONE: "its worker is gone",
    FoundTask.PARTIAL: "its worker ended without a result",
    FoundTask.WORKING: "it is late",
}


class Delegation(NamedTuple):
    """Who works, after how many silent seconds a worker counts as stuck, and whom all trust."""

    workers: TaskWorkers
    heartbeat: float
    trust: tuple[str, ...] = ()


def send_due(deps: Dependencies, delegation: Delegation, *, agent: str) -> list[Task]:
    """Send the tasks that an agent delegated since; return them as they are then.

    A program is not started for what was made from text that its agent may not act on unasked: a
    person is asked then.
    """
    return _each(deps, delegation, agent, (TaskState.CREATED,), starting=False)


def mend(deps: Dependencies, delegation: Delegation, *, agent: str) -> list[Task]:
    """See after the tasks that were sent; return those that were sent again, late or escalated."""
    return _each(deps, delegation, agent, _SENT, starting=False)


def recover(deps: Dependencies, delegation: Delegation, *, agent: str) -> list[Task]:
    """See after all open tasks after a crash: none is left that nobody works on or looks at.

    One that was sent and taken up by nobody is sent again at once, as whoever sent it may have died
    before it could start a worker.
    """
    return _each(deps, delegation, agent, OPEN, starting=True)


def send_again(deps: Dependencies, delegation: Delegation, *, task: str) -> Task:
    """Send a task again because a person wants it, its retries counted anew.

    Raises:
        RefusedError: it has ended, or policy holds it until its ticket is approved.
        UsageError: there is no such task.
    """
    with deps.store.write(NOBODY) as rows:
        rows.hold("agent", tasks.known(rows, task).agent)
        before = tasks.require_open(rows, task)
        reason = None if before.sends else _reason_to_ask(deps.store, delegation, before)
        if reason is not None:
            way = f"mind ticket show {before.ticket}" if before.ticket else "mind act asks"
            raise RefusedError(f"{task} waits for approval ({way}): {reason}.")
        made = _sent(rows, deps, delegation, before, anew=False, retry=None)
    _start(delegation, made)
    return made


_SENT = (TaskState.SENT, TaskState.RUNNING, TaskState.LATE, TaskState.LOST)


def _each(
    deps: Dependencies,
    delegation: Delegation,
    agent: str,
    states: tuple[TaskState, ...],
    *,
    starting: bool,
) -> list[Task]:
    """Take the step that each task wants; return those that it changed."""
    changed: list[Task] = []
    for one in tasks.list_(deps.store, agent=agent):
        if one.state not in states:
            continue
        deps.holder.check()
        if _wants(deps, delegation, one, starting=starting)[1] is RecoveryStep.NOTHING:
            continue
        with deps.store.write(agent) as rows:
            now = tasks.find(rows, one.id)
            made = _taken(rows, deps, delegation, now, starting=starting)
        if made is None:
            continue
        reach("task.after_send")
        _start(delegation, made)
        changed.append(made)
    return changed


def _wants(
    deps: Dependencies, delegation: Delegation, task: Task, *, starting: bool
) -> tuple[FoundTask, RecoveryStep]:
    """Return how a task is found and what is to be done."""
    now = deps.clock.now()
    sight = _sight(deps.store, delegation, task)
    state = found(task, sight, now=now, heartbeat=delegation.heartbeat)
    untaken = task.state is TaskState.SENT and delegation.workers.is_program(task.to)
    if starting and untaken and state is FoundTask.WORKING:
        state = FoundTask.STUCK
    return state, step(task, state, now=now)


def _sight(store: Store, delegation: Delegation, task: Task) -> WorkerSight:
    """Look at the worker of a task: its process, or the event by which an agent was given it."""
    if delegation.workers.is_program(task.to):
        # Whoever was started for it may be about to take it up.
        alive = task.worker is None or delegation.workers.lives(task.worker)
        return WorkerSight(alive, heard_since=delegation.workers.heard_since())
    try:
        agents.show(store, name=task.to)
        given = inbox.find(store, agent=task.to, source="task", key=order_of(task).key or "")
    except UsageError:
        return WorkerSight(alive=False)
    if given is None or given.state is EventState.DEAD:
        return WorkerSight(alive=False)
    return WorkerSight(alive=True, queued=given.state is not EventState.DONE)


def _taken(
    rows: Rows, deps: Dependencies, delegation: Delegation, task: Task, *, starting: bool
) -> Task | None:
    """Take the step that a task wants, inside the transaction; None where it wants none."""
    state, wanted = _wants(deps, delegation, task, starting=starting)
    if wanted is RecoveryStep.NOTHING:
        return None
    if wanted is RecoveryStep.MARK_LATE:
        return tasks.mark_late(rows, task)
    if wanted is RecoveryStep.ESCALATE:
        used_up = state is not FoundTask.WORKING and task.retry_count >= task.max_retries
        tried = f", and it was tried {task.sends} times" if used_up else ""
        reason = f"{_WHY[state]}{tried}"
        return _escalated(rows, deps, task, reason, late=state is FoundTask.WORKING)
    if wanted is RecoveryStep.SEND:
        missing = _missing(deps.store, delegation, task)
        if missing is not None:
            return _escalated(rows, deps, task, missing, late=False)
        asked = _reason_to_ask(deps.store, delegation, task)
        if asked is not None:
            ticket = _ticket(rows, deps, delegation, task, asked)
            return _escalated(rows, deps, task, asked, late=False, ticket=ticket)
    retry = wanted is not RecoveryStep.SEND
    return _sent(rows, deps, delegation, task, anew=wanted is RecoveryStep.RESTART, retry=retry)


def _sent(
    rows: Rows,
    deps: Dependencies,
    delegation: Delegation,
    task: Task,
    *,
    anew: bool,
    retry: bool | None,
) -> Task:
    """Send a task inside the transaction; to an agent it goes as an event."""
    made = tasks.send(rows, deps.clock, task, anew=anew, retry=retry)
    handed_back(deps.store, deps.clock, made)
    if not delegation.workers.is_program(made.to):
        worker = agents.show(deps.store, name=made.to)
        reports = "report_task" in kept_names(worker.builtin_tools)
        deps.tools.deliver([order_of(made, reports=reports)])
    return made


def _start(delegation: Delegation, task: Task) -> None:
    """Start a process for a task that was sent to a program."""
    if task.state is TaskState.SENT and delegation.workers.is_program(task.to):
        delegation.workers.start(task)
        reach("task.after_start")


def _missing(store: Store, delegation: Delegation, task: Task) -> str | None:
    """Say that nobody is there whom a task could be sent to, or None."""
    if not delegation.workers.is_program(task.to):
        try:
            agents.show(store, name=task.to)
        except MindError:
            return f"there is no agent and no worker {task.to}"
    return None


def _reason_to_ask(store: Store, delegation: Delegation, task: Task) -> str | None:
    """Say why a person must approve a task before a program gets it, or None.

    An agent that gets one is tainted by its sources, and its own calls are asked about.
    """
    if not delegation.workers.is_program(task.to) or task.approved == _sha256(delegation, task):
        return None
    who = agents.show(store, name=task.agent)
    tool = ToolManifest(name=task.to, description="", command=(task.to,), effect="unsafe")
    return reason_to_ask(tool, who, _strangers(who, delegation, task))


def _strangers(who: Agent, delegation: Delegation, task: Task) -> tuple[str, ...]:
    """Return whose words a task was made from that its agent may not act on unasked."""
    return untrusted(task.sources, (*who.trust, *delegation.trust))


def _given(delegation: Delegation, task: Task) -> dict[str, object]:
    """Return which program would get what of a task."""
    return given_to_worker(task, delegation.workers.program_of(task.to))


def _sha256(delegation: Delegation, task: Task) -> str:
    """Return the hash of whom a task goes to and what that worker is given."""
    return approval_hash(worker_version(task.to), _given(delegation, task))


def _ticket(
    rows: Rows, deps: Dependencies, delegation: Delegation, task: Task, reason: str
) -> Ticket:
    """Return the ticket by which a person is asked before a program gets a task."""
    now, who = deps.clock.now(), agents.show(deps.store, name=task.agent)
    return Ticket(
        id=deps.chance.new_id("t", task.id, len(journal.ticket_ids(rows))),
        agent=task.agent,
        kind="delegation",
        state=TicketState.PENDING,
        cycle=task.cycle,
        tool=task.to,
        args=_given(delegation, task),
        reason=reason,
        created=now,
        tool_sha256=worker_version(task.to),
        sha256=_sha256(delegation, task),
        sources=_strangers(who, delegation, task),
        expires=later(now, seconds=deps.policy.approval_hours * 3600),
    )


def _escalated(
    rows: Rows,
    deps: Dependencies,
    task: Task,
    reason: str,
    *,
    late: bool,
    ticket: Ticket | None = None,
) -> Task:
    """Hand a task to a person: a ticket, an event for its agent, and a call for somebody."""
    words = f"task {task.id} ({task.kind}, {task.to}): {reason}; mind task show {task.id}"
    if ticket is None:
        matter = TicketMatter("escalation", words, task.cycle)
        ticket = open_matter(deps.store, deps.clock, deps.chance, agent=task.agent, matter=matter)
    else:
        journal.save_ticket(rows, ticket)
    made = tasks.escalate(rows, task, late=late, reason=reason, ticket=ticket.id)
    deps.tools.deliver([outcome_of(made)])
    escalation.raise_(
        rows,
        deps.clock,
        agent=made.agent,
        key=f"{made.id}:{made.sends}",
        about=made.id,
        text=words,
    )
    return made
