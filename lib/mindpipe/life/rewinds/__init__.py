"""The rewinds of a life: what is kept of them, and of what they leave."""
