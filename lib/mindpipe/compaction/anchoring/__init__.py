"""What is kept word for word."""
