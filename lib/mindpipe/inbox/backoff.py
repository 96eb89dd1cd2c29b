"""When an event that was given back is due again: full jitter, growing with the attempts."""

FIRST_SECONDS = 2.0
MOST_SECONDS = 300.0
_MOST_DOUBLINGS = 32


def delay(attempts: int, *, chance: float) -> float:
    """Return a delay between 0 and min(300, 2 * 2^attempts) seconds; `chance` is in [0, 1)."""
    doublings = min(max(attempts, 0), _MOST_DOUBLINGS)
    return chance * min(MOST_SECONDS, FIRST_SECONDS * 2.0**doublings)
