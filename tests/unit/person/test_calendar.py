"""Instants and spans of simulated time, exact to the microsecond."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person.calendar import (
    DAY_US,
    ago_text,
    ahead_text,
    day_text,
    instant_text,
    instant_us,
    span_us,
)
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
        ("9h30m", 34_200_000_000),
        ("1d1h", DAY_US + 3_600_000_000),
        ("1s500ms", 1_500_000),
    ],
)
def test_spans_are_read(text: str, span: int) -> None:
    assert span_us(text) == span


@each_row(
    ("text", "words"),
    [
        ("90", "a number and one of"),
        ("-1h", "a number and one of"),
        ("30m1h", "a number and one of"),
        ("1h1h", "a number and one of"),
        ("1h 30m", "a number and one of"),
        ("", "a number and one of"),
        ("366d1us", "0..31622400000000 microseconds"),
        ("0.0000001s", "whole number of microseconds"),
        ("367d", "0..31622400000000 microseconds"),
    ],
)
def test_other_words_are_no_span(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        span_us(text)


@each_row(
    ("then", "now", "words"),
    [
        ("0d08:30", "1d00:20", "yesterday morning"),
        ("0d14:00", "1d04:00", "yesterday afternoon"),
        ("0d19:00", "1d00:20", "this evening"),
        ("0d22:30", "1d03:00", "earlier tonight"),
        ("1d00:30", "1d04:00", "earlier tonight"),
        ("0d02:00", "1d00:20", "last night"),
        ("0d08:30", "2d00:20", "on Monday"),
        ("0d19:00", "2d00:20", "on Monday"),
        ("0d08:30", "0d20:00", "this morning"),
        ("0d23:00", "1d08:00", "last night"),
    ],
)
def test_what_was_before_midnight_is_told_by_the_night_that_goes_on(
    then: str, now: str, words: str
) -> None:
    assert ago_text(instant_us(then), instant_us(now)) == words


@each_row(
    ("then", "now", "words"),
    [
        ("1d09:00", "1d00:20", "this morning"),
        ("1d23:00", "1d00:20", "tonight"),
        ("1d09:00", "0d23:00", "tomorrow morning"),
        ("2d09:00", "1d00:20", "tomorrow morning"),
        ("1d04:00", "1d00:20", "tonight"),
    ],
)
def test_what_is_to_come_after_midnight_is_of_the_day_that_has_begun(
    then: str, now: str, words: str
) -> None:
    assert ahead_text(instant_us(then), instant_us(now)) == words


def test_the_small_hours_are_told_from_the_night_before() -> None:
    assert day_text(instant_us("1d00:20")) == "Tuesday, in the small hours"
    assert day_text(instant_us("1d23:00")) == "Tuesday night"
