"""Vectors of what can be found: of pieces, by one bit per number to look far, exact to judge."""
