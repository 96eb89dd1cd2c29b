"""What can be done with a history: append, read, search, import, export, check and verify."""
