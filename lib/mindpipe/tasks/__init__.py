"""Delegated tasks: what others work on for an agent, and how lost work is recovered."""
