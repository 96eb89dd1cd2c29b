"""Numbers kept inside a range."""


def clip(number: float, least: float = 0.0, most: float = 1.0) -> float:
    """Return the number, or the end of the range that it is beyond."""
    return min(max(number, least), most)
