"""Delegate tasks, look at them, and report on those that were given to the agent."""

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import UsageError
from mindpipe.tasks.records import PROGRAM, NewTask, Report
from mindpipe.tasks.verbs import queue, reporting
from mindpipe.think import delegating_tools
from mindpipe.think.tools.desk import Desk, Found
from mindpipe.think.tools.handing_back import handed_back


def delegate(desk: Desk, args: delegating_tools.Delegate) -> Found:
    """Keep a task until it is sent; raises UsageError for a worker that only a person may name."""
    if args.to.startswith(PROGRAM) or args.to == desk.agent:
        raise UsageError("Name another agent, or a worker that the operator has named.")
    _require_known(desk, args.to)
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
    origin = queue.Origin(desk.cycle, desk.call, desk.sources)
    made = queue.add(desk.store, desk.clock, desk.chance, agent=desk.agent, new=new, origin=origin)
    return {"success": True, "taskId": made.id}


def _require_known(desk: Desk, to: str) -> None:
    """Raise UsageError for a name that is neither an agent nor a worker of the operator."""
    if desk.workers is None:
        return
    names = sorted({one.name for one in agents.list_(desk.store)} - {desk.agent})
    known = [*names, *desk.workers]
    if to not in known:
        listed = ", ".join(known) or "nobody"
        raise UsageError(f"There is no agent and no worker {to!r}. There are: {listed}.")


def get_tasks(desk: Desk, _: delegating_tools.GetTasks) -> Found:
    """List the open tasks of both sides."""
    mine = queue.list_(desk.store, agent=desk.agent)
    given = [] if _is_namesake(desk) else queue.given(desk.store, worker=desk.agent)
    desk.take_in(*(one.sources for one in mine), *(one.origins() for one in given))
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


def _is_namesake(desk: Desk) -> bool:
    """Tell whether an agent is named like a worker of the operator, whom its tasks go to."""
    return desk.agent in (desk.workers or ())


def report_task(desk: Desk, args: delegating_tools.ReportTask) -> Found:
    """Say how far a task is that was given to the agent, or how it ended."""
    if _is_namesake(desk):
        raise UsageError(f'no task "{args.task}" was given to you.')
    said = Report(
        progress=args.progress,
        checkpoint=args.checkpoint,
        result=args.result,
        error=args.error,
        beat=True,
    )
    with desk.store.write():
        made = reporting.report(
            desk.store,
            desk.clock,
            desk.deliver,
            task=args.task,
            report=said,
            author=reporting.Author(desk.agent, desk.sources),
        )
        handed_back(desk.store, desk.clock, made)
    return {"success": True, "state": made.state.value}
