"""The instants of cron lines, above all where clocks go forward and back."""

import datetime
from itertools import islice, takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import format_instant, parse_instant
from mindpipe.plans.schedule import (
    checked_line,
    instant_of,
    instants_after,
    latest_instant,
    zone_of,
)
from support.draws import tries
from support.tables import each_row

BERLIN = "Europe/Berlin"
# Berlin goes from 02:00 to 03:00 on 2026-03-29 and from 03:00 back to 02:00 on 2026-10-25,
# both at 01:00 UTC; Lord Howe moves by half an hour, Apia left out the whole of 2011-12-30.
SPRING, AUTUMN = "2026-03-28T22:00:00Z", "2026-10-24T21:00:00Z"
LORD_HOWE, APIA = "Australia/Lord_Howe", "Pacific/Apia"


def after(cron: str, zone: str, start: str, count: int) -> list[str]:
    """Return the next instants, without the year and the seconds."""
    moments = instants_after(cron, zone_of(zone), parse_instant(start))
    return [format_instant(moment)[5:16] for moment in islice(moments, count)]


@each_row(
    ("cron", "zone", "start", "expected"),
    [
        ("0 9 * * *", "UTC", "2026-11-21T20:00:00Z", ["11-22T09:00", "11-23T09:00"]),
        ("0 9 * * *", "UTC", "2026-11-21T09:00:00Z", ["11-22T09:00"]),
        ("0 9 * * 1-5", BERLIN, "2026-11-20T20:00:00Z", ["11-23T08:00"]),
        ("0 9 * * *", "Asia/Kathmandu", "2026-11-21T20:00:00Z", ["11-22T03:15"]),
        # A skipped hour: once, at the next valid instant.
        ("30 2 * * *", BERLIN, SPRING, ["03-29T01:00", "03-30T00:30"]),
        ("15,45 2 * * *", BERLIN, SPRING, ["03-29T01:00", "03-30T00:15"]),
        ("*/15 2 * * *", BERLIN, SPRING, ["03-29T01:00", "03-30T00:00"]),
        ("0 */2 * * *", BERLIN, SPRING, ["03-28T23:00", "03-29T01:00", "03-29T02:00"]),
        ("30 2,3 * * *", BERLIN, SPRING, ["03-29T01:00", "03-29T01:30", "03-30T00:30"]),
        # A repeated hour: once, the first time.
        ("30 2 * * *", BERLIN, AUTUMN, ["10-25T00:30", "10-26T01:30"]),
        ("30 2 * * *", BERLIN, "2026-10-25T00:30:00Z", ["10-26T01:30"]),
        ("30 2 * * *", BERLIN, "2026-10-25T01:10:00Z", ["10-26T01:30"]),
        ("*/30 2 * * *", BERLIN, AUTUMN, ["10-25T00:00", "10-25T00:30", "10-26T01:00"]),
        ("0 1-3 * * *", BERLIN, AUTUMN, ["10-24T23:00", "10-25T00:00", "10-25T02:00"]),
        # Every hour is every hour that passes.
        ("30 * * * *", BERLIN, "2026-03-29T00:00:00Z", ["03-29T00:30", "03-29T01:30"]),
        ("30 * * * *", BERLIN, "2026-10-25T00:00:00Z", ["10-25T00:30", "10-25T01:30"]),
        # Half an hour, and a whole day.
        ("15 2 * * *", LORD_HOWE, "2026-10-03T00:00:00Z", ["10-03T15:30", "10-04T15:15"]),
        ("45 1 * * *", LORD_HOWE, "2026-04-03T20:00:00Z", ["04-04T14:45", "04-05T15:15"]),
        ("0 9 * * *", APIA, "2011-12-29T00:00:00Z", ["12-29T19:00", "12-30T10:00", "12-30T19:00"]),
    ],
)
def test_instants_come_as_expected(cron: str, zone: str, start: str, expected: list[str]) -> None:
    assert after(cron, zone, start, len(expected)) == expected


def test_the_hours_of_a_whole_day_in_autumn_run_once_each() -> None:
    found = after("0 0-23 * * *", BERLIN, "2026-10-24T21:59:00Z", 24)
    assert len(set(found)) == 24
    assert found[-1] == "10-25T22:00"


@each_row(
    ("wall", "zone", "expected"),
    [
        ("2026-03-29T01:59:59", BERLIN, "2026-03-29T00:59:59Z"),
        ("2026-03-29T02:00:00", BERLIN, "2026-03-29T01:00:00Z"),
        ("2026-03-29T02:59:59", BERLIN, "2026-03-29T01:00:00Z"),
        ("2026-03-29T03:00:00", BERLIN, "2026-03-29T01:00:00Z"),
        ("2026-10-25T02:30:00", BERLIN, "2026-10-25T00:30:00Z"),
        ("2026-10-25T03:00:00", BERLIN, "2026-10-25T02:00:00Z"),
    ],
)
def test_a_clock_on_the_wall(wall: str, zone: str, expected: str) -> None:
    moment = instant_of(datetime.datetime.fromisoformat(wall), zone_of(zone))
    assert format_instant(moment) == expected


LINES = st.sampled_from(
    [
        "30 2 * * *",
        "*/15 2 * * *",
        "0 */2 * * *",
        "0,30 1-3 * * *",
        "30 * * * *",
        "*/7 * * * *",
        "0 0 * * *",
        "15 0 1,30 * *",
        "0 3 * * SUN",
        "*/20 0-4 * * 6,0",
        "59 23 L * *",
    ]
)
ZONES = st.sampled_from(
    ["UTC", BERLIN, "America/New_York", "Africa/Cairo", "Asia/Beirut", LORD_HOWE, APIA]
)
SWITCHES = st.sampled_from(
    [
        "2011-12-30",
        "2024-03-31",
        "2024-04-07",
        "2024-04-26",
        "2024-10-06",
        "2024-10-27",
        "2024-11-03",
    ]
)


@settings(max_examples=tries(200), deadline=None)
@given(LINES, ZONES, SWITCHES, st.integers(-2000, 2000), st.integers(1, 4000))
def test_the_latest_instant_is_the_last_of_those_that_come(
    cron: str, name: str, day: str, shift: int, length: int
) -> None:
    zone = zone_of(name)
    start = parse_instant(day) + datetime.timedelta(minutes=shift)
    until = start + datetime.timedelta(minutes=length)
    coming = list(takewhile(lambda moment: moment <= until, instants_after(cron, zone, start)))
    assert coming == sorted(set(coming))
    latest = latest_instant(cron, zone, until)
    assert latest is not None
    assert latest <= until
    assert (coming[-1] if coming else None) == (latest if latest > start else None)


def test_the_calendar_ends_quietly() -> None:
    last = parse_instant("9999-12-31T23:59:59Z")
    assert list(instants_after("0 9 * * *", zone_of(BERLIN), last)) == []
    assert latest_instant("0 9 * * *", zone_of(BERLIN), last) is not None


def test_a_line_gets_single_spaces() -> None:
    assert checked_line(" 0  9 *\t* mon-fri ") == "0 9 * * mon-fri"


@each_row(
    ("cron", "fault"),
    [
        ("", "wrong number of fields"),
        ("* * * *", "wrong number of fields"),
        ("0 * * * * *", "wrong number of fields"),
        ("@daily", "wrong number of fields"),
        ("60 * * * *", "bad minute"),
        ("* 24 * * *", "bad hour"),
        ("* * 0 * *", "bad day-of-month"),
        ("0 0 30 2 *", "bad day-of-month"),
        ("* * * 13 *", "bad month"),
        ("* * * * 8", "bad day-of-week"),
        ("1-x * * * *", "bad minute"),
    ],
)
def test_other_lines_are_refused(cron: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        checked_line(cron)


@each_row("name", ["", "Europe/Berln", "../etc/passwd", "/etc/localtime", "Europe"])
def test_other_zones_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no time zone"):
        zone_of(name)
