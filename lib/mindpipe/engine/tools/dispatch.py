"""Do what a call of a built-in tool asks, and answer it."""

import importlib
from collections.abc import Callable
from typing import Literal

from mindpipe.core.ports import Store
from mindpipe.core.records import Record
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call
from mindpipe.engine.tables import journal
from mindpipe.engine.tools.calls import arguments_of
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
    scope = ToolScope(
        store=deps.store,
        clock=deps.clock,
        chance=deps.chance,
        agent=work.agent.name,
        deliver=deps.tools.deliver,
        cycle=work.cycle,
        call=call.id,
        sources=read_by(deps.store, call),
        trust=work.agent.trust,
        max_depth=deps.policy.max_depth,
        workers=deps.tools.workers,
        folders=deps.tools.folders,
        lasting=deps.policy.lasting,
        files=deps.prompts.files,
    )
    return do(scope, call.tool, call.args or {})


def read_by(store: Store, call: Call) -> tuple[str, ...]:
    """Return whose words the turn of a call has read."""
    # What it writes inherits the sources of all that the turn has read.
    with store.read() as rows:
        turn = journal.find_turn(rows, agent=call.agent, cycle=call.cycle, turn=call.turn)
    return turn.asked.origins if turn else ()


def do(scope: ToolScope, tool: str, args: dict[str, object]) -> ToolAnswer:
    """Do what a built-in tool does and return its answer; raises MindError if it cannot."""
    # Most cycles call few tools: the others are not loaded.
    module = importlib.import_module(f"mindpipe.engine.tools.{MODULES[tool]}")
    run: Callable[[ToolScope, Record], ToolAnswer] = getattr(module, tool)
    return run(scope, arguments_of(args, BY_NAME[tool].arguments))


MODULES = {
    "enter_space": "spaces",
    "leave_space": "spaces",
    "send_message": "spaces",
    "read_messages": "spaces",
    "peek_inbox": "spaces",
    "get_my_runs": "trigger_runs",
    "search_history": "history",
    "read_history": "history",
    "recall": "history",
    "set_memory": "notes",
    "get_memory": "notes",
    "delete_memory": "notes",
    "set_goal": "notes",
    "get_goals": "notes",
    "delete_goal": "notes",
    "set_plan": "notes",
    "get_plans": "notes",
    "delete_plan": "notes",
    "propose": "proposals",
    "delegate": "tasks",
    "get_tasks": "tasks",
    "report_task": "tasks",
    "skip": "trigger_runs",
    "done": "trigger_runs",
}
"""In which module of this folder each tool stands, as a function of its own name."""
