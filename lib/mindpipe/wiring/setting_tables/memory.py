"""Settings of what a prompt may take: the window, and how it is divided."""

from mindpipe.context.budget.records import Allocations
from mindpipe.wiring.setting import Setting

_USUAL = Allocations()


def _allocation(name: str, holds: str) -> Setting:
    """Return the setting of one part of the window."""
    return Setting(
        name=f"memory.allocations.{name}",
        kind=int,
        default=_USUAL.parts()[name],
        help=f"Tokens of the window for {holds}.",
        least=0,
    )


SETTINGS = (
    Setting(
        name="memory.context_window_tokens",
        kind=int,
        default=_USUAL.context_window,
        help="Tokens of a structured prompt with its reply; an agent's max_tokens may lower it.",
        least=100,
    ),
    _allocation("system_prompt", "identity, instructions and tools, which are always whole"),
    _allocation("self_model", "goals and what the agent knows of itself"),
    _allocation("observations", "the trigger, spaces and what was said there"),
    _allocation("working_memory", "runs and the last iterations"),
    _allocation("retrieved_memories", "what is recalled: episodes, knowledge, lessons, relations"),
    _allocation("task_context", "the task at hand and plans"),
    _allocation("scratch_space", "the reply"),
    Setting(
        name="recall.index",
        kind=str,
        default=None,
        help="YAML index that leads to files: mind recall, the tool recall and MEMORIES of a "
        "timeline answer from these too. A companion *_memory.md counts twice its file.",
    ),
)
