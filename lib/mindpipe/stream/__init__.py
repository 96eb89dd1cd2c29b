"""Lines, files and programs: the input and output that is not the store."""
