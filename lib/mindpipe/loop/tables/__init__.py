"""Rows of the loop, one file for each kind."""
