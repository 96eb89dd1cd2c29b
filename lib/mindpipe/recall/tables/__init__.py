"""Rows of the index and of the vectors: what is fed into them, and what is found by them."""
