"""Verbs of knowledge: load, decide, save."""
