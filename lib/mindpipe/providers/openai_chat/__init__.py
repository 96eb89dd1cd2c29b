"""The Chat Completions API of OpenAI and of servers that speak it."""
