"""The verbs of observers."""
