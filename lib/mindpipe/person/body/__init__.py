"""The body: modes that flow exactly, what events do to them, and what can be read off them."""
