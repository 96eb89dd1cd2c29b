"""Who an agent is: identity, settings, goals, notes, and the lease on its thinking."""
