"""Adapters to language models: providers, recorded turns, programs; and token counting."""
