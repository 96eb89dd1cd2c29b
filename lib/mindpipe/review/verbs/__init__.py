"""What the observer does: look, ask, and keep its notes."""
