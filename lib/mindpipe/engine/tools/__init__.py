"""The built-in tools of every agent."""
