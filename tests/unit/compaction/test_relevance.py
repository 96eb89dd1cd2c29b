"""What bears on some words, by the words alone and by vectors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.compaction.strategies.semantic import by_vectors, by_words
from mindpipe.core.errors import UnavailableError
from support.fakes import WordEmbedder
from support.tables import each_row

TEXTS = ["The hotel in Tokyo was booked.", "Tea.", "Hotels! Hotels!", "", "The booking of a flight"]


def order(scores: list[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda place: (-scores[place], place))


@each_row(
    ("query", "best"),
    [
        ("Which hotels are in Tokyo?", [0, 2]),
        ("hotel", [2, 0]),
        ("bookings", [4, 0]),
        ("tea", [1]),
        ("the of a in", []),
        ("", []),
    ],
)
def test_texts_that_share_rare_words_bear_most(query: str, best: list[int]) -> None:
    scores = by_words(query, TEXTS)
    assert order(scores)[: len(best)] == best
    assert [place for place, score in enumerate(scores) if score > 0] == sorted(best)


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    texts = ["tea with milk", "tea", "tea", "tea", "milk"]
    assert order(by_words("tea or milk", texts)) == [4, 0, 1, 2, 3]


@given(st.text(max_size=30), st.lists(st.text(max_size=30), max_size=8))
def test_any_text_has_a_finite_score(query: str, texts: list[str]) -> None:
    scores = by_words(query, texts)
    assert len(scores) == len(texts)
    assert all(0.0 <= score < 1e6 for score in scores)


def test_cosines_of_vectors_and_blank_texts_last() -> None:
    scores = by_vectors("tea. hotel", TEXTS[:4], embed=WordEmbedder().vectors)
    assert scores[3] == -1.0
    assert order(scores)[0] == 1
    assert all(-1.0 <= score <= 1.0 + 1e-9 for score in scores)
    assert by_vectors("tea", ["tea"], embed=lambda texts: [[0.0, 0.0] for _ in texts]) == [0.0]


def test_a_model_that_is_not_there_is_an_error() -> None:
    with pytest.raises(UnavailableError):
        by_vectors("tea", ["tea"], embed=WordEmbedder(there=False).vectors)
