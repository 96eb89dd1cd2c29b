"""Share out tests so that all workers of a run end together: what takes long is begun first."""

import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

Test = TypeVar("Test")


def lengths(tests: int, workers: int) -> Iterator[int]:
    """Yield how many of so many tests each worker is given at first, one after the other."""
    for left in range(workers, 0, -1):
        yield tests // left
        tests -= tests // left


def shared_out(
    light: Sequence[Test], heavy: Sequence[tuple[Hashable, Test]], workers: int
) -> list[Test]:
    """Return all tests, so that the share of each worker begins with what is heavy of it.

    Heavy tests that share something come with its name, and are one worker's. Who has no more takes
    over from the end of another's share, which is light.
    """
    dealt: list[list[Test]] = [[] for _ in range(workers)]
    groups = itertools.groupby(heavy, key=lambda one: one[0])
    for hand, (_, group) in zip(itertools.cycle(dealt), groups, strict=False):
        hand += [test for _, test in group]
    rest = iter(light)
    for hand, length in zip(dealt, lengths(len(light) + len(heavy), workers), strict=True):
        hand += itertools.islice(rest, max(0, length - len(hand)))
    return [*itertools.chain.from_iterable(dealt), *rest]
