"""What is worth keeping of what was said: clauses weighed, chosen and gathered into lines."""
