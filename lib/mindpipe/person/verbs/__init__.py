"""What is done with persons: one file for each command."""
