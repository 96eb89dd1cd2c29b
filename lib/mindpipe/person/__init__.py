"""A simulated person: a body, a psyche, a mind, a voice, and the life that joins them."""
