"""Do what a call of a built-in tool asks, and answer it."""

from collections.abc import Callable
from typing import Literal

import msgspec

from mindpipe.core.records import Record
from mindpipe.think import builtin, tables
from mindpipe.think.builtin import BY_NAME
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call
from mindpipe.think.tools import delegating, keeping, looking_back, proposing, runs, speaking
from mindpipe.think.tools.desk import Desk, Found


class Verified(Record):
    """What a tool's `verify` prints: whether the call was done, and its output if it was."""

    outcome: Literal["done", "not_done", "unknown"]
    output: str = ""


def run(means: Means, work: Work, call: Call) -> Found:
    """Do what the call asks and return its answer; the turn that made it has been asked.

    Raises:
        MindError: it could not be done; the words are for the model.
    """
    desk = Desk(
        store=means.store,
        clock=means.clock,
        chance=means.chance,
        agent=work.agent.name,
        deliver=means.deliver,
        cycle=work.cycle,
        call=call.id,
        sources=_read_by(means, call),
        max_depth=means.max_depth,
        workers=means.workers,
        lasting=means.lasting,
        files=means.files,
    )
    return do(desk, call.tool, call.args or {})


def _read_by(means: Means, call: Call) -> tuple[str, ...]:
    """Return whose words the turn of a call has read."""
    with means.store.read() as rows:
        turn = tables.find_turn(rows, agent=call.agent, cycle=call.cycle, turn=call.turn)
    return turn.asked.origins if turn else ()


def do(desk: Desk, tool: str, args: dict[str, object]) -> Found:
    """Do what a built-in tool does and return its answer; raises MindError if it cannot."""
    return _RUN[tool](desk, msgspec.convert(args, BY_NAME[tool].arguments))


def _skip(_: Desk, __: builtin.Skip) -> Found:
    return {"success": True}


def _done(_: Desk, __: builtin.Done) -> Found:
    return {"success": True}


_RUN: dict[str, Callable[..., Found]] = {
    "enter_space": speaking.enter_space,
    "leave_space": speaking.leave_space,
    "send_message": speaking.send_message,
    "read_messages": speaking.read_messages,
    "peek_inbox": speaking.peek_inbox,
    "get_my_runs": runs.get_my_runs,
    "search_history": looking_back.search_history,
    "read_history": looking_back.read_history,
    "recall": looking_back.recall,
    "set_memory": keeping.set_memory,
    "get_memory": keeping.get_memory,
    "delete_memory": keeping.delete_memory,
    "set_goal": keeping.set_goal,
    "get_goals": keeping.get_goals,
    "delete_goal": keeping.delete_goal,
    "set_plan": keeping.set_plan,
    "get_plans": keeping.get_plans,
    "delete_plan": keeping.delete_plan,
    "propose": proposing.propose,
    "delegate": delegating.delegate,
    "get_tasks": delegating.get_tasks,
    "report_task": delegating.report_task,
    "skip": _skip,
    "done": _done,
}
