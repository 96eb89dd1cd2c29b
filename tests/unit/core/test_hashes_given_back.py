from mindpipe.core.text import is_hash
from support.tables import each_row

WHOLE = "0123456789abcdef" * 4


@each_row(
    ("given", "whole", "told"),
    [
        (WHOLE, WHOLE, True),
        (WHOLE[:8], WHOLE, True),
        (WHOLE[:7], WHOLE, False),
        (WHOLE[1:], WHOLE, False),
        (f"{WHOLE}0", WHOLE, False),
        (WHOLE[:8].upper().replace("0", "f"), WHOLE, False),
        ("", WHOLE, False),
        (None, WHOLE, False),
        ("", "", False),
        (WHOLE, None, False),
    ],
)
def test_a_hash_is_given_back_by_its_first_eight_characters_or_more(
    given: str | None, whole: str | None, *, told: bool
) -> None:
    assert is_hash(given, whole) is told
