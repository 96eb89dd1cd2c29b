"""What the parser `improved` knows, as literal tables."""
