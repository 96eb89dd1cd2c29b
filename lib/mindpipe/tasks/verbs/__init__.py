"""The verbs of delegated tasks."""
