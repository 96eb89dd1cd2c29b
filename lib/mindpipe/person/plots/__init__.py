"""Lives drawn: as lines of text, or as a picture."""
