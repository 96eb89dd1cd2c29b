"""Rows of the four substrates; content is only ever added, and nothing is deleted."""
