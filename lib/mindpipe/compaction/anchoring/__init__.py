"""What stays word for word, and how to find the rest."""
