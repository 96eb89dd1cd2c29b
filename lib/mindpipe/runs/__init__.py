"""Runs: why an agent began to act, how far it came, and for whom it waits."""
