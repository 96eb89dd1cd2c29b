"""The table of the tools that an MCP server of an agent may offer, and which of them it does."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.core.text import did_you_mean
from mindpipe.mcp_server.records import (
    AskArguments,
    BeliefsArguments,
    PushArguments,
    RecallArguments,
    RememberArguments,
    SearchArguments,
    TicketsArguments,
    WhyArguments,
)


class ServedTool(NamedTuple):
    """One tool: what a client reads of it, and the record of its arguments.

    `does` tells whether it only reads, adds something, or lets the agent act.
    """

    name: str
    description: str
    arguments: type[Record]
    does: Literal["reads", "adds", "acts"] = "reads"


SERVED_TOOLS = (
    ServedTool(
        "recall",
        "Find again what the agent remembers, holds true or lived through, the best first. Each "
        "line says since when it is known, by whom, and whose unvouched words it holds.",
        RecallArguments,
    ),
    ServedTool(
        "beliefs",
        "List what the agent holds true, of one subject or of all, the best supported first.",
        BeliefsArguments,
    ),
    ServedTool(
        "why",
        "Say why a belief is held, line by line down to the words that it stands on.",
        WhyArguments,
    ),
    ServedTool(
        "history_search",
        "Find words, or what answers a question, in everything that the agent lived through.",
        SearchArguments,
    ),
    ServedTool(
        "tickets", "List what waits for a person to decide; only read here.", TicketsArguments
    ),
    ServedTool("remember", "Give the agent something to remember.", RememberArguments, "adds"),
    ServedTool(
        "push",
        "Put a message into the agent's inbox, which it reads when it thinks next.",
        PushArguments,
        "adds",
    ),
    ServedTool(
        "ask",
        "Say something to the agent, let it think of that, and get its answer. It may use its "
        "own tools, which may take minutes.",
        AskArguments,
        "acts",
    ),
)
BY_NAME = {tool.name: tool for tool in SERVED_TOOLS}


def offered_tools(added: Sequence[str], removed: Sequence[str]) -> tuple[ServedTool, ...]:
    """Return the tools that only read, with what is added and without what is removed.

    Raises:
        UsageError: there is no such tool, one is added and removed, or none is left.
    """
    for name in (*added, *removed):
        if name not in BY_NAME:
            near = did_you_mean(name, BY_NAME)
            raise UsageError(f'no tool "{name}"; {near}there are {", ".join(BY_NAME)}.')
    if both := set(added) & set(removed):
        raise UsageError(f"{min(both)} is switched on and off; leave one of the two out.")
    found = tuple(
        tool
        for tool in SERVED_TOOLS
        if tool.name not in removed and (tool.does == "reads" or tool.name in added)
    )
    if not found:
        raise UsageError("no tool is left to offer; switch fewer off with --without-tool.")
    return found


def fault_of_name(name: str, offered: Sequence[ServedTool]) -> str:
    """Return why a tool that a client asks for cannot be called."""
    names = [tool.name for tool in offered]
    if name in BY_NAME:
        reads = BY_NAME[name].does == "reads"
        way = f"without --without-tool {name}" if reads else f"--with-tool {name}"
        return f"{name} is switched off here; mind mcp serve {way} offers it."
    return f"there is no such tool; {did_you_mean(name, names)}there are {', '.join(names)}."
