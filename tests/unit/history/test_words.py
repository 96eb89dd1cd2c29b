"""Which words of a message count, are found, and are shown."""

from mindpipe.core.messages import FilePart, Message, ResultPart, ResultStatus, ThinkingPart
from mindpipe.history.rows import EXCERPT_CHARACTERS, counted_text, excerpt, searched_text
from support.histories import call, result, said, tool, user
from support.tables import each_row

FILE = FilePart(sha256="0" * 64, media_type="image/png", name="map.png")


@each_row(
    ("message", "searched"),
    [
        (user("Hello", FILE), "Hello\nmap.png"),
        (said("I look.", call(1, {"query": "x"})), 'I look.\nrecall {"query": "x"}'),
        (said(ThinkingPart(text="Hm."), "Yes."), "Yes."),
        (tool(result(1, "found")), "found"),
        (tool(result(1, "")), ""),
        (
            tool(ResultPart(call="c_1", status=ResultStatus.OK, text="", json={"a": 1})),
            '{"a":1}',
        ),
    ],
)
def test_searched_text(message: Message, searched: str) -> None:
    assert searched_text(message) == searched


def test_thinking_counts_but_is_not_searched() -> None:
    message = said(ThinkingPart(text="Hm."), ThinkingPart(), "Yes.")
    assert counted_text(message) == "Hm.\nYes."


def test_a_short_text_is_its_own_excerpt_on_one_line() -> None:
    assert excerpt(" one\n two\tthree ", terms=("two",)) == "one two three"


@each_row("before", [0, 30, 100, 500, 1000])
def test_an_excerpt_shows_the_word_that_was_found(before: int) -> None:
    text = "x " * before + "NEEDLE" + " y" * (1000 - before)
    shown = excerpt(text, terms=("absent", "needle"))
    assert "NEEDLE" in shown
    assert len(shown) <= EXCERPT_CHARACTERS
    assert shown.startswith("…") == (before > 20)
    assert shown.endswith("…") == (before < 950)
