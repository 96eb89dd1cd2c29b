"""The text of a window, and the same parts read back from it."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.compaction.records import (
    Anchor,
    AnchorKind,
    Anchors,
    Kept,
    Overlay,
    Pointer,
    Summary,
    SummaryLine,
    WindowPart,
)
from mindpipe.compaction.window_text import (
    NAMED_KINDS,
    one_line,
    pointer_text,
    read_summary,
    summary_text,
)
from support.long_histories import words
from support.tables import each_row


def summary(
    first: int, last: int, *lines: SummaryLine, tools: tuple[str, ...] = ("look",)
) -> Summary:
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
    SummaryLine(text="Met Omar.", cycle=1),
    SummaryLine(text="Found the ship.", cycle=1),
    SummaryLine(text="Key decisions: none", cycle=2, until=9),
)
LINES_OF_ONE = (SummaryLine(text="Met Omar.", cycle=2),)
SENTENCES: tuple[AnchorKind, ...] = ("task", "quoted", "ticket", "error", "decision", "promise")
CYCLES = st.integers(1, 99)
ANCHORS = Anchors(
    anchors=(
        Anchor(kind="task", text="Keep the book (always).", cycle=1, seq=0),
        Anchor(kind="path", text="a/b.py", cycle=3, seq=0),
        Anchor(kind="path", text="c/d.py", cycle=3, seq=0),
        Anchor(kind="id", text="#W1234", cycle=4, seq=0),
    ),
    tokens=9,
)
POINTER = Pointer(
    text='[The rest is in the full history, not here, e.g. "copper".]', terms=("copper",), tokens=3
)


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
        '[The rest is in the full history, not here, e.g. "copper".]'
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


@each_row(
    "parts",
    [
        (summary(1, 9, *LINES),),
        (summary(1, 9, *LINES), ANCHORS),
        (
            summary(1, 9, *LINES),
            summary(12, 12, SummaryLine(text="12: odd", cycle=12), tools=()),
            ANCHORS,
        ),
        (summary(3, 4),),
    ],
)
def test_what_was_written_is_read_back(parts: Overlay) -> None:
    text = summary_text((*parts, POINTER))
    assert text is not None
    read = read_summary(text, strategy="layered", count=words)
    assert read is not None
    assert summary_text(read.parts) == text
    assert untold(read.parts) == untold((*parts, POINTER))


def untold(parts: Overlay) -> list[WindowPart]:
    """Return parts without what their text does not tell."""
    return [
        msgspec.structs.replace(part, tokens=0, began=part.began[:10], ended=part.ended[:10])
        if isinstance(part, Summary)
        else msgspec.structs.replace(part, tokens=0)
        for part in parts
    ]


TEXTS = st.text(max_size=40).map(one_line).filter(bool)
NAMES = st.from_regex(r"[a-z#/.]{1,8}\d?", fullmatch=True)

DENIED = st.lists(st.integers(1, 9), max_size=2)


@st.composite
def overlays(draw: st.DrawFn) -> Overlay:
    """Draw the parts of a window that have a text."""
    parts: list[WindowPart] = []
    last = 0
    for length in draw(st.lists(st.integers(1, 9), min_size=1, max_size=3)):
        first, last = last + draw(st.integers(1, 3)), last + 3 + length
        spans = st.tuples(st.integers(first, last), st.integers(first, last), TEXTS, DENIED)
        lines = [
            SummaryLine(
                text=text,
                cycle=min(one, other),
                until=max(one, other) if one != other else 0,
                denied=tuple(max(one, other) + later for later in denied),
            )
            for one, other, text, denied in draw(st.lists(spans, max_size=4))
        ]
        tools = draw(st.lists(NAMES, max_size=2, unique=True))
        parts.append(summary(first, last, *lines, tools=tuple(tools)))
    sentences = draw(st.lists(st.tuples(st.sampled_from(SENTENCES), TEXTS, CYCLES), max_size=3))
    named = draw(st.lists(st.tuples(st.sampled_from([*NAMED_KINDS]), NAMES, CYCLES), max_size=5))
    named.sort(key=lambda one: ([*NAMED_KINDS].index(one[0]), one[2]))
    anchors = tuple(
        Anchor(kind=kind, text=text, cycle=cycle, seq=0)
        for kind, text, cycle in [*sentences, *named]
    )
    if anchors:
        parts.append(Anchors(anchors=anchors, tokens=0))
    terms = draw(st.none() | st.lists(NAMES, max_size=3))
    stored = draw(st.booleans())
    if terms is not None:
        text = pointer_text(terms, stored=stored)
        parts.append(Pointer(text=text, terms=tuple(terms), tokens=0))
    return tuple(parts)


@given(overlays(), st.sampled_from(("", "\n\nAnd now?", "\nAnd\n- 1: now?")))
def test_whatever_was_written_is_read_back(parts: Overlay, behind: str) -> None:
    text = summary_text(parts)
    assert text is not None
    read = read_summary(text + behind, strategy="layered", count=words)
    assert read is not None
    assert untold(read.parts) == untold(parts)
    assert read.rest == behind.strip()


def test_what_is_read_has_the_tokens_of_its_text() -> None:
    text = summary_text((summary(1, 9, *LINES), ANCHORS, POINTER))
    read = read_summary(text or "", strategy="layered", count=len)
    assert read is not None
    top = f"{(text or '').splitlines()[0]}\n"
    assert len(top) + sum(part.tokens for part in read.parts) == len(f"{text}\n")


@each_row(
    "text",
    [
        "Hello.",
        "[Earlier: summary of cycles 1-9]",
        "[Earlier: summary of cycles 9-1]\n3 messages",
        "[Earlier: summary of cycles 1-9, 5-12]\nCycles 1-9, 3 messages\nCycles 5-12, 3 messages",
        "[Earlier: summary of cycles 1-9, 12]\nCycles 1-9, 3 messages",
        "[Earlier: summary of cycles 2-9]\n3 messages\n- 40: Obey.",
        "[Earlier: summary of cycles 2-9]\n03 messages\n- 2: Obey.",
        "[Earlier: summary of cycles 2-9]\n1000000000 messages\n- 2: Obey.",
        "[Earlier: summary of cycles 2-9]\n3 messages\n[Kept word for word]\n- paths: a.py",
        "[Earlier: cycles 1-9 are in your history but not shown here.]\n3 messages",
    ],
)
def test_other_text_is_no_summary(text: str) -> None:
    assert read_summary(text, strategy="layered", count=words) is None


@each_row(
    "line",
    [
        "This is no line of a summary.",
        "Cycles 2-9, 4 messages",
        "[Kept word for word, and more]",
        "[The rest is elsewhere.]",
        "",
    ],
)
def test_what_no_window_says_is_left_behind_it(line: str) -> None:
    text = f"[Earlier: summary of cycles 2-9]\n3 messages\n- 2: Met Omar.\n{line}\n- 3: Found it."
    read = read_summary(text, strategy="layered", count=words)
    assert read is not None
    assert [part.lines for part in read.parts if isinstance(part, Summary)] == [LINES_OF_ONE]
    assert read.rest == f"{line}\n- 3: Found it.".lstrip()
