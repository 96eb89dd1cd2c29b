"""The rows of the engine."""
