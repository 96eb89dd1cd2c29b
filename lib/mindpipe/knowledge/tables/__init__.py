"""The only SQL of knowledge: its schema, and the rows of observations, decisions and marks."""
