"""What is typed is searched for; nothing of it is syntax."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.history.query import MOST_WORDS, any_of, bearing, query_of
from support.tables import each_row


@each_row(
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


@each_row("typed", ["", "  ", '""', "?!", '"" - *', "\x00"])
def test_nothing_to_search_for(typed: str) -> None:
    assert query_of(typed) is None


def test_terms_are_the_words_without_marks() -> None:
    found = query_of('"third quarter" hot*')
    assert found is not None
    assert found.terms == ("third quarter", "hot")


@pytest.fixture(scope="module")
def index() -> apsw.Connection:
    return index_of("the third quarter of the hotel")


def index_of(*texts: str) -> apsw.Connection:
    made = apsw.Connection(":memory:")
    made.execute(
        "CREATE VIRTUAL TABLE t USING fts5(text, tokenize='unicode61 remove_diacritics 2')"
    )
    made.executemany("INSERT INTO t VALUES(?)", ((text,) for text in texts))
    return made


@pytest.mark.parametrize(
    ("typed", "hits"),
    [("hot*", 1), ("hot", 0), ('"third quarter"', 1), ('"quarter third"', 0), ("hotel the", 1)],
)
def test_fts5_reads_it_so(index: apsw.Connection, typed: str, hits: int) -> None:
    assert count(index, typed) == hits


@given(st.text(max_size=30))
def test_fts5_takes_anything(index: apsw.Connection, typed: str) -> None:
    assert count(index, typed) in {0, 1}


def count(index: apsw.Connection, typed: str) -> int:
    found = query_of(typed)
    return 0 if found is None else matches(index, found.expression)


def matches(index: apsw.Connection, expression: str) -> int:
    found = index.execute("SELECT count(*) FROM t WHERE t MATCH ?", (expression,)).get
    assert isinstance(found, int)
    return found


@each_row(
    ("typed", "expressions"),
    [
        ("Which hotels did Husam like?", ['"hotel"*', '"Husam"*', '"like"*']),
        ("cities booking booked flights", ['"citi"*', '"book"*', '"flight"*']),
        ("companies company companions", ['"compan"*', '"companion"*']),
        ("berries berry Italy", ['"berr"*', '"Ital"*']),
        ("Dogs, cars, tea", ['"Dogs"*', '"cars"*', '"tea"']),
        ("hotel Hotel HOTELS", ['"hotel"*']),
        ("What's Caroline's name?", ['"Carolin"*', '"name"*']),
        ("who are you", ['"who"', '"are"', '"you"']),
        ('the "third quarter" of', ['"third quarter"']),
        ("rep* a/b.py D1:3 o'clock", ['"rep*"*', '"a/b.py"', '"D1:3"', '"o\'clock"']),
        ("NEAR(a b) AND text:x", ['"NEAR(a"', '"b"', '"text:x"']),
        ("(well-known) ...", ['"(well-known)"']),
        ("مرحبا naïve", ['"مرحبا"*', '"naïv"*']),
    ],
)
def test_any_word_of_a_question(typed: str, expressions: list[str]) -> None:
    assert [query.expression for query in any_of(typed)] == expressions


@each_row("typed", ["", "?!", '"" - *', "\x00", "😀", "\ud800"])
def test_nothing_of_which_any_could_be_found(typed: str) -> None:
    assert any_of(typed) == ()


def test_of_very_many_words_the_first_count() -> None:
    typed = " ".join(f"word{number}" for number in range(10_000))
    assert [query.terms[0] for query in any_of(typed)] == [f"word{n}" for n in range(MOST_WORDS)]
    assert count(index_of(typed), typed) == 1


ODD = st.text(st.sampled_from("aAzé1 \"'*()^:+-{}\x00😀\ud800.,ßİe\u0301न की"), max_size=30)


@given(st.one_of(st.text(max_size=40), ODD))
def test_every_word_of_a_text_finds_that_text(typed: str) -> None:
    index = index_of(typed.replace("\x00", " ").encode("utf-8", "replace").decode())
    for query in any_of(typed):
        if matches(index_of(query.terms[0]), query.expression):
            assert matches(index, query.expression) == 1


@given(st.text(max_size=40))
def test_the_words_that_are_shown_stand_in_what_was_typed(typed: str) -> None:
    for query in any_of(typed):
        assert all(term and term in typed for term in query.terms)


@each_row(
    ("words", "lived", "found"),
    [
        # One word of one cycle singles it out; one of the eleven that any cycle may hold does not.
        ([{3}], 100, [3]),
        ([set(range(11))], 100, []),
        ([{3, 4, 5}], 100, [5, 4, 3]),
        # Two that are usual alone are telling where they stand together.
        ([set(range(12)), set(range(11, 23))], 100, [11]),
        ([{7}, {7, 8}], 100, [7, 8]),
        # What all hold, and what none does, says nothing.
        ([{1, 2, 3}, set()], 3, []),
        ([{1}], 1, []),
        ([], 10, []),
    ],
)
def test_cycles_bear_on_a_text_by_more_than_chance_gives(
    words: list[set[int]], lived: int, found: list[int]
) -> None:
    assert [fit.cycle for fit in bearing(words, lived=lived)] == found
