"""When to live: the life of a worker that stays, its crash marker, and recovery."""
