"""Words that are stored: what is taken as it is, and what is refused."""

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.core.text import one_line, whole_text
from support.tables import each_row


@each_row("text", ["x", "two\nlines", " padded ", "نعم", "👩\u200d💻", "x" * 40])
def test_words_are_kept_unchanged(text: str) -> None:
    assert whole_text(text, field="the text", limit=40) == text


@each_row("text", ["", " \n", "x" * 41, "\ud800", "a\x00b"])
def test_words_that_cannot_be_kept_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="the text"):
        whole_text(text, field="the text", limit=40)


@each_row(("text", "kept"), [("Ava", "Ava"), (" Ava\n", "Ava"), ("می\u200cخواهم",) * 2])
def test_one_line_loses_only_the_white_space_around_it(text: str, kept: str) -> None:
    assert one_line(text, field="the title", limit=40) == kept


@each_row("text", ["a\nb", "a\tb", "a\x1b[31mb", "a\u2028b", "a\x85b", "", "\x00"])
def test_one_line_has_no_line_ends_or_control_characters(text: str) -> None:
    with pytest.raises(UsageError, match="the title"):
        one_line(text, field="the title", limit=40)
