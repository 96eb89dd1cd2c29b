"""The verbs of what an agent proposes and a person decides."""
