"""No two rows have the same octets, and text counts as its UTF-8."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from mindpipe.core.ports import Cell
from mindpipe.history.rows import link, row_octets
from support.tables import each_row

CELLS = st.none() | st.integers() | st.text(st.characters(exclude_categories=("Cs",)), max_size=6)
ROWS = st.lists(CELLS, max_size=4)


@each_row(
    ("cells", "octets"),
    [
        ([], b""),
        ([None], b"-"),
        ([7, -1], b"n7;n-1;"),
        (["é"], b"t2:\xc3\xa9"),
        ([b"\xff"], b"t1:\xff"),
        (["a", None, 3], b"t1:a-n3;"),
    ],
)
def test_octets(cells: list[Cell], octets: bytes) -> None:
    assert row_octets(cells) == octets


@given(ROWS, ROWS)
def test_different_rows_have_different_octets(one: list[Cell], other: list[Cell]) -> None:
    assert (row_octets(one) == row_octets(other)) == (one == other)


@given(ROWS)
def test_text_and_its_octets_are_the_same(cells: list[Cell]) -> None:
    as_octets = [cell.encode() if isinstance(cell, str) else cell for cell in cells]
    assert row_octets(cells) == row_octets(as_octets)


def test_link_hashes_the_hash_before_and_the_row() -> None:
    assert link("ab", b"row") == hashlib.sha256(b"abrow").hexdigest()
