"""What takes long is begun first by each worker of a run, and no test is lost over it."""

from itertools import islice

import pytest

from support.shares import lengths, shared_out

LIGHT = [f"light{number}" for number in range(29)]
HEAVY = [("a life", "a1"), ("a life", "a2"), ("days", "b1"), ("readers", "c1"), ("month", "d1")]


@pytest.mark.parametrize("workers", [1, 2, 3, 5, 8, 40])
def test_each_share_begins_with_what_is_heavy_of_it(workers: int) -> None:
    tests = shared_out(LIGHT, HEAVY, workers)
    assert sorted(tests) == sorted([*LIGHT, *(test for _, test in HEAVY)])
    assert [test for test in tests if test in LIGHT] == LIGHT
    rest = iter(tests)
    shares = [list(islice(rest, length)) for length in lengths(len(tests), workers)]
    assert list(rest) == []
    # In larger shares than what is heavy of them, it is all of their beginning.
    if workers <= 8:
        for share in shares:
            kinds = [test in LIGHT for test in share]
            assert kinds == sorted(kinds)
    if workers == 2:
        assert [share[:3] for share in shares] == [["a1", "a2", "c1"], ["b1", "d1", "light14"]]
