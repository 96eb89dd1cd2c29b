"""All tools of one agent: the built-in ones and its own; which can act outside a cycle."""

import functools
from collections.abc import Mapping

from mindpipe.agents.records import Agent
from mindpipe.core.messages import ToolSpec
from mindpipe.core.tools import Effect, ToolManifest, fault_in
from mindpipe.decisions.records import Action
from mindpipe.engine.tools.calls import KnownTool, fault_by_schema, fault_by_type
from mindpipe.engine.tools.specs import BUILT_IN, PROPOSABLE


def specs(agent: Agent) -> tuple[ToolSpec, ...]:
    """Return what the model is told, in an order that does not change."""
    return (*(tool.spec() for tool in BUILT_IN), *(tool.spec() for tool in agent.tools))


def tools_of(agent: Agent) -> Mapping[str, KnownTool]:
    """Return every tool by name, with what its arguments are checked by."""
    built_in = (
        KnownTool(tool.name, Effect.STORE, functools.partial(fault_by_type, kind=tool.arguments))
        for tool in BUILT_IN
    )
    own = (
        KnownTool(
            tool.name,
            Effect(tool.effect),
            functools.partial(_fault_of, tool=tool),
        )
        for tool in agent.tools
    )
    return {tool.name: tool for tool in (*built_in, *own)}


def _fault_of(args: dict[str, object], *, tool: ToolManifest) -> str | None:
    """Return why the arguments fit neither the tool's schema nor its commands, or None."""
    fault = fault_by_schema(args, tool.input_schema)
    return fault or fault_in(args, (*tool.command, *tool.verify))


def fault_of_action(agent: Agent, action: Action) -> str | None:
    """Return why an agent's action can never be done, or None."""
    own = {tool.name for tool in agent.tools}
    if action.tool not in own | PROPOSABLE:
        there = sorted(own | PROPOSABLE)
        import difflib

        near = difflib.get_close_matches(action.tool, there, n=3) or there
        return f"{action.tool!r} cannot be proposed. There is: {', '.join(near)}"
    fault = tools_of(agent)[action.tool].fault(action.arguments)
    return None if fault is None else f"The arguments of {action.tool} do not fit: {fault}"
