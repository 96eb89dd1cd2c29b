"""Which of the tools that an agent keeps it is offered: those that it can use as things are.

An agent of which nobody ever chose the tools is offered all, as it always was.
"""

from collections.abc import Callable, Collection

from mindpipe.agents.builtin_tools import NAMES, kept_names
from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import note as notes
from mindpipe.core.messages import ToolSpec
from mindpipe.core.ports import Store
from mindpipe.engine.tools.specs import specs
from mindpipe.history.verbs import log
from mindpipe.plans import verbs as plans
from mindpipe.spaces import verbs as spaces
from mindpipe.tasks import tables as tasks

_NEEDS = {
    "a space": ("enter_space", "leave_space", "send_message", "read_messages", "get_my_runs"),
    "a memory": ("get_memory", "delete_memory"),
    "a goal": ("get_goals", "delete_goal"),
    "a plan": ("get_plans", "delete_plan"),
    "somebody to delegate to": ("delegate",),
    "a task": ("get_tasks",),
    "a task in hand": ("report_task",),
}
_LASTING = frozenset({"a memory", "a goal", "a plan", "a task", "a task in hand"})
"""What comes and goes: a tool stays offered once it was, as another list begins a new segment."""


def tools_now(
    store: Store, agent: Agent, *, workers: tuple[str, ...] | None
) -> tuple[ToolSpec, ...]:
    """Return what a model is told of an agent's tools as things are.

    `workers` are those of the operator (None: unknown).
    """
    if agent.builtin_tools is None:
        return specs(agent, offered=NAMES)
    last = log.current_segment(store, agent=agent.name)
    before = {tool.name for tool in last.head.tools} if last else set()
    return specs(agent, offered=_offered(store, agent, workers=workers, before=before))


def _offered(
    store: Store, agent: Agent, *, workers: tuple[str, ...] | None, before: Collection[str]
) -> frozenset[str]:
    """Return the names of the built-in tools; `before` is what it was offered last."""
    kept = frozenset(kept_names(agent.builtin_tools))
    has = _has(store, agent.name, workers)
    missing: set[str] = set()
    for need, tools in _NEEDS.items():
        open_ = kept.intersection(tools)
        if need in _LASTING:
            open_ = open_.difference(before)
        if open_ and not has[need]():
            missing |= open_
    return kept - missing


def _has(
    store: Store, agent: str, workers: tuple[str, ...] | None
) -> dict[str, Callable[[], bool]]:
    """Return how it is found out whether an agent has each thing that tools need."""

    def task() -> bool:
        with store.read() as rows:
            return bool(tasks.list_(rows, agent=agent)) or task_in_hand()

    def task_in_hand() -> bool:
        with store.read() as rows:
            return bool(tasks.of_worker(rows, worker=agent))

    def others() -> bool:
        return workers != () or any(one.name != agent for one in agents.list_(store))

    return {
        "a space": lambda: bool(spaces.list_(store, member=agent)),
        "a memory": lambda: bool(notes.list_(store, agent=agent)),
        "a goal": lambda: bool(goals.list_(store, agent=agent)),
        "a plan": lambda: bool(plans.list_(store, agent=agent)),
        "somebody to delegate to": others,
        "a task": task,
        "a task in hand": task_in_hand,
    }
