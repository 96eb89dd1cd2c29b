"""What the program says of itself: manual pages, completions, tables."""
