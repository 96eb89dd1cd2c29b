"""Strings that cannot be stored are cleaned wherever they stand."""

from mindpipe.core.events import NewEvent
from mindpipe.inbox.lines import cleaned, cleaned_event
from support.tables import each_row


@each_row(
    ("given", "expected"),
    [
        ("a", ("a", False)),
        ("a\0b", ("a\ufffdb", True)),
        ("\ud800", ("\ufffd", True)),
        ({"k\0": [1, None, {"x": "\udfff"}]}, ({"k\ufffd": [1, None, {"x": "\ufffd"}]}, True)),
        ([1.5, True, "é\u2028"], ([1.5, True, "é\u2028"], False)),
        ({}, ({}, False)),
    ],
)
def test_values(given: object, expected: tuple[object, bool]) -> None:
    assert cleaned(given) == expected


def test_an_event_of_the_program_is_marked_where_it_was_cleaned() -> None:
    event = NewEvent(agent="ava", text="a\0", body={"x": "\ud800"})
    assert cleaned_event(event) == NewEvent(
        agent="ava", text="a\ufffd", body={"x": "\ufffd"}, lossy=True
    )
    sound = NewEvent(agent="ava", text="a")
    assert cleaned_event(sound) is sound
