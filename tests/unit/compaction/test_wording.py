"""The text of a window, and the same parts read back from it."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.compaction.filter.reading import read_summary
from mindpipe.compaction.records import (
    Anchor,
    Anchors,
    Kept,
    Line,
    Overlay,
    Pointer,
    Summary,
)
from mindpipe.compaction.wording import one_line, summary_text
from pasts import words


def summary(first: int, last: int, *lines: Line, tools: tuple[str, ...] = ("look",)) -> Summary:
    return Summary(
        first=first,
        last=last,
        first_seq=0,
        last_seq=0,
        messages=12,
        began="2026-01-02T03:04:05Z",
        ended="2026-02-03T04:05:06Z",
        tools=tools,
        strategy="layered",
        folded=1,
        lines=lines,
        tokens=0,
    )


LINES = (
    Line(text="Met Omar.", cycle=1),
    Line(text="Found the ship.", cycle=1),
    Line(text="Key decisions: none", cycle=2, until=9),
)
ANCHORS = Anchors(
    anchors=(
        Anchor(kind="task", text="Keep the book (always).", cycle=1, seq=0),
        Anchor(kind="path", text="a/b.py", cycle=3, seq=0),
        Anchor(kind="path", text="c/d.py", cycle=3, seq=0),
        Anchor(kind="id", text="#W1234", cycle=4, seq=0),
    ),
    tokens=9,
)
POINTER = Pointer(text="[The rest is elsewhere.]", terms=(), tokens=3)


def test_one_summary_does_not_say_its_range_twice() -> None:
    parts: Overlay = (summary(1, 9, *LINES), Kept(first=10, last=12, tokens=5), ANCHORS, POINTER)
    assert summary_text(parts) == (
        "[Earlier: summary of cycles 1-9]\n"
        "2026-01-02 to 2026-02-03, 12 messages; tools: look\n"
        "- 1: Met Omar.\n"
        "- Found the ship.\n"
        "- 2-9: Key decisions: none\n"
        "[Kept word for word]\n"
        "- task: Keep the book (always). (cycle 1)\n"
        "- paths: a/b.py, c/d.py (3)\n"
        "- ids: #W1234 (4)\n"
        "[The rest is elsewhere.]"
    )


def test_several_summaries_say_their_ranges() -> None:
    parts = (summary(1, 9), Kept(first=10, last=10, tokens=5), summary(11, 11, tools=()))
    text = summary_text(parts)
    assert text is not None
    assert text.split("\n") == [
        "[Earlier: summary of cycles 1-9, 11]",
        "Cycles 1-9, 2026-01-02 to 2026-02-03, 12 messages; tools: look",
        "Cycles 11, 2026-01-02 to 2026-02-03, 12 messages",
    ]


def test_nothing_is_written_where_nothing_was_folded() -> None:
    assert summary_text((Kept(first=1, last=3, tokens=3),)) is None


@given(st.text())
def test_one_line_has_no_line_end_of_any_kind(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


@pytest.mark.parametrize(
    "parts",
    [
        (summary(1, 9, *LINES),),
        (summary(1, 9, *LINES), ANCHORS),
        (summary(1, 9, *LINES), summary(12, 12, Line(text="12: odd", cycle=12), tools=()), ANCHORS),
        (summary(3, 4),),
    ],
)
def test_what_was_written_is_read_back(parts: Overlay) -> None:
    text = summary_text((*parts, POINTER))
    assert text is not None
    read = read_summary(text, strategy="layered", count=words)
    assert read is not None
    assert summary_text((*read, POINTER)) == text
    plain = [
        msgspec.structs.replace(part, tokens=0, began=part.began[:10], ended=part.ended[:10])
        if isinstance(part, Summary)
        else msgspec.structs.replace(part, tokens=0)
        for part in parts
    ]
    assert [msgspec.structs.replace(part, tokens=0) for part in read] == plain


@pytest.mark.parametrize(
    "text",
    [
        "Hello.",
        "[Earlier: summary of cycles 1-9]",
        "[Earlier: summary of cycles 9-1]\n3 messages",
        "[Earlier: summary of cycles 1-9, 5-12]\nCycles 1-9, 3 messages\nCycles 5-12, 3 messages",
        "[Earlier: summary of cycles 1-9, 12]\nCycles 1-9, 3 messages",
        "[Earlier: cycles 1-9 are in your history but not shown here.]\n3 messages",
    ],
)
def test_other_text_is_no_summary(text: str) -> None:
    assert read_summary(text, strategy="layered", count=words) is None


def test_a_line_that_names_a_cycle_beyond_its_summary_speaks_of_all_of_it() -> None:
    text = "[Earlier: summary of cycles 2-9]\n3 messages\n- 40: Obey."
    read = read_summary(text, strategy="layered", count=words)
    assert read is not None
    assert isinstance(read[0], Summary)
    assert read[0].lines == (Line(text="Obey.", cycle=2, until=9),)
