"""Rows of an inbox: the events themselves, and what is seen of them at a glance."""
