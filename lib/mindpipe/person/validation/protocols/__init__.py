"""What is measured of the trials, by subject."""
