"""What can be done with a store as a whole: make it, and keep it."""
