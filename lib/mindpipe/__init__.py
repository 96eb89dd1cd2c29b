"""The library behind the command `mind`: everything that is true without a terminal."""
