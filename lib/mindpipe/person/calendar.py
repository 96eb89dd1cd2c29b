"""Instants and spans of simulated time as people write them, to microseconds and back, exactly."""

import re

from mindpipe.core.patterns import late
from mindpipe.person.records.scales import MOST_US, YEAR_US

MICROSECONDS = {"us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}
DAY_US = 86_400_000_000
INSTANT_FORM = "[Nd]HH:MM[:SS[.ffffff]], e.g. 2d16:00"
SPAN_FORM = "a number and one of us, ms, s, m, h, d, e.g. 90s, 15m or 9h30m"

_UNITS = {**MICROSECONDS, "d": DAY_US}
_INSTANT = late(
    r"(?:([0-9]{1,8})d)?([01]?[0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,6}))?)?",
    re.ASCII,
)
_PAST_DAY = late(
    r"(?:([0-9]{1,7})d)?(2[4-9]|[3-9][0-9]|[1-9][0-9]{2,3})"
    r"(:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?)",
    re.ASCII,
)
_SPAN = late(r"([0-9]{1,19})(?:\.([0-9]{1,15}))?(us|ms|s|m|h|d)", re.ASCII)


def instant_us(text: str) -> int:
    """Return an instant in microseconds since midnight of day 0.

    Raises:
        ValueError: it is not written as `[Nd]HH:MM[:SS[.ffffff]]`, or out of range; says so.
    """
    found = _INSTANT.fullmatch(text)
    if found is None and (past := _PAST_DAY.fullmatch(text)):
        day, hour = divmod(int(past.group(2)), 24)
        written = f"{int(past.group(1) or 0) + day}d{hour:02d}{past.group(3)}"
        raise ValueError(f"hours go from 0 to 23, so write {written}")
    if found is None:
        raise ValueError(f"expected {INSTANT_FORM}")
    days, hours, minutes, seconds, fraction = (part or "0" for part in found.groups())
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    instant = int(days) * DAY_US + whole * 1_000_000 + int(fraction.ljust(6, "0"))
    if instant > MOST_US:
        raise ValueError("expected an instant before 2**62 microseconds")
    return instant


def span_us(text: str, *, most: int = YEAR_US) -> int:
    """Return a span in microseconds, at most `most` (366 days); of several units the longest first.

    Raises:
        ValueError: it is no number with a unit, no whole number of microseconds, or too long.
    """
    parts = list(_SPAN.finditer(text))
    units = [_UNITS[part[3]] for part in parts]
    if not parts or "".join(part[0] for part in parts) != text or units != sorted({*units})[::-1]:
        raise ValueError(f"expected {SPAN_FORM}")
    span = sum(map(_part_us, parts))
    if span > most:
        raise ValueError(f"expected 0..{most} microseconds")
    return span


def _part_us(part: re.Match[str]) -> int:
    whole, fraction, unit = part[1], part[2] or "", part[3]
    scaled = int(whole + fraction) * _UNITS[unit]
    span, rest = divmod(scaled, int("1" + "0" * len(fraction)))
    if rest:
        raise ValueError("expected a whole number of microseconds")
    return span


def instant_text(t_us: int) -> str:
    """Return an instant as `2d16:00:00.500000`: the day left out on day 0, the fraction where 0.

    Before day 0, which people cannot write, days are negative: `-1d22:58:00`.
    """
    day, rest = divmod(t_us, DAY_US)
    seconds, fraction = divmod(rest, 1_000_000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    days = f"{day}d" if day else ""
    part = f".{fraction:06d}" if fraction else ""
    return f"{days}{hour:02d}:{minute:02d}:{second:02d}{part}"


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""Day 0 is the first of them."""
HOUR_US = 3_600_000_000
_PARTS = ((5, "night"), (12, "morning"), (17, "afternoon"), (22, "evening"), (24, "night"))
_DAWN_US = 5 * HOUR_US
"""When a night is over."""
_JUST_US, _MOMENT_US, _WHILE_US = HOUR_US // 20, HOUR_US // 2, 2 * HOUR_US
_WEEK = 7
_LONG_AGO = ((11, "a week ago"), (25, "a few weeks ago"), (60, "a month ago"))


def weekday_of(t_us: int) -> str:
    """Return the day of the week of an instant."""
    return WEEKDAYS[t_us // DAY_US % _WEEK]


def part_of_day(t_us: int) -> str:
    """Return night, morning, afternoon or evening."""
    hour = t_us % DAY_US // HOUR_US
    return next(part for until, part in _PARTS if hour < until)


def ago_text(then_us: int, now_us: int) -> str:
    """Return how long ago an instant was, as people say it: `just now`, `last night`, `on Tuesday`.

    What is still to come has no words here.
    """
    age_us, days, part = now_us - then_us, _days_between(then_us, now_us), part_of_day(then_us)
    if age_us < 0:
        return ""
    if age_us < _WHILE_US:
        words = ((_JUST_US, "just now"), (_MOMENT_US, "a moment ago"), (_WHILE_US, "a while ago"))
        return next(said for below, said in words if age_us < below)
    if days <= 0:
        return "earlier tonight" if part == "night" else f"this {part}"
    if days == 1:
        return "last night" if part == "night" else f"yesterday {part}"
    if days < _WEEK:
        night = "the night of " if part == "night" else ""
        day = WEEKDAYS[_night_day(then_us) % _WEEK]
        return f"{night or 'on '}{day}"
    return next((said for below, said in _LONG_AGO if days < below), "months ago")


def _days_between(then_us: int, now_us: int) -> int:
    """Return how many days lie between two instants, as people count them.

    After midnight the night goes on, and so does the evening before it; but that day's morning was
    yesterday's, and the day to come is today.
    """
    nights = _night_day(now_us) - _night_day(then_us)
    of_night = part_of_day(then_us) == "night"
    if now_us % DAY_US >= _DAWN_US or (of_night and then_us < now_us):
        return nights
    if then_us % DAY_US < _DAWN_US:
        return nights
    days = now_us // DAY_US - then_us // DAY_US
    return 0 if days == 1 and part_of_day(then_us) == "evening" else days


def _night_day(t_us: int) -> int:
    """Return the day that an instant is told of: the small hours belong to the night before."""
    return (t_us - _DAWN_US) // DAY_US


def day_text(t_us: int) -> str:
    """Return the day of the week and the part of the day of an instant, as people say it."""
    part = part_of_day(t_us)
    if t_us % DAY_US < _DAWN_US:
        return f"{weekday_of(t_us)}, in the small hours"
    return f"{weekday_of(t_us)} {part}"


def ahead_text(then_us: int | None, now_us: int) -> str:
    """Return when something to come is: `soon`, `this evening`, `tomorrow morning`, `on Friday`.

    What is overdue, or has no time, has no words.
    """
    if then_us is None or then_us < now_us:
        return ""
    days, part = -_days_between(then_us, now_us), part_of_day(then_us)
    if then_us - now_us < _WHILE_US:
        return "soon"
    if days == 0:
        return "tonight" if part == "night" else f"this {part}"
    if days == 1:
        return f"tomorrow {part}"
    return f"on {weekday_of(then_us)}" if days < _WEEK else "later"


_TIMES = ("today", "tonight", "tomorrow", "morning", "afternoon", "evening", "night")
ALL_TIMES = frozenset((*_TIMES, *(day.casefold() for day in WEEKDAYS)))
"""Words of a time that is asked for."""


def times_ahead(then_us: int, now_us: int) -> frozenset[str]:
    """Return by which of these words an instant that is to come may be asked for."""
    days, part = -_days_between(then_us, now_us), part_of_day(then_us)
    found = {weekday_of(then_us).casefold(), part}
    if days == 0:
        found |= {"today"} | ({"tonight"} if part in ("evening", "night") else set())
    if days == 1:
        found.add("tomorrow")
    return frozenset(found | ({"night"} if part == "evening" else set()))
