"""A build that believes what any MCP server claims of its tools, trusted or not."""

from mindpipe.core.tools import ToolManifest

PATCHES = ((ToolManifest, "claims_count", lambda _tool, _trust: True),)
