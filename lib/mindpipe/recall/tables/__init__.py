"""Rows of the index: what is fed into it, and what is found by it."""
