"""A simulated person: a body, a psyche and a stream of thoughts, all in simulated time."""
