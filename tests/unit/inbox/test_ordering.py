"""Priority, then arrival, with ageing; what was tried often goes alone."""

import msgspec

from mindpipe.inbox.ordering import WaitingEvent, ages, batch, rank
from support.tables import each_row

NOW = "2026-11-21T20:00:00Z"
FRESH = "2026-11-21T19:59:59Z"


def one(seq: int, priority: int = 3, pushed: str = FRESH, attempts: int = 0) -> WaitingEvent:
    return WaitingEvent(seq=seq, epoch=0, priority=priority, pushed=pushed, attempts=attempts)


@each_row(
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
    mixed = [one(1, 3, "2026-11-21T19:40:00Z"), one(2, 2), one(3, 3)]
    assert batch(mixed, now=NOW, limit=20) == [1, 2, 3]


def test_the_overdue_go_before_all_but_emergencies_by_arrival() -> None:
    long_ago = "2026-11-21T18:59:59Z"
    mixed = [one(1, 4, long_ago), one(2, 1, long_ago), one(3, 3, long_ago), one(4, 0), one(5, 1)]
    assert batch(mixed, now=NOW, limit=20) == [4, 1, 2, 3, 5]


def test_an_emergency_that_waited_long_is_still_the_first() -> None:
    long_ago = "2026-11-21T18:59:59Z"
    assert batch([one(1, 4, long_ago), one(2, 0, long_ago)], now=NOW, limit=20) == [2, 1]


def test_the_bound_is_the_one_that_is_given() -> None:
    mixed = [one(1, 4, "2026-11-21T19:59:49Z"), one(2, 1)]
    assert batch(mixed, now=NOW, limit=20, longest_wait=10.0) == [1, 2]
    assert batch(mixed, now=NOW, limit=20, longest_wait=11.0) == [2, 1]


def test_what_was_put_off_waits_since_it_came_due() -> None:
    put_off = msgspec.structs.replace(one(1, 4, "2020-01-01T00:00:00Z"), due=FRESH)
    assert put_off.since == FRESH
    assert batch([put_off, one(2, 1)], now=NOW, limit=20) == [2, 1]


def test_a_batch_has_no_more_than_the_limit() -> None:
    assert batch([one(seq) for seq in range(1, 40)], now=NOW, limit=20) == list(range(1, 21))


@each_row(
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
