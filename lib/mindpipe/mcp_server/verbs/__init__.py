"""What the MCP server of an agent can do."""
