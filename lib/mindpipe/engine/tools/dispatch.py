"""Do what a call of a built-in tool asks, and answer it."""

from collections.abc import Callable
from typing import Literal

import msgspec

from mindpipe.core.records import Record
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call
from mindpipe.engine.tables import journal
from mindpipe.engine.tools import history, notes, proposals, spaces, specs, tasks, trigger_runs
from mindpipe.engine.tools.scope import ToolAnswer, ToolScope
from mindpipe.engine.tools.specs import BY_NAME


class VerifiedCall(Record):
    """What a tool's `verify` prints: whether the call was done, and its output if it was."""

    outcome: Literal["done", "not_done", "unknown"]
    output: str = ""


def run(deps: Dependencies, work: OpenCycle, call: Call) -> ToolAnswer:
    """Do what the call asks and return its answer; the turn that made it has been asked.

    Raises:
        MindError: it could not be done; the words are for the model.
    """
    desk = ToolScope(
        store=deps.store,
        clock=deps.clock,
        chance=deps.chance,
        agent=work.agent.name,
        deliver=deps.tools.deliver,
        cycle=work.cycle,
        call=call.id,
        sources=_read_by(deps, call),
        max_depth=deps.policy.max_depth,
        workers=deps.tools.workers,
        lasting=deps.policy.lasting,
        files=deps.prompts.files,
    )
    return do(desk, call.tool, call.args or {})


def _read_by(deps: Dependencies, call: Call) -> tuple[str, ...]:
    """Return whose words the turn of a call has read."""
    with deps.store.read() as rows:
        turn = journal.find_turn(rows, agent=call.agent, cycle=call.cycle, turn=call.turn)
    return turn.asked.origins if turn else ()


def do(desk: ToolScope, tool: str, args: dict[str, object]) -> ToolAnswer:
    """Do what a built-in tool does and return its answer; raises MindError if it cannot."""
    return _RUN[tool](desk, msgspec.convert(args, BY_NAME[tool].arguments))


def _skip(_: ToolScope, __: specs.Skip) -> ToolAnswer:
    return {"success": True}


def _done(_: ToolScope, __: specs.Done) -> ToolAnswer:
    return {"success": True}


_RUN: dict[str, Callable[..., ToolAnswer]] = {
    "enter_space": spaces.enter_space,
    "leave_space": spaces.leave_space,
    "send_message": spaces.send_message,
    "read_messages": spaces.read_messages,
    "peek_inbox": spaces.peek_inbox,
    "get_my_runs": trigger_runs.get_my_runs,
    "search_history": history.search_history,
    "read_history": history.read_history,
    "recall": history.recall,
    "set_memory": notes.set_memory,
    "get_memory": notes.get_memory,
    "delete_memory": notes.delete_memory,
    "set_goal": notes.set_goal,
    "get_goals": notes.get_goals,
    "delete_goal": notes.delete_goal,
    "set_plan": notes.set_plan,
    "get_plans": notes.get_plans,
    "delete_plan": notes.delete_plan,
    "propose": proposals.propose,
    "delegate": tasks.delegate,
    "get_tasks": tasks.get_tasks,
    "report_task": tasks.report_task,
    "skip": _skip,
    "done": _done,
}
