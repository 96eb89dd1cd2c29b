"""Retrieval by indexes that people keep: intents and keywords route a question to files."""
