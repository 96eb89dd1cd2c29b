"""What is taken out of a damaged file."""
