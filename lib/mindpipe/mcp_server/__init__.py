"""An agent's memory, inbox and answers as the tools of an MCP server."""
