"""Durations as people write them."""

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.plans.schedule import parse_duration
from support.tables import each_row


@each_row(
    ("text", "seconds"),
    [
        ("1s", 1),
        ("90s", 90),
        ("15m", 900),
        ("2h", 7200),
        ("3d", 259_200),
        ("1w", 604_800),
        ("1h30m", 5400),
        ("3650d", 315_360_000),
    ],
)
def test_durations_are_read(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds


@each_row(
    "text", ["", "90", "s", "1.5h", "-1h", " 1h", "1h ", "1y", "1H", "٣h", "1h\n", "99999999999d"]
)
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no duration"):
        parse_duration(text)


@each_row("text", ["0s", "0d0h", "3651d", "9999999999w"])
def test_durations_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="out of range"):
        parse_duration(text)
