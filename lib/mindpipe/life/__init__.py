"""A whole life in one file: carried, verified, compared."""
