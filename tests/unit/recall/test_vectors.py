"""Vectors as they rest: pieces of texts, halves, bits, and what the bits find of the nearest."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.recall.vectors import (
    MOST_CHARACTERS,
    CodedVectors,
    distances,
    from_halves,
    from_words,
    halves_of,
    normalised,
    pieces,
    prefilter,
    weights,
    words_of,
)
from support.tables import each_row

CHANCE = np.random.default_rng(1)
SIZES = (1, 63, 64, 65, 384)


def some(count: int, size: int) -> np.ndarray:
    return normalised(CHANCE.normal(size=(count, size)).tolist())


@each_row(
    ("text", "found"),
    [
        ("", []),
        (" \n", []),
        ("one", ["one"]),
        ("x" * 800, ["x" * 800]),
        ("x" * 801, ["x" * 800, "x"]),
        ("a" * 500 + ". " + "b" * 500, ["a" * 500 + ".", "b" * 500]),
        (
            "a" * 500 + ", b" * 100 + "\n" + "c" * 500,
            ["a" * 500 + ", b" * 99 + ",", "b\n" + "c" * 500],
        ),
        ("a" * 500 + "\n" + "b " * 200, ["a" * 500, ("b " * 200).strip()]),
        ("a" * 10 + ". " + "b" * 900, ["a" * 10 + ". " + "b" * 788, "b" * 112]),
    ],
)
def test_a_text_is_cut_where_something_ends(text: str, found: list[str]) -> None:
    assert pieces(text) == found


@given(st.text(alphabet="ab. \n,é", max_size=5000))
def test_pieces_hold_all_words_and_none_is_too_long(text: str) -> None:
    found = pieces(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(0 < len(piece) <= MOST_CHARACTERS for piece in found)


def test_vectors_are_made_of_length_one_and_zeros_stay() -> None:
    found = normalised([[3.0, 4.0], [0.0, 0.0], [1e300, 0.0]])
    assert found.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0.0, 0.0], [1.0, 0.0]]


@each_row("rows", [[[1.0], [1.0, 2.0]], [[math.nan]], [[math.inf, 1.0]], [1.0], []])
def test_what_are_no_vectors_is_refused(rows: list) -> None:
    with pytest.raises(ValueError):
        normalised(rows)


@each_row("size", SIZES)
def test_halves_come_back_to_three_digits(size: int) -> None:
    rows = some(7, size)
    stored = halves_of(rows)
    assert len(stored) == 7 * 2 * size
    assert np.abs(from_halves(stored, size) - rows).max() < 0.0005


@each_row("size", SIZES)
def test_bits_are_signs_and_distances_count_where_they_differ(size: int) -> None:
    rows = some(9, size)
    words = words_of(rows)
    assert words.shape == (-(-size // 64), 9)
    again = from_words(words.tobytes(), 9)
    weighed = np.where(rows > 0, 1, -1) @ rows[5]
    assert weights(again, rows[5]) == pytest.approx(weighed, abs=1e-5)
    differing = ((rows > 0) != (rows[3] > 0)).sum(axis=1)
    assert distances(again, words_of(rows[3:4])).tolist() == differing.tolist()


def test_the_nearest_are_among_those_that_bits_choose_across_blocks() -> None:
    rows = some(6000, 384)
    blocks = [
        CodedVectors(np.arange(start, start + 1500), words_of(rows[start : start + 1500]))
        for start in range(0, 6000, 1500)
    ]
    kept = 0
    for question in some(20, 384) * 0.7 + rows[:20] * 0.7:
        nearest = np.argsort(-(rows @ question))[:10].tolist()
        chosen = prefilter(blocks, question, most=1000)
        assert len(chosen) == 1000
        assert chosen == sorted(set(chosen))
        kept += len(set(nearest) & set(chosen))
    assert kept >= 0.98 * 200


def test_pieces_of_one_entry_are_chosen_once_and_few_are_all_chosen() -> None:
    rows = some(6, 64)
    block = CodedVectors(np.array([5, 5, 5, 2, 2, 9]), words_of(rows))
    assert prefilter([block], rows[0]) == [2, 5, 9]
    assert prefilter([], rows[0]) == []
