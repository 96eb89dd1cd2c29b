"""What can be done with a memory, one file per substrate."""
