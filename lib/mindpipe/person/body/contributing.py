"""What an active event may contribute to, by how the contributions of several add up."""

SHARED = ("u", "symp", "task", "pain_in", "touch", "sc")
"""Combined as 1 - Π(1 - level)."""
GREATEST = ("noise", "lux", "met", "fever", "q", "fed")
"""Combined as the greatest."""
SUMMED = ("carb", "eat", "adr_in")
"""Combined as the sum."""
CLIMATE = ("air_c", "clo")
"""Taken together from the climate that started latest."""
CONTRIBUTED = frozenset((*SHARED, *GREATEST, *SUMMED, *CLIMATE))
