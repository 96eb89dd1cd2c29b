import pytest

from mindpipe.context.window import earlier, first_cycle

EVEN = [(number, 100) for number in range(1, 11)]


@pytest.mark.parametrize(
    ("sizes", "budget", "first"),
    [
        ([], 100, 1),
        (EVEN, 5000, 1),
        (EVEN, 1000, 1),
        (EVEN, 999, 5),
        (EVEN, 500, 8),
        (EVEN, 150, 10),
        (EVEN, 1, 10),
        ([(1, 10), (2, 10), (3, 5000)], 100, 3),
        ([(1, 5000), (2, 10), (3, 10)], 100, 2),
        ([(1, 40), (2, 5000), (3, 10)], 100, 3),
        ([(1, 5000)], 100, 1),
        ([(1, 31), (2, 70)], 100, 2),
        ([(1, 31), (2, 69), (3, 1)], 100, 2),
        ([(1, 31), (2, 70), (3, 1)], 100, 3),
    ],
)
def test_a_window_that_grew_too_large_keeps_whole_cycles_within_seven_tenths(
    sizes: list[tuple[int, int]], budget: int, first: int
) -> None:
    assert first_cycle(sizes, begins=1, max_tokens=budget) == first


def test_a_window_stays_as_it_is_while_it_fits() -> None:
    sizes = EVEN[3:]
    assert first_cycle(sizes, begins=4, max_tokens=700) == 4
    assert first_cycle([], begins=4, max_tokens=700) == 4
    assert first_cycle([*sizes, (11, 1)], begins=4, max_tokens=700) == 7


def test_a_window_moves_seldom_and_only_forwards() -> None:
    begins, moves = 1, 0
    sizes: list[tuple[int, int]] = []
    for cycle in range(1, 201):
        sizes.append((cycle, 100))
        shown = sizes[begins - 1 :]
        first = first_cycle(shown, begins=begins, max_tokens=2000)
        assert begins <= first <= cycle
        assert sum(tokens for _, tokens in sizes[first - 1 :]) <= 2000
        moves += first != begins
        begins = first
    assert 20 < moves < 30


@pytest.mark.parametrize(("first", "words"), [(0, None), (1, None), (2, "cycles 1-1 "), (8, "1-7")])
def test_what_is_left_out_is_said(first: int, words: str | None) -> None:
    said = earlier(first)
    assert (said is None) == (words is None)
    assert words is None or (said is not None and words in said and "search_history" in said)
