"""Where sentences end: a stop behind an abbreviation ends none."""

from mindpipe.language.clauses import sentences
from support.tables import each_row


@each_row(
    ("text", "expected"),
    [
        (
            "We take the flat in Lindauer Str. 5 under no circumstances. I like it.",
            ["We take the flat in Lindauer Str. 5 under no circumstances.", "I like it."],
        ),
        ("Kantstr. 12 auf keinen Fall. Ja", ["Kantstr. 12 auf keinen Fall.", "Ja"]),
        (
            "Kim merged No. 27 on Jan. 5 without review",
            ["Kim merged No. 27 on Jan. 5 without review"],
        ),
        ("up at 9 a.m. and out. Then", ["up at 9 a.m. and out.", "Then"]),
        ("nuts etc. in the novel", ["nuts etc. in the novel"]),
        ("E.g. I live in Rome", ["E.g. I live in Rome"]),
        ("moved to Lindauer Str. I like it", ["moved to Lindauer Str.", "I like it"]),
        ("I moved in Jan. It was cold", ["I moved in Jan.", "It was cold"]),
        ("No. i live in leeds. i work", ["No.", "i live in leeds.", "i work"]),
        ("Mr. Smith is here. ok", ["Mr. Smith is here.", "ok"]),
    ],
)
def test_a_stop_behind_an_abbreviation_ends_no_sentence(text: str, expected: list[str]) -> None:
    assert [one.text for one in sentences(text)] == expected
