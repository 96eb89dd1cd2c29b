"""Whom a sentence tells of, also where a name is one letter."""

import pytest

from mindpipe.language.names import names_in

TOLD = (
    ("L lives in Kiel.", ("L", "Kiel")),
    ("L and Bo moved", ("Bo",)),
    ("Q's got a new job at Nordlicht.", ("Q", "Nordlicht")),
    ("A will was made.", ()),
    ("I was in Kiel.", ("Kiel",)),
    ("Take vitamin C for it.", ()),
    ("Thanks, L!", ()),
)


@pytest.mark.parametrize(("sentence", "names"), TOLD)
def test_one_letter_is_a_name_where_it_begins_and_does_something(
    sentence: str, names: tuple[str, ...]
) -> None:
    assert names_in(sentence) == names
