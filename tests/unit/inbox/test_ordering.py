"""Priority, then arrival, with ageing; what was tried often goes alone."""

import pytest

from mindpipe.inbox.ordering import Candidate, ages, batch, rank

NOW = "2026-11-21T20:00:00Z"
FRESH = "2026-11-21T19:59:59Z"


def one(seq: int, priority: int = 3, pushed: str = FRESH, attempts: int = 0) -> Candidate:
    return Candidate(seq=seq, epoch=0, priority=priority, pushed=pushed, attempts=attempts)


@pytest.mark.parametrize(
    ("priority", "pushed", "expected"),
    [
        (0, "2020-01-01T00:00:00Z", 0),
        (1, "2020-01-01T00:00:00Z", 1),
        (2, "2020-01-01T00:00:00Z", 2),
        (3, "2026-11-21T19:50:01Z", 3),
        (3, "2026-11-21T19:50:00Z", 3),
        (3, "2026-11-21T19:49:59Z", 2),
        (4, "2026-11-21T19:00:00Z", 4),
        (4, "2026-11-21T18:59:59Z", 3),
        (4, "2020-01-01T00:00:00Z", 3),
        (3, "2030-01-01T00:00:00Z", 3),
    ],
)
def test_an_event_grows_one_step_more_urgent_with_age(
    priority: int, pushed: str, expected: int
) -> None:
    assert rank(one(1, priority, pushed), ages(NOW)) == expected


def test_the_most_urgent_come_first_and_then_the_oldest() -> None:
    mixed = [one(1, 4), one(2, 3), one(3, 0), one(4, 3), one(5, 2), one(6, 1)]
    assert batch(mixed, now=NOW, limit=20) == [3, 6, 5, 2, 4, 1]


def test_an_aged_event_stands_among_the_next_more_urgent_by_arrival() -> None:
    mixed = [one(1, 3, "2026-11-21T19:00:00Z"), one(2, 2), one(3, 3)]
    assert batch(mixed, now=NOW, limit=20) == [1, 2, 3]


def test_a_batch_has_no_more_than_the_limit() -> None:
    assert batch([one(seq) for seq in range(1, 40)], now=NOW, limit=20) == list(range(1, 21))


@pytest.mark.parametrize(
    ("attempts", "expected"),
    [
        ([0, 0, 0], [1, 2, 3]),
        ([1, 1, 1], [1, 2, 3]),
        ([2, 0, 0], [1]),
        ([0, 2, 0], [1]),
        ([0, 0, 4], [1, 2]),
        ([3, 3, 3], [1]),
    ],
)
def test_what_was_tried_twice_takes_no_neighbour_along(
    attempts: list[int], expected: list[int]
) -> None:
    tried = [one(seq, attempts=count) for seq, count in enumerate(attempts, 1)]
    assert batch(tried, now=NOW, limit=20) == expected


def test_nothing_gives_nothing() -> None:
    assert batch([], now=NOW, limit=20) == []
