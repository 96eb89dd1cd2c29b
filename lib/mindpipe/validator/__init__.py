"""The independent witness: finds what a provider would refuse in a body, from plain JSON alone."""
