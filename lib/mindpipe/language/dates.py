"""Dates in English words: where a text names days, and which days these are.

A date is read relative to an instant: `last May`, `two weeks before 8 May 2023`, `this weekend`.
Days are those of UTC. Seasons are the northern ones by whole months (winter begins in December),
weeks begin on Monday. `12/11/2023`, which is two days at once, is not read, `25/12/2023` is.
"""

import datetime
import functools
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from mindpipe.core.instants import (
    Day,
    Days,
    monday,
    months_of,
    moved,
    one_day,
    parse_instant,
    shifted,
    third_of,
    weekend_of,
)
from mindpipe.core.patterns import LatePattern, late
from mindpipe.language import numerals


class Dated(NamedTuple):
    """Words that name days: first and last character, the first instant and the first after."""

    start: int
    end: int
    since: str
    until: str


Side = Literal["behind", "near", "ahead"]
"""On which side of an instant a day lies that is named without a year: the last that has begun, the
nearest, or the next; a day of the last week is then meant itself, which is named late."""
LATE_DAYS = 7


class _Asked(NamedTuple):
    """The day that words are relative to, and on which side of it days without a year lie."""

    day: Day
    side: Side


_Groups = dict[str, str | None]
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_VAGUE = {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 4}
_ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3}
_ANCHOR_WIDTH = 60

_MONTH = (
    "(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = (
    "(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)\b"
)
_WHOLE_WEEKDAY = r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)\b"
_YEAR = r"(?P<year>(?:1[89]|20|21)\d\d)\b"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\d:/-]|\.\d)"
_COUNT = rf"(?P<count>\d{{1,4}}|an?|{numerals.WORDS}|(?:a )?couple(?: of)?|(?:a )?few|several)"
_UNIT = r"(?P<unit>day|week|fortnight|month|year|decade)s?\b"
_SIDE = r"(?P<side>last|this past|past|previous|this coming|coming|upcoming|this|next)"
_PART = r"(?:(?P<part>early|mid|late|(?:start|beginning|middle|end) of)[ -](?:the )?)?"

# Words of which every date has one: the rules are compiled, and tried, for texts with such alone.
_NAMES_DAYS = late(
    r"(?i)day|week|fortnight|month|quarter|year|decade|tomorrow|night|morning|afternoon|evening"
    r"|spring|summer|autumn|fall|winter"
    r"|\b(?:\d|jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)"
)


def dates_in(text: str, *, at: str, side: Side = "behind") -> tuple[Dated, ...]:
    """Find the days that a text names, in the text's order, none within another.

    Args:
        text: English words of any length.
        at: the instant that `yesterday` and days without a year are relative to.
        side: on which side of it a day without a year lies; of weekdays the nearest is the last.

    Raises:
        UsageError: `at` is no instant.
    """
    asked = _Asked(day=parse_instant(at).date(), side=side)
    if _NAMES_DAYS.search(text) is None:
        return ()
    found: list[Dated] = []
    for start, stop, days in _longest_first(text, asked):
        if found and start < found[-1].end:
            continue
        begins, days = _anchored(text, start, days)
        while found and found[-1].end > begins:
            found.pop()
        found.append(Dated(begins, stop, _instant(days.first), _instant(days.after)))
    return tuple(found)


def _longest_first(text: str, asked: _Asked) -> list[tuple[int, int, Days]]:
    """Return whatever the rules find, by place; of what begins at one place the longest first."""
    found = [
        (start, stop, days)
        for pattern, read in _rules()
        for start, stop, days in _read(pattern, read, text, asked)
    ]
    return sorted(found, key=lambda one: (one[0], -one[1]))


def _read(
    pattern: LatePattern, read: "_Reader", text: str, asked: _Asked
) -> Iterator[tuple[int, int, Days]]:
    """Yield what one rule finds: its `named` group, else all of it, with its days."""
    for match in pattern.finditer(text):
        groups = match.groupdict()
        try:
            days = read(groups, asked)
        except (ValueError, OverflowError):
            continue
        if days is not None:
            place = match.span("named") if groups.get("named") is not None else match.span()
            yield *place, days


_Reader = Callable[[_Groups, _Asked], Days | None]


def _iso(groups: _Groups, asked: _Asked) -> Days | None:
    """Read 2023-05-08, or 2023-05 as a month."""
    year, month = int(groups["year"] or 0), int(groups["number"] or 0)
    return (
        one_day(Day(year, month, int(groups["day"])))
        if groups["day"]
        else months_of(year, month, 1)
    )


def _numeric(groups: _Groups, asked: _Asked) -> Days | None:
    """Read 25/12/2023 and 12/25/2023, or nothing where both could be meant."""
    one, two, year = (int(groups[name] or 0) for name in ("one", "two", "year"))
    if one == two or one > 12:
        return one_day(Day(year, two, one))
    return one_day(Day(year, one, two)) if two > 12 else None


def _named_day(groups: _Groups, asked: _Asked) -> Days | None:
    """Read 8 May 2023, or 8 May of the year that is meant."""
    month, day = _month_number(groups), int(groups["day"] or 0)
    if groups["month"] in ("may", "march", "mar"):
        return None
    if groups["year"]:
        return one_day(Day(int(groups["year"]), month, day))
    return _of_some_year(asked, lambda year: one_day(Day(year, month, day)))


def _named_month(groups: _Groups, asked: _Asked) -> Days | None:
    """Read May 2023, last May, in May, early May."""
    month = _month_number(groups)
    if groups.get("year"):
        days = months_of(int(groups["year"] or 0), month, 1)
    else:
        days = _by_side(groups.get("side"), asked, lambda year: months_of(year, month, 1))
    return third_of(days, groups.get("part"))


def _named_season(groups: _Groups, asked: _Asked) -> Days | None:
    """Read summer 2022, last summer, in the summer."""
    month = _SEASONS[(groups["season"] or "").lower()]
    if groups.get("year"):
        return months_of(int(groups["year"] or 0), month, 3)
    return _by_side(groups.get("side"), asked, lambda year: months_of(year, month, 3))


def _named_year(groups: _Groups, asked: _Asked) -> Days | None:
    """Read in 2022, or the 1990s."""
    year = int(groups["year"] or 0)
    return third_of(months_of(year, 1, 120 if groups.get("decade") else 12), groups.get("part"))


def _named_weekday(groups: _Groups, asked: _Asked) -> Days | None:
    """Read last Friday, next Friday, this Friday; a bare Friday is the last, or the next."""
    number, side = _weekday_number(groups), (groups.get("side") or "").lower()
    days_on = (number - asked.day.weekday()) % 7
    if side == "this":
        return shifted(one_day(monday(asked.day)), number)
    if side in ("next", "coming", "this coming", "upcoming") or (
        asked.side == "ahead" and not side
    ):
        return shifted(one_day(asked.day), days_on or 7)
    return shifted(one_day(asked.day), days_on - 7 if days_on or side else 0)


def _relative_day(groups: _Groups, asked: _Asked) -> Days | None:
    """Read yesterday and the like."""
    words = " ".join((groups["word"] or "").lower().split())
    by = {"the day before yesterday": -2, "the day after tomorrow": 2, "last night": -1}
    by |= {"yesterday": -1, "tomorrow": 1}
    return shifted(one_day(asked.day), by.get(words, 0))


def _side_unit(groups: _Groups, asked: _Asked) -> Days | None:
    """Read last week, this month, next year, this weekend."""
    side = {"last": -1, "past": -1, "this past": -1, "previous": -1, "this": 0}
    by = side.get((groups["side"] or "").lower(), 1)
    year, month = asked.day.year, asked.day.month
    match _unit(groups):
        case "weekend":
            return weekend_of(asked.day, by)
        case "week":
            first = monday(asked.day)
            return shifted(Days(first, first + datetime.timedelta(7)), 7 * by)
        case "month":
            return months_of(year, month + by, 1)
        case "quarter":
            return months_of(year, (month - 1) // 3 * 3 + 1 + 3 * by, 3)
        case _:
            return months_of(year + by, 1, 12)


def _counted(groups: _Groups, asked: _Asked) -> Days | None:
    """Read three weeks ago, in two days, five months from now: one day each."""
    sign = -1 if groups.get("ago") else 1
    return one_day(moved(asked.day, sign * _count(groups), _unit(groups)))


def _stretch(groups: _Groups, asked: _Asked) -> Days | None:
    """Read the last two weeks: from then to the day itself."""
    if not _count(groups):
        return None
    tomorrow = asked.day + datetime.timedelta(1)
    if (groups["side"] or "").lower() == "next":
        return Days(tomorrow, moved(tomorrow, _count(groups), _unit(groups)))
    return Days(moved(tomorrow, -_count(groups), _unit(groups)), tomorrow)


@functools.cache
def _rules() -> tuple[tuple[LatePattern, _Reader], ...]:
    """Return every way of naming days, with what reads it."""
    before = r"(?:in|since|during|by|until|till|from|of|before|after|around|through|year)"
    wordings: tuple[tuple[str, _Reader], ...] = (
        (r"(?P<year>\d{4})([-/])(?P<number>\d\d?)\2(?P<day>\d\d?)(?!\d)(?:T[\d:.]+Z?)?", _iso),
        (r"(?P<year>(?:19|20)\d\d)-(?P<number>0[1-9]|1[0-2])(?![\d-])(?P<day>)", _iso),
        (r"(?P<one>\d\d?)([/.])(?P<two>\d\d?)\2(?P<year>(?:19|20)\d\d)\b", _numeric),
        (rf"(?:the )?{_DAY}(?: day)?(?: of)?,? {_MONTH}(?:,? (?:of )?{_YEAR})?", _named_day),
        (rf"{_MONTH} (?:the )?{_DAY}(?:(?:,| of)? {_YEAR})?", _named_day),
        (rf"{_PART}{_MONTH},? (?:of )?{_YEAR}", _named_month),
        (rf"{_SIDE} {_MONTH}", _named_month),
        (rf"(?:{before}|last) (?P<named>{_PART}{_MONTH})(?! \d)", _named_month),
        (rf"(?P<part>early|mid|late)[ -]{_MONTH}(?! \d)", _named_month),
        (rf"{_SEASON}(?: of|,)? {_YEAR}", _named_season),
        (rf"{_SIDE} {_SEASON}", _named_season),
        (rf"(?:in|during|over|since) (?P<named>the (?:early |late )?{_SEASON})", _named_season),
        (rf"(?P<part>early|late|mid)[ -]{_YEAR}(?!s)", _named_year),
        (rf"{before} (?P<named>{_YEAR})(?!s)", _named_year),
        (
            r"(?:the )?(?P<year>(?:1[89]|20)\d0)(?P<decade>s)\b",
            _named_year,
        ),
        (rf"{_SIDE} {_WEEKDAY}", _named_weekday),
        (rf"(?:on|since|by|until|till) (?P<named>{_WEEKDAY})(?!s)", _named_weekday),
        (_WHOLE_WEEKDAY, _named_weekday),
        (
            r"(?P<word>the day before yesterday|the day after tomorrow|last night|yesterday|today"
            r"|tonight|tomorrow|this (?:morning|afternoon|evening))\b",
            _relative_day,
        ),
        (rf"(?:the )?{_SIDE} (?P<unit>weekend|week|month|quarter|year)\b", _side_unit),
        (rf"{_COUNT} {_UNIT} (?:(?P<ago>ago|back|earlier)|from (?:now|today))\b", _counted),
        (rf"in (?P<named>{_COUNT} {_UNIT}(?:' time)?)(?! of)", _counted),
        (rf"(?:the )?(?P<side>last|past|next) {_COUNT} {_UNIT}", _stretch),
    )
    return tuple((late(rf"(?i)\b{wording}"), read) for wording, read in wordings)


def _anchored(text: str, start: int, days: Days) -> tuple[int, Days]:
    """Return where words such as `the week before` before a date begin, and the days meant."""
    while (match := _anchor().search(text, max(0, start - _ANCHOR_WIDTH), start)) is not None:
        try:
            days = _beside(match.groupdict(), days)
        except (ValueError, OverflowError):
            break
        start = match.start()
    return start, days


@functools.cache
def _anchor() -> LatePattern:
    """Return what stands before a date that other days are counted from."""
    of = r"(?P<order>first|1st|second|2nd|third|3rd|fourth|last)? ?(?P<of>week|weekend) of"
    how = r"(?P<how>before|prior to|preceding|after|following)"
    what = rf"(?:{_COUNT} )?(?:{_UNIT}|(?P<weekend>weekend)|{_WHOLE_WEEKDAY})"
    part = r"(?P<part>start|beginning|middle|end) of"
    return late(rf"(?i)\b(?:the )?(?:{of}|{what} {how}|{part}) (?:the )?$")


def _beside(groups: _Groups, days: Days) -> Days:
    """Return the days that lie beside or within some days."""
    if groups["part"]:
        return third_of(days, groups["part"])
    if groups["of"]:
        return _within(groups, days)
    ahead = (groups["how"] or "").lower() in ("after", "following")
    anchor = days.after if ahead else days.first
    if groups["weekend"] or groups["weekday"]:
        first = 5 if groups["weekend"] else _weekday_number(groups)
        on = (first - anchor.weekday()) % 7 - (0 if ahead else 7)
        if groups["weekend"] and not ahead and on == -1:
            on -= 7
        beside = anchor + datetime.timedelta(on)
        return Days(beside, beside + datetime.timedelta(2 if groups["weekend"] else 1))
    return _counted_from(groups, days, ahead=ahead)


def _counted_from(groups: _Groups, days: Days, *, ahead: bool) -> Days:
    """Return the day that is so far from some days; without a number, the whole unit beside."""
    unit, sign = _unit(groups), 1 if ahead else -1
    if groups["count"] and groups["count"].lower() not in ("a", "an"):
        return one_day(moved(days.first, sign * _count(groups), unit))
    if unit in ("month", "year"):
        width = 1 if unit == "month" else 12
        start = days.first.month if width == 1 else 1
        return months_of(days.first.year, start + sign * width, width)
    if ahead:
        return Days(days.after, moved(days.after, 1, unit))
    return Days(moved(days.first, -1, unit), days.first)


def _within(groups: _Groups, days: Days) -> Days:
    """Return the week or weekend that days lie in, or the first, second ... or last of them."""
    order = (groups["order"] or "").lower()
    width = datetime.timedelta(7)
    if (groups["of"] or "").lower() == "weekend":
        if not order:
            return weekend_of(days.first, 0)
        first = days.first + datetime.timedelta((5 - days.first.weekday()) % 7)
        if order == "last":
            first = monday(days.after - datetime.timedelta(1)) + datetime.timedelta(5)
            first -= width if first >= days.after else datetime.timedelta(0)
        else:
            first += _ORDINALS[order] * width
        return Days(first, first + datetime.timedelta(2))
    if order == "last":
        return Days(days.after - width, days.after)
    first = days.first + _ORDINALS[order] * width if order else monday(days.first)
    return Days(first, first + width)


def _by_side(side: str | None, asked: _Asked, of_year: Callable[[int], Days]) -> Days:
    """Return the days of the year that last, this or next mean; of the meant one without it."""
    year = asked.day.year
    match (side or "").lower():
        case "":
            return _of_some_year(asked, of_year)
        case "this":
            return of_year(year)
        case "last" | "past" | "this past" | "previous":
            return next(
                days for back in range(3) if (days := of_year(year - back)).after <= asked.day
            )
        case _:
            return next(days for on in range(3) if (days := of_year(year + on)).first > asked.day)


def _of_some_year(asked: _Asked, of_year: Callable[[int], Days]) -> Days:
    """Return the days of the year that the side means which is asked for."""
    found = [of_year(year) for year in _years(asked, of_year)]
    match asked.side:
        case "near":
            return min(found, key=lambda days: abs((days.first - asked.day).days))
        case "ahead":
            late = asked.day - datetime.timedelta(LATE_DAYS)
            return min(days for days in found if days.first >= late or days.after > asked.day)
        case _:
            return max(days for days in found if days.first <= asked.day)


def _years(asked: _Asked, of_year: Callable[[int], Days]) -> Iterator[int]:
    """Yield the years near the asked day that have the days: not each has a 29 February."""
    for year in range(asked.day.year - 4, asked.day.year + 5):
        try:
            of_year(year)
        except ValueError:
            continue
        yield year


def _count(groups: _Groups) -> int:
    """Return how many units are named."""
    words = (groups["count"] or "a").lower().removesuffix(" of").removeprefix("a ")
    if words in _VAGUE:
        return _VAGUE[words]
    count = numerals.number_of(words)
    if count is None:
        raise ValueError(f"{words} is no number")
    return count


def _unit(groups: _Groups) -> str:
    return (groups["unit"] or "").lower()


def _month_number(groups: _Groups) -> int:
    return _MONTHS.index((groups["month"] or "").lower()[:3]) + 1


def _weekday_number(groups: _Groups) -> int:
    return _WEEKDAYS.index((groups["weekday"] or "").lower()[:3])


def _instant(day: Day) -> str:
    return f"{day.isoformat()}T00:00:00Z"
