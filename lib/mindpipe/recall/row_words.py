"""The words that something is found by: its own, who said it, of whom, and the day in words."""

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
