"""Which actions can be done outside a cycle, by whom, and what is wrong with others."""

import difflib

from mindpipe.agents.records import Agent
from mindpipe.decisions.records import Action
from mindpipe.think.proposing_tools import PROPOSABLE
from mindpipe.think.toolbox import tools_of


def fault_of_action(agent: Agent, action: Action) -> str | None:
    """Return why an agent's action can never be done, or None."""
    own = {tool.name for tool in agent.tools}
    if action.tool not in own | PROPOSABLE:
        there = sorted(own | PROPOSABLE)
        near = difflib.get_close_matches(action.tool, there, n=3) or there
        return f"{action.tool!r} cannot be proposed. There is: {', '.join(near)}"
    fault = tools_of(agent)[action.tool].fault(action.arguments)
    return None if fault is None else f"The arguments of {action.tool} do not fit: {fault}"
