"""What is said of a person on lines of JSON: who it is, how it is, what happens, what it thinks."""
