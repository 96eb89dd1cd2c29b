"""The observer of persons: when it takes a note, who writes it, and where it is kept."""
