"""What the program says of itself: manual pages, completions and the README's command table."""
