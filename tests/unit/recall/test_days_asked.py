"""A question's days, as a table: what it asks, the words that are looked for, and which days."""

from mindpipe.recall.query import understand
from support.tables import each_row

# A Saturday.
AT = "2026-06-20T12:00:00Z"

ASKED = (
    ("What came last week?", "came come", "2026-06-08", "2026-06-15"),
    ("yesterday", "", "2026-06-19", "2026-06-20"),
    ("this month", "", "2026-06-01", "2026-07-01"),
    ("three weeks ago", "", "2026-05-30", "2026-05-31"),
    ("last June", "june", "2025-06-01", "2025-07-01"),
    ("last Friday", "friday", "2026-06-19", "2026-06-20"),
    ("on 3 March 2026", "3 march 2026", "2026-03-03", "2026-03-04"),
    ("kites of 2026-06-07", "kites 2026 06 07 june 7 sunday", "2026-06-07", "2026-06-08"),
    ("kites next week", "kites next week", "2026-06-22", "2026-06-29"),
    ('"see you yesterday"', "see saw seen yesterday", "2026-06-19", "2026-06-20"),
    ("between 1 June and 10 June 2026", "", "2026-06-01", "2026-06-11"),
    ("between 1 June and 10 June 2024", "", "2024-06-01", "2024-06-11"),
    ("kites from 1 June 2024 to 10 June", "kites", "2024-06-01", "2024-06-11"),
    ("from November to the 3rd of March", "", "2025-11-01", "2026-03-04"),
    ("between last week and yesterday", "", "2026-06-08", "2026-06-20"),
)


@each_row(("text", "words", "since", "until"), ASKED)
def test_words_that_only_say_when_name_days_and_are_not_looked_for(
    text: str, words: str, since: str, until: str
) -> None:
    asked = understand(text, at=AT)
    assert [(one.since[:10], one.until[:10]) for one in asked.days] == [(since, until)]
    assert " ".join(asked.words) == words


@each_row("text", ["between 10 June 2026 and 1 June 2026", "1 June and 10 June"])
def test_what_is_no_range_names_each_of_its_days(text: str) -> None:
    assert len(understand(text, at=AT).days) == 2


@each_row(
    ("text", "dated"),
    [
        ("What did Mia tell Noor last week?", True),
        ("What happened on 2026-06-07?", True),
        ("this month", True),
        ("What did Mia paint last week?", False),
        ("What happened?", False),
    ],
)
def test_days_alone_tell_what_is_meant_where_no_more_is_asked(text: str, *, dated: bool) -> None:
    assert understand(text, at=AT).dated is dated
