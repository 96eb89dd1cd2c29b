"""What is found again: one index over all that a mind lived through, remembers and holds true."""
