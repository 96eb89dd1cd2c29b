"""Instants and spans of simulated time, exact to the microsecond."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person.calendar import DAY_US, instant_text, instant_us, span_us
from support.tables import each_row


@each_row(
    ("text", "t_us"),
    [
        ("00:00", 0),
        ("07:30", 27_000_000_000),
        ("9:00", 32_400_000_000),
        ("2d9:00:01", 2 * DAY_US + 32_401_000_000),
        ("2d16:00", 2 * DAY_US + 57_600_000_000),
        ("0d23:59:59.999999", DAY_US - 1),
        ("15:00:00.5", 54_000_500_000),
    ],
)
def test_instants_are_read(text: str, t_us: int) -> None:
    assert instant_us(text) == t_us


@each_row(
    "text",
    [
        "",
        "7:3",
        "007:30",
        "12:60",
        "1d",
        "-1d10:00",
        "12:00:00.1234567",
        "12:00\n",
        "１2:00",
    ],
)
def test_other_words_are_no_instant(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected .*HH:MM"):
        instant_us(text)


@each_row(
    ("text", "written"),
    [
        ("24:00", "1d00:00"),
        ("25:30", "1d01:30"),
        ("2d49:05:06.5", "4d01:05:06.5"),
        ("100:00:01", "4d04:00:01"),
    ],
)
def test_hours_past_a_day_are_told_as_days(text: str, written: str) -> None:
    with pytest.raises(ValueError, match=f"so write {written}$"):
        instant_us(text)
    instant_us(written)


def test_an_instant_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"2\*\*62"):
        instant_us("99999999d00:00")


@given(st.integers(0, 2**62 - 1).filter(lambda t: t // DAY_US < 10**8))
def test_what_is_written_is_read_again(t_us: int) -> None:
    assert instant_us(instant_text(t_us)) == t_us


@each_row(
    ("text", "span"),
    [
        ("90s", 90_000_000),
        ("15m", 900_000_000),
        ("2h", 7_200_000_000),
        ("1d", DAY_US),
        ("500ms", 500_000),
        ("1.5h", 5_400_000_000),
        ("0.000001s", 1),
        ("0s", 0),
        ("366d", 366 * DAY_US),
    ],
)
def test_spans_are_read(text: str, span: int) -> None:
    assert span_us(text) == span


@each_row(
    ("text", "words"),
    [
        ("90", "a number and one of"),
        ("-1h", "a number and one of"),
        ("1h30m", "a number and one of"),
        ("0.0000001s", "whole number of microseconds"),
        ("367d", "0..31622400000000 microseconds"),
    ],
)
def test_other_words_are_no_span(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        span_us(text)
