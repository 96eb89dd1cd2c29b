"""A small model of what the verbs promise, to be held against them in random orders."""
