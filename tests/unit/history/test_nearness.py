"""A word counts where it stands and, less with each step, beside it."""

from hypothesis import given
from hypothesis import strategies as st

from mindpipe.history.query import ranked
from support.tables import each_row

WORDS = st.lists(
    st.dictionaries(st.integers(1, 30), st.floats(0.0, 9.0), max_size=8), min_size=1, max_size=4
)


@each_row(
    ("words", "order"),
    [
        ([], []),
        ([{}], []),
        ([{1: 1.0, 2: 3.0, 9: 2.0}], [2, 1, 9]),
        ([{1: 1.0, 20: 1.0}], [20, 1]),
        ([{1: 1.0, 20: 1.0}, {2: 0.5}], [1, 2, 20]),
        ([{1: 1.0, 20: 1.5}, {3: 1.0}], [3, 1, 20]),
        ([{1: 1.0, 5: 1.0, 9: 1.0}, {30: 1.1}], [30, 9, 5, 1]),
    ],
)
def test_what_stands_beside_a_message_counts_for_it(
    words: list[dict[int, float]], order: list[int]
) -> None:
    assert [fit.seq for fit in ranked(words, limit=9)] == order


def test_a_word_counts_less_with_each_step_and_once() -> None:
    found = {fit.seq: fit.score for fit in ranked([{10: 1.0, 11: 0.1, 12: 0.1, 18: 0.1}], limit=9)}
    assert found == {10: 1.0, 11: 1 / 1.4, 12: 1 / 1.8, 18: 1 / 4.2}
    assert [fit.score for fit in ranked([{10: 1.0, 19: 0.1}], limit=9)] == [1.0, 0.1]


@given(WORDS, st.integers(1, 9))
def test_only_messages_that_hold_a_word_are_ranked_and_no_more_than_asked(
    words: list[dict[int, float]], limit: int
) -> None:
    found = ranked(words, limit=limit)
    holders = {seq for word in words for seq in word}
    assert len(found) == len({fit.seq for fit in found}) == min(limit, len(holders))
    assert {fit.seq for fit in found} <= holders
    for fit in found:
        own = sum(word.get(fit.seq, 0.0) for word in words)
        most = sum(max(word.values(), default=0.0) for word in words)
        assert own - 1e-9 <= fit.score <= most + 1e-9
    assert [fit.score for fit in found] == sorted((fit.score for fit in found), reverse=True)
