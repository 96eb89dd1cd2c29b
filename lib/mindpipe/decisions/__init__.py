"""Decisions: what an agent proposes to do, how sure it is, and what a person says to it."""
