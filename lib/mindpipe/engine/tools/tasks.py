"""Delegate tasks, look at them, report on them, and settle the tickets of those handed back."""

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import UsageError
from mindpipe.core.ports import Clock, Store
from mindpipe.decisions.records import POLICY
from mindpipe.engine.records.journal import TicketState
from mindpipe.engine.tables import journal
from mindpipe.engine.tools import specs
from mindpipe.engine.tools.scope import ToolAnswer, ToolScope
from mindpipe.tasks.records import PROGRAM, NewTask, Report, Task, TaskState
from mindpipe.tasks.verbs import task as tasks


def handed_back(store: Store, clock: Clock, task: Task) -> Task:
    """Return a task as it was saved; its ticket is resolved where it ended or was sent again.

    Whoever changes the task calls this in the same transaction, so that no ticket outlives it. One
    that a person settled before stays as it is.
    """
    if task.ticket is None or task.state is TaskState.ESCALATED:
        return task
    with store.write() as rows:
        rows.hold("ticket", task.ticket)
        found = journal.find_ticket(rows, task.ticket)
        if found is not None and TicketState.RESOLVED in found.successors():
            made = found.to(TicketState.RESOLVED, result=f"{task.id} is {task.state.value}.")
            decided, person = found.decided or clock.now(), found.person or POLICY
            journal.save_ticket(rows, msgspec.structs.replace(made, decided=decided, person=person))
    return task


def delegate(scope: ToolScope, args: specs.Delegate) -> ToolAnswer:
    """Keep a task until it is sent; raises UsageError for a worker that only a person may name."""
    if args.to.startswith(PROGRAM) or args.to == scope.agent:
        raise UsageError("Name another agent, or a worker that the operator has named.")
    _require_known(scope, args.to)
    new = NewTask(
        kind=args.kind,
        text=args.text,
        to=args.to,
        input=args.input,
        due_seconds=args.due_minutes * 60,
        if_lost=args.if_lost,
        if_late=args.if_late,
        if_partial=args.if_partial,
    )
    origin = tasks.TaskOrigin(scope.cycle, scope.call, scope.sources)
    made = tasks.add(
        scope.store, scope.clock, scope.chance, agent=scope.agent, new=new, origin=origin
    )
    return {"success": True, "taskId": made.id}


def _require_known(scope: ToolScope, to: str) -> None:
    """Raise UsageError for a name that is neither an agent nor a worker of the operator."""
    if scope.workers is None:
        return
    names = sorted({one.name for one in agents.list_(scope.store)} - {scope.agent})
    known = [*names, *scope.workers]
    if to not in known:
        listed = ", ".join(known) or "nobody"
        raise UsageError(f"There is no agent and no worker {to!r}. There are: {listed}.")


def get_tasks(scope: ToolScope, _: specs.GetTasks) -> ToolAnswer:
    """List the open tasks of both sides."""
    mine = tasks.list_(scope.store, agent=scope.agent)
    given = [] if _is_namesake(scope) else tasks.given(scope.store, worker=scope.agent)
    scope.take_in(*(one.sources for one in mine), *(one.origins() for one in given))
    return {
        "delegated": [
            {
                "id": one.id,
                "to": one.to,
                "kind": one.kind,
                "text": one.text,
                "state": one.state.value,
                "progress": one.progress,
            }
            for one in mine
        ],
        "given": [
            {
                "id": one.id,
                "from": one.agent,
                "kind": one.kind,
                "text": one.text,
                "input": one.input,
                "progress": one.progress,
                "checkpoint": one.checkpoint,
            }
            for one in given
        ],
    }


def _is_namesake(scope: ToolScope) -> bool:
    """Tell whether an agent is named like a worker of the operator, whom its tasks go to."""
    return scope.agent in (scope.workers or ())


def report_task(scope: ToolScope, args: specs.ReportTask) -> ToolAnswer:
    """Say how far a task is that was given to the agent, or how it ended."""
    if _is_namesake(scope):
        raise UsageError(f'no task "{args.task}" was given to you.')
    said = Report(
        progress=args.progress,
        checkpoint=args.checkpoint,
        result=args.result,
        error=args.error,
        beat=True,
    )
    with scope.store.write(scope.agent):
        made = tasks.report(
            scope.store,
            scope.clock,
            scope.deliver,
            task=args.task,
            report=said,
            author=tasks.Author(scope.agent, scope.sources),
        )
        handed_back(scope.store, scope.clock, made)
    return {"success": True, "state": made.state.value}
