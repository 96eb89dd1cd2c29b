"""The body of persons: 55 modes that flow exactly, what drives them, and what is read off them."""
