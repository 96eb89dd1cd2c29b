"""Rare words pick rows within a budget, the others weigh what is picked."""

from mindpipe.recall.query import expression_of
from support.tables import each_row


@each_row(
    ("holders", "text", "wide"),
    [
        ({}, None, False),
        ({"tea": 0}, None, False),
        ({"tea": 4, "boat": 3, "never": 0}, '"boat" OR "tea"', False),
        ({"tea": 60, "boat": 50}, '("boat") AND ("boat" OR "tea")', False),
        (
            {"tea": 60, "boat": 50, "green": 49},
            '("green" OR "boat") AND ("green" OR "boat" OR "tea")',
            False,
        ),
        ({"tea": 400, "boat": 300}, '("boat") AND ("boat" OR "tea")', True),
        ({'say "so"': 1}, '"say ""so"""', False),
    ],
)
def test_rare_words_pick_and_the_others_weigh(
    holders: dict[str, int], text: str | None, *, wide: bool
) -> None:
    found = expression_of(holders, budget=100)
    assert (found and found.text) == text
    assert (found is not None and found.wide) == wide
