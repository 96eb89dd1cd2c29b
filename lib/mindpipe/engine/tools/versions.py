"""The version of a tool: what is approved of it is approved of this manifest and no other."""

import msgspec

from mindpipe.agents.mcp_servers import bare_command
from mindpipe.agents.records import Agent
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.tools.calls import hash_of
from mindpipe.engine.tools.specs import PROPOSABLE


def version_of(tool: ToolManifest) -> str:
    """Return the SHA-256 of a tool's manifest as JSON with sorted keys.

    Of an MCP server's headers and environment the names count and not the values: a key that is
    renewed, or was left out of the life's file, makes no other tool of it.
    """
    fields: dict[str, object] = msgspec.to_builtins(tool)
    if tool.server is not None:
        fields["command"] = bare_command(tool.command)
    # So that a tool of which nobody claims anything has the version that it always had.
    if tool.claims is None:
        del fields["claims"]
    return hash_of(fields)


def version_now(tool: str, agent: Agent) -> str | None:
    """Return the version of a tool as the agent has it now, None if it has none of this name."""
    if tool in PROPOSABLE:
        return hash_of({"built-in": tool})
    own = next((one for one in agent.tools if one.name == tool), None)
    return None if own is None else version_of(own)
