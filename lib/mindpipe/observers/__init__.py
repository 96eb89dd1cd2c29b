"""Observers: which changes outside become events, by rules in YAML."""
