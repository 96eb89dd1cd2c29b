"""How long an observer rests after it failed, before it is begun again."""

FIRST_SECONDS, LONGEST_SECONDS = 1.0, 60.0
_MOST_DOUBLINGS = 16


def pause(failures: int) -> float:
    """Return the seconds after so many failures in a row (from 1): 1, 2, 4 … 60 at most."""
    doublings = min(max(failures - 1, 0), _MOST_DOUBLINGS)
    return min(LONGEST_SECONDS, FIRST_SECONDS * 2.0**doublings)


def failures_after(failures: int, *, lasted: float) -> int:
    """Return how many failures in a row there are now; one that lasted long begins anew."""
    return 1 if lasted >= LONGEST_SECONDS else failures + 1
