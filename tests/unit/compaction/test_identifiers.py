"""What of a text means one thing only, and whether it stands in another."""

from mindpipe.compaction.anchors import identifiers, stands_in
from support.tables import each_row


@each_row(
    ("text", "found"),
    [
        ("Ada met 3 people in May.", ["3"]),
        ("Ada met three people in May.", []),
        ("at 10:30 on 2026-05-07,", ["10:30", "2026-05-07"]),
        ("see lib/a.py:12 and (https://x.org/a?b=1).", ["lib/a.py:12", "https://x.org/a?b=1"]),
        ("a 10-minute walk, e.g. in the U.S., and a 3-day one", ["10", "3"]),
        ("fooBar, foo_bar, Node.js; #12 v1.2", ["fooBar", "foo_bar", "Node.js", "12", "v1.2"]),
        ("1,000 for $3.50, 50% off", ["1,000", "3.50", "50"]),
        ("a@b.de wrote `9f3c1d2`", ["a@b.de", "9f3c1d2"]),
        ("C:\\temp and “x_1”…", ["C:\\temp", "x_1"]),
        ("", []),
    ],
)
def test_identifiers(text: str, found: list[str]) -> None:
    assert list(identifiers(text)) == found


@each_row(
    ("word", "text", "there"),
    [
        ("12", "12", True),
        ("12", "#12.", True),
        ("12", "312 and 120", False),
        ("12", "312 and 12", True),
        ("a/b.py", "see ./a/b.py:3", True),
        ("a/b.py", "a/b.pyc", False),
        ("a", "", False),
    ],
)
def test_a_word_stands_in_a_text_on_its_own(word: str, text: str, there: bool) -> None:  # noqa: FBT001
    assert stands_in(word, text) is there
