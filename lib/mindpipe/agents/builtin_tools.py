"""Which of the built-in tools an agent keeps: their names, and sets of them."""

from collections.abc import Iterable
from typing import Literal

from mindpipe.core.errors import UsageError
from mindpipe.core.text import did_you_mean
from mindpipe.core.tools import names_tool

ToolPreset = Literal["minimal", "chat", "full"]

NAMES = (
    "enter_space",
    "leave_space",
    "send_message",
    "read_messages",
    "peek_inbox",
    "get_my_runs",
    "search_history",
    "read_history",
    "recall",
    "set_memory",
    "get_memory",
    "delete_memory",
    "set_goal",
    "get_goals",
    "delete_goal",
    "set_plan",
    "get_plans",
    "delete_plan",
    "skip",
    "done",
    "propose",
    "delegate",
    "get_tasks",
    "report_task",
)
"""All, in the order in which a model is told of them."""


def ordered(names: Iterable[str]) -> tuple[str, ...]:
    """Return built-in tools in the order in which a model is told of them."""
    wanted = set(names)
    return tuple(name for name in NAMES if name in wanted)


_MINIMAL = frozenset({"send_message", "recall", "set_memory", "skip", "done"})
# Memories, goals and plans stand in the prompt, and send_message names any space: no tool that
# lists them is needed.
_CHAT = _MINIMAL | {"enter_space", "read_messages", "set_plan", "delete_plan", "report_task"}
PRESETS: dict[ToolPreset, tuple[str, ...]] = {
    "minimal": ordered(_MINIMAL),
    "chat": ordered(_CHAT),
    "full": NAMES,
}


def kept_names(chosen: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the built-in tools that an agent keeps; where nobody ever chose, all."""
    return NAMES if chosen is None else chosen


def meant_by(wanted: str) -> tuple[str, ...]:
    """Return the built-in tools that a name means, or a beginning that ends in `*`."""
    return tuple(name for name in NAMES if names_tool(wanted, name))


def named(wanted: str) -> tuple[str, ...]:
    """Return the same; raises UsageError where it means none."""
    meant = meant_by(wanted)
    if not meant:
        hint = did_you_mean(wanted, NAMES) or f"there is: {', '.join(NAMES)}."
        raise UsageError(f'there is no built-in tool "{wanted}"; {hint}'.rstrip())
    return meant
