"""Parsers that label a thought, and how well they do it."""
