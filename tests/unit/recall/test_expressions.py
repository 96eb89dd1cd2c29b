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


@each_row(
    ("holders", "text"),
    [
        # Topics may pick a quarter of the rows, beside what the question's own words do, and weigh
        # none beyond them.
        ({"tea": 90, "drink": 20}, '"drink" OR "tea"'),
        ({"tea": 90, "drink": 30}, '"tea"'),
        ({"tea": 110, "drink": 30}, '("drink") AND ("drink" OR "tea")'),
        ({"drink": 20, "cup": 10}, '"cup"'),
    ],
)
def test_words_that_topics_lead_to_cost_less(holders: dict[str, int], text: str) -> None:
    found = expression_of(holders, kin={"drink", "cup"}, budget=100)
    assert found is not None
    assert (found.text, found.wide) == (text, False)
