"""The verbs of a life."""
