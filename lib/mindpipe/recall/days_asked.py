"""The days that a question names: ranges joined, and which of its words only say when.

`between 1 June and 10 June 2026` is one run of days; an end without a year lies beside the other.
Words such as `last week`, once that has begun, name days and are nothing that a row says: they are
not looked for. Months, seasons, weekdays, and the numbers beside a month are, since every row is
found by the words of its own day; those of a range are not, which only name its ends. A day that is
written in numbers is looked for in words as well.
"""

import re
from collections.abc import Sequence

from mindpipe.core.dates_in_words import Dated, dates_in
from mindpipe.recall.row_words import day_in_words

_OPENS = re.compile(r"\b(?:between|from) (?:the )?$", re.IGNORECASE)
_RANGE = re.compile(r"(?:between|from) ", re.IGNORECASE)
_JOINS = re.compile(r",? (?:and|to|until|till|through) (?:the )?", re.IGNORECASE)
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*"
_WORD = re.compile(r"[^\W_]+")
_ALWAYS_SAID = re.compile(
    rf"{_MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter"
    r"|(?:1[89]|20|21)\d\d",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1[89]|20|21)\d\d\b")
_DATES = re.compile(rf"\b{_MONTH}\b|{_YEAR.pattern}", re.IGNORECASE)
_IN_NUMBERS = re.compile(r"[\dTZ:./-]+")


def days_asked(text: str, *, at: str) -> tuple[Dated, ...]:
    """Return the days that a question names, at the instant that it is asked, ranges as one.

    Raises:
        UsageError: `at` is no instant.
    """
    found: list[Dated] = []
    for one in dates_in(text, at=at):
        joined = _range(text, found[-1], one) if found else None
        if joined is None:
            found.append(one)
        else:
            found[-1] = joined
    return tuple(found)


def words_beside_days(text: str, days: Sequence[Dated], *, at: str) -> str:
    """Return a question without the words that only say when; `at` is when it is asked."""
    parts: list[str] = []
    end = 0
    for one in days:
        parts += [text[end : one.start], _looked_for(text, one, at=at)]
        end = one.end
    return " ".join([*parts, text[end:]])


def _looked_for(text: str, one: Dated, *, at: str) -> str:
    """Return the words that are looked for in the place of those that name days."""
    words = text[one.start : one.end]
    if _IN_NUMBERS.fullmatch(words) and len(words) >= len("2026-6-7"):
        return f"{words} {day_in_words(one.since[:10])}"
    if one.since > at or _is_quoted(text, one):
        return words
    return _said(words)


def _range(text: str, first: Dated, last: Dated) -> Dated | None:
    """Return the days from the first of some to the last of others, where a text joins both."""
    opened = _OPENS.search(text, 0, first.start)
    if opened is None or not _JOINS.fullmatch(text, first.end, last.start):
        return None
    since, until = first.since, last.until
    if not _YEAR.search(text, first.start, first.end):
        since = _again(text, first, at=last.since).since if since >= until else since
    elif not _YEAR.search(text, last.start, last.end):
        until = _again(text, last, at=since, ahead=True).until
    return Dated(opened.start(), last.end, since, until) if since < until else None


def _again(text: str, one: Dated, *, at: str, ahead: bool = False) -> Dated:
    """Return the days that words name where they are said at another instant."""
    (found, *_) = (*dates_in(text[one.start : one.end], at=at, ahead=ahead), one)
    return found


def _is_quoted(text: str, one: Dated) -> bool:
    """Tell whether words stand in double quotes, so that they are meant as they are."""
    return len(re.findall(r"[\"“”]", text[: one.start])) % 2 == 1


def _said(words: str) -> str:
    """Return those of the words of a date that rows hold."""
    if _RANGE.match(words):
        return ""
    numbers = _DATES.search(words) is not None
    return " ".join(
        word
        for word in _WORD.findall(words)
        if _ALWAYS_SAID.fullmatch(word) or (numbers and word[0].isdigit())
    )
