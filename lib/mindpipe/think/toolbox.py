"""All tools of one agent: the built-in ones, then its own."""

import functools
from collections.abc import Mapping

from mindpipe.agents.records import Agent
from mindpipe.core.messages import ToolSpec
from mindpipe.core.placeholders import fault_in
from mindpipe.core.tools import Effect, ToolManifest
from mindpipe.think.arguments import fault_by_schema, fault_by_type
from mindpipe.think.builtin import BUILT_IN
from mindpipe.think.calls import Tool


def specs(agent: Agent) -> tuple[ToolSpec, ...]:
    """Return what the model is told, in an order that does not change."""
    return (*(tool.spec() for tool in BUILT_IN), *(tool.spec() for tool in agent.tools))


def tools_of(agent: Agent) -> Mapping[str, Tool]:
    """Return every tool by name, with what its arguments are checked by."""
    built_in = (
        Tool(tool.name, Effect.STORE, functools.partial(fault_by_type, kind=tool.arguments))
        for tool in BUILT_IN
    )
    own = (
        Tool(
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
