"""Which entities a question names."""

from mindpipe.recall.query import names_any, slugs_in, words_in
from support.tables import each_row


def test_words_side_by_side_may_be_a_name_but_not_function_words_alone() -> None:
    assert slugs_in("What is Jean-Luc at?") == {
        "what-is-jean",
        "what-is-jean-luc",
        "is-jean",
        "is-jean-luc",
        "is-jean-luc-at",
        "jean",
        "jean-luc",
        "jean-luc-at",
        "luc",
        "luc-at",
    }


@each_row(
    ("text", "names", "named"),
    [
        ("Where does mia berg live?", ("Mia Berg",), True),
        ("Where does Mia live?", ("Mia Berg",), False),
        ("Where does Mimi live?", ("Mia Berg", "Mimi"), True),
        ("Zoe's boat", ("Zoë",), True),
        ("the party", ("art", "?"), False),
        ("健は東京にいますか", ("東京",), True),
    ],
)
def test_a_name_is_in_a_text_with_all_its_words(
    text: str, names: tuple[str, ...], *, named: bool
) -> None:
    assert names_any(text, names) is named


def test_names_are_looked_for_by_their_words_each_once() -> None:
    assert words_in(["Mia Berg", "Mia the Sailor"]) == ["mia", "berg", "sailor"]
