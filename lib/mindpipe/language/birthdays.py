"""Birthdays by the day on which somebody has one: `yesterday was my 30th birthday`."""

import datetime
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.patterns import late
from mindpipe.language.dates import dates_in
from mindpipe.language.guards import clause_meant, taken_back
from mindpipe.language.numerals import WORDS, number_of

_DAY = r"(?P<{0}>today|yesterday|(?:on |last |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_MINE = r"my (?:(?P<nth>\d{1,3})(?:st|nd|rd|th) )?birthday"
_TOLD = late(
    rf"(?i)(?:^|[,;.!–—-]\s*|\b(?:and|so|because) )"
    rf"(?:{_DAY.format('before')} (?P<is>was|is) {_MINE}|"
    rf"{_MINE.replace('nth', 'nth_2')} was {_DAY.format('behind')}|"
    rf"it(?P<it>['’]?s| is| was) {_MINE.replace('nth', 'nth_3')}(?: {_DAY.format('at')})?)"
    rf"(?=\s*(?:[,.;!:(–—-]|and\b|so\b|$))"
    rf"(?:,? (?:(?:and )?i['’]?m |i am )?(?P<age>\d{{2,3}}|{WORDS})(?=[\s]*(?:[,.;!]|now\b|"
    rf"years old\b|$)))?"
)

_WEEK = 7


class Birthday(NamedTuple):
    """The day, as `12 September`, and how old somebody became, None where it is not said."""

    day: str
    years: int | None
    since: str


def birthdays_in(sentence: str, *, at: str) -> Iterator[Birthday]:
    """Yield the birthdays that a sentence tells of its speaker, by days around an instant.

    Of one that is yet to be the day is told, and no age.
    """
    for found in _TOLD.finditer(sentence) if at and "birthday" in sentence.lower() else ():
        if clause_meant(sentence[: found.end()]) or taken_back(sentence[found.end() :]):
            continue
        was = "was" in (found["is"] or found["it"] or "was").lower()
        named = (found["before"] or found["behind"] or found["at"] or "").lower()
        if not named and was:
            continue  # "it was my birthday": on which day?
        days = dates_in(named or "today", at=at, side="behind" if was else "ahead")
        if not days:
            continue
        since = days[0].since
        day, today = (datetime.date.fromisoformat(one[:10]) for one in (since, at))
        if (day == today and named not in ("", "today")) or (day - today).days == _WEEK:
            continue  # "friday was my birthday", said on a Friday: this one or the last
        ahead = day > today
        if ahead and was:
            continue
        said = found["nth"] or found["nth_2"] or found["nth_3"] or found["age"]
        years = number_of(said) if said and not ahead else None
        yield Birthday(f"{day.day} {day:%B}", years, since)
