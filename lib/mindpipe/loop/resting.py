"""How long a worker rests before it lives on where others crashed."""

from collections.abc import Sequence

from mindpipe.loop.records import Life, LifeState, UnderWay

FIRST_SECONDS, LONGEST_SECONDS = 1.0, 300.0
TOLD_AFTER = 3
"""After so many crashes in a row at one place a person is told by a ticket."""


def place_of(found: UnderWay) -> str | None:
    """Return where a worker crashed: its cycle, and what it did in it; None between two cycles."""
    return None if found.cycle is None else f"cycle {found.cycle}: {found.doing}"


def crashes_in_a_row(lives: Sequence[Life], found: Sequence[UnderWay]) -> int:
    """Return how many of an agent's newest lives ended at the same place, without one between.

    Both go from the newest life that has ended to older ones.
    """
    first = place_of(found[0]) if found else None
    if first is None:
        return 0
    count = 0
    for life, one in zip(lives, found, strict=True):
        if life.state is not LifeState.CRASHED or place_of(one) != first:
            break
        count += 1
    return count


def rest_after(crashes: int) -> float:
    """Return the seconds to rest after so many crashes at one place.

    After the first none, then 1, 2, 4 and so on, 300 at the most.
    """
    if crashes < 2:
        return 0.0
    return float(min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** min(crashes - 2, 30)))
