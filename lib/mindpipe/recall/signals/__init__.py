"""What speaks for a candidate, one kind of it in each file; all of it pure."""
