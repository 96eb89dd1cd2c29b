"""The verbs of the engine: think, ticket, context, run, concern, reflect and act."""
