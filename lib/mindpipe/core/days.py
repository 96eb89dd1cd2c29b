"""Runs of whole days, and how months, weeks and weekends follow each other in the calendar."""

import datetime
from typing import NamedTuple

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
