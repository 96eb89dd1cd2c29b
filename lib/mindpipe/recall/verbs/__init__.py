"""What is done with what can be found."""
