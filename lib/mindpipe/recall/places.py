"""Number rows so that those that stand side by side are one apart, and no others."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

_APART = 1000


class Around(NamedTuple):
    """The numbers of the rows before and after one, nearest first."""

    before: Sequence[int]
    after: Sequence[int]


def places(around: Mapping[int, Around]) -> dict[int, int]:
    """Return a place for each row and for those around it.

    Two rows have places one apart exactly if one is known to follow the other at once.
    """
    follows: set[tuple[int, int]] = set()
    numbers: set[int] = set()
    for number, (before, after) in around.items():
        run = (*reversed(before), number, *after)
        numbers.update(run)
        follows.update(pairwise(run))
    placed: dict[int, int] = {}
    place, previous = 0, -1
    for number in sorted(numbers):
        place += 1 if (previous, number) in follows else _APART
        placed[number] = place
        previous = number
    return placed
