"""What is a parameter in a statement, and what is a word of it."""

import pytest

from mindpipe.store.statements import asked_text, postgres_text


@pytest.mark.parametrize(
    ("asked", "text", "names"),
    [
        ("SELECT :a, :b, :a", "SELECT $1, $2, $1", ("a", "b")),
        ("SELECT ':a', \":a\", 1::int", "SELECT ':a', \":a\", 1::int", ()),
        ("SELECT $$ :a $$, :a", "SELECT $$ :a $$, $1", ("a",)),
        ("SELECT $x$ $$ ' :a $x$, :a", "SELECT $x$ $$ ' :a $x$, $1", ("a",)),
        (r"SELECT E'it\'s :a', :a", r"SELECT E'it\'s :a', $1", ("a",)),
        ("SELECT 1 -- it's :a\n, ':a', :a", "SELECT 1 -- it's :a\n, ':a', $1", ("a",)),
        ("SELECT /* it's :a\n */ ':a', :a", "SELECT /* it's :a\n */ ':a', $1", ("a",)),
        ("SELECT j ? 'a', '?' -- don't", "SELECT j ? 'a', '?' -- don't", ()),
    ],
)
def test_a_question_keeps_its_words(asked: str, text: str, names: tuple[str, ...]) -> None:
    assert asked_text(asked) == (text.encode(), names)


def test_a_statement_of_the_tables_has_marks_by_name_and_place() -> None:
    assert postgres_text("a IN :a AND b=:b AND ':c'") == (
        b"a = ANY($1) AND b=$2 AND ':c'",
        ("a", "b"),
    )
    assert postgres_text("VALUES(?, ?, '?')").text == b"VALUES($1, $2, '?')"
