"""What is typed is searched for; nothing of it is syntax."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.history.query import query_of


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ("report", '"report"'),
        ("the report", '"the" AND "report"'),
        ('"third quarter" hotel', '"third quarter" AND "hotel"'),
        ("hot*", '"hot*"*'),
        ("a AND b", '"a" AND "AND" AND "b"'),
        ("text:x", '"text:x"'),
        ("(x)", '"(x)"'),
        ('say "', '"say"'),
        ("NEAR(a b)", '"NEAR(a" AND "b)"'),
        ("naïve ٢٣", '"naïve" AND "٢٣"'),
    ],
)
def test_expression(typed: str, expression: str) -> None:
    found = query_of(typed)
    assert found is not None
    assert found.expression == expression


@pytest.mark.parametrize("typed", ["", "  ", '""', "?!", '"" - *', "\x00"])
def test_nothing_to_search_for(typed: str) -> None:
    assert query_of(typed) is None


def test_terms_are_the_words_without_marks() -> None:
    found = query_of('"third quarter" hot*')
    assert found is not None
    assert found.terms == ("third quarter", "hot")


@pytest.fixture(scope="module")
def index() -> apsw.Connection:
    made = apsw.Connection(":memory:")
    made.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='unicode61')")
    made.execute("INSERT INTO t VALUES('the third quarter of the hotel')")
    return made


@pytest.mark.parametrize(
    ("typed", "hits"),
    [("hot*", 1), ("hot", 0), ('"third quarter"', 1), ('"quarter third"', 0), ("hotel the", 1)],
)
def test_fts5_reads_it_so(index: apsw.Connection, typed: str, hits: int) -> None:
    assert count(index, typed) == hits


@given(st.text(max_size=30))
def test_fts5_takes_anything(index: apsw.Connection, typed: str) -> None:
    count(index, typed)


def count(index: apsw.Connection, typed: str) -> int:
    found = query_of(typed)
    if found is None:
        return 0
    expression = found.expression.encode("utf-8", "replace").decode()
    return index.execute("SELECT count(*) FROM t WHERE t MATCH ?", (expression,)).get
