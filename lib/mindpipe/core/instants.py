"""Instants, spans and days: read, written and reckoned with."""

import datetime
import re
from typing import NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.core.ports import BootTime

_STORED = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\dZ", re.ASCII).fullmatch

_FIRST = datetime.datetime.min.replace(tzinfo=datetime.UTC)
_LAST = datetime.datetime.max.replace(tzinfo=datetime.UTC)
LAST_INSTANT = "9999-12-31T23:59:59Z"
"""What is due some day is due by then."""


def format_instant(moment: datetime.datetime) -> str:
    """Return an aware datetime as UTC text with whole seconds."""
    return moment.astimezone(datetime.UTC).isoformat(timespec="seconds")[:19] + "Z"


def parse_instant(text: str) -> datetime.datetime:
    """Read ISO 8601 text as an aware UTC datetime; text without a zone is taken as UTC.

    Raises:
        UsageError: the text is no instant.
    """
    try:
        moment = datetime.datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=datetime.UTC)
        return moment.astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        raise UsageError(
            f'"{text}" is not an instant; write it like 2026-11-21T20:00:00Z'
        ) from None


def normal_instant(text: str) -> str:
    """Return any ISO 8601 text in the stored form."""
    moment = parse_instant(text)
    return text if _STORED(text) else format_instant(moment)


def later(instant: str, *, seconds: float) -> str:
    """Return the instant that lies `seconds` after `instant`, rounded down to whole seconds.

    What would lie before the year 1 or behind the year 9999 is their first or last instant.
    """
    try:
        moment = parse_instant(instant) + datetime.timedelta(seconds=seconds)
    except OverflowError:
        moment = _LAST if seconds > 0 else _FIRST
    return format_instant(moment)


def seconds_between(earlier: str, later_instant: str) -> float:
    """Return the seconds from `earlier` to `later_instant`; negative if the order is reversed."""
    return (parse_instant(later_instant) - parse_instant(earlier)).total_seconds()


Day = datetime.date


class Days(NamedTuple):
    """A run of days: the first one, and the first that is no more of it."""

    first: Day
    after: Day


def one_day(day: Day) -> Days:
    """Return a single day."""
    return Days(day, day + datetime.timedelta(1))


def shifted(days: Days, by: int) -> Days:
    """Return days that lie some days later, or earlier where `by` is negative."""
    return Days(days.first + datetime.timedelta(by), days.after + datetime.timedelta(by))


def monday(day: Day) -> Day:
    """Return the day that a day's week began on."""
    return day - datetime.timedelta(day.weekday())


def weekend_of(day: Day, by: int) -> Days:
    """Return the Saturday and Sunday of the week that lies `by` weeks after a day's own."""
    saturday = monday(day) + datetime.timedelta(5 + 7 * by)
    return Days(saturday, saturday + datetime.timedelta(2))


def months_of(year: int, month: int, count: int) -> Days:
    """Return some whole months from one on; a `month` outside of 1-12 lies in another year.

    Raises:
        ValueError: the years leave 1-9999.
    """
    first, after = year * 12 + month - 1, year * 12 + month - 1 + count
    return Days(Day(first // 12, first % 12 + 1, 1), Day(after // 12, after % 12 + 1, 1))


def moved(day: Day, count: int, unit: str) -> Day:
    """Return the day that lies some days, weeks, fortnights, months, years or decades on.

    In a month that has no such day it is the last one.

    Raises:
        ValueError, OverflowError: the years leave 1-9999.
        KeyError: another unit.
    """
    if unit in ("day", "week", "fortnight"):
        return day + datetime.timedelta(count * {"day": 1, "week": 7, "fortnight": 14}[unit])
    months = count * {"month": 1, "year": 12, "decade": 120}[unit]
    first, after = months_of(day.year, day.month + months, 1)
    return min(first + datetime.timedelta(day.day - 1), after - datetime.timedelta(1))


def third_of(days: Days, part: str | None) -> Days:
    """Return the first, middle or last third of some days, or all of them without a part.

    A part begins with early, start or beginning, with mid or middle, or with late or end. None is
    less than a day.
    """
    third = max((days.after - days.first) // 3, datetime.timedelta(1))
    match (part or "").lower().split():
        case []:
            return days
        case ["early" | "start" | "beginning", *_]:
            return Days(days.first, days.first + third)
        case ["mid" | "middle", *_]:
            inner = Days(days.first + third, days.after - third)
            return inner if inner.first < inner.after else days
        case _:
            return Days(days.after - third, days.after)


def deadline(now: BootTime, *, seconds: float) -> BootTime:
    """Return the boot time that lies `seconds` ahead."""
    return BootTime(boot=now.boot, seconds=now.seconds + seconds)


def expired(limit: BootTime, now: BootTime) -> bool:
    """Tell whether a deadline has passed; one set under another boot always has."""
    return limit.boot != now.boot or now.seconds >= limit.seconds
