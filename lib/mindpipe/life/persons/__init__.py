"""Lives of persons: what is kept of one, living it again, and what differs between two."""
