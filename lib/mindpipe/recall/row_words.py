"""The words that something is found by: its own, who said it, of whom, and the day in words."""

import calendar
import datetime
import functools

from mindpipe.recall.spelling import folded

_MONTH_NAMES = """January February March April May June July August September October November
December"""
_MONTHS = tuple(_MONTH_NAMES.split())
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def row_words(text: str, *, at: str, speaker: str | None, subject: str | None) -> str:
    """Return the words of a row, folded: text, speaker, subject, and `2023 may 8 monday`."""
    return folded(" ".join(filter(None, (text, speaker, subject, day_in_words(at[:10])))))


@functools.lru_cache(maxsize=4096)
def day_in_words(day: str) -> str:
    """Return a day (`2023-05-08`) as year, month, day of the month and weekday in English."""
    date = datetime.date.fromisoformat(day)
    return f"{date.year} {_MONTHS[date.month - 1]} {date.day} {_WEEKDAYS[date.weekday()]}"


def runs_in_words(first: datetime.date, after: datetime.date) -> list[str]:
    """Return what the rows of some days have side by side: `2023`, `2023 May` or `2023 May 8`.

    Each is the longest whole year, whole month or day; `after` is the first day that is out.
    """
    words: list[str] = []
    day = first
    while day < after:
        year, month, number, _ = day_in_words(day.isoformat()).split()
        in_month = calendar.monthrange(day.year, day.month)[1]
        runs = (
            (365 + calendar.isleap(day.year), [year], day.month == day.day == 1),
            (in_month, [year, month], day.day == 1),
            (1, [year, month, number], True),
        )
        length, said = next(
            (length, said)
            for length, said, begins in runs
            if begins and day.toordinal() + length <= after.toordinal()
        )
        words.append(" ".join(said))
        day += datetime.timedelta(length)
    return words
