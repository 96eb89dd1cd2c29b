"""What the command llm logs: its logs.db as conversations."""
