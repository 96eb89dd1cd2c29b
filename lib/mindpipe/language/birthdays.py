"""Birthdays by the day on which somebody has one: `yesterday was my 30th birthday`."""

import datetime
import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.language.dates import dates_in
from mindpipe.language.numerals import WORDS, number_of

_DAY = r"(?P<{0}>today|yesterday|(?:on |last |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_MINE = r"my (?:(?P<nth>\d{1,3})(?:st|nd|rd|th) )?birthday"
_TOLD = re.compile(
    rf"(?i)(?:^|[,;.!–—-]\s*|\b(?:and|so|because) )"
    rf"(?:{_DAY.format('before')} (?:was|is) {_MINE}|"
    rf"{_MINE.replace('nth', 'nth_2')} was {_DAY.format('behind')}|"
    rf"it(?:['’]?s| is| was) {_MINE.replace('nth', 'nth_3')}(?: {_DAY.format('at')})?)"
    rf"(?=\s*(?:[,.;!:(–—-]|and\b|so\b|$))"
    rf"(?:,? (?:(?:and )?i['’]?m |i am )?(?P<age>\d{{2,3}}|{WORDS})(?=[\s]*(?:[,.;!]|now\b|"
    rf"years\b|$)))?"
)


class Birthday(NamedTuple):
    """The day, as `12 September`, and how old somebody became, None where it is not said."""

    day: str
    years: int | None
    since: str


def birthdays_in(sentence: str, *, at: str) -> Iterator[Birthday]:
    """Yield the birthdays that a sentence tells of its speaker, by days around an instant."""
    for found in _TOLD.finditer(sentence) if at and "birthday" in sentence.lower() else ():
        named = found["before"] or found["behind"] or found["at"] or "today"
        days = dates_in(named, at=at)
        if not days:
            continue
        day = datetime.date.fromisoformat(days[0].since[:10])
        if (
            days[0].since[:10] == at[:10]
            and named.lower().endswith("day")
            and named.lower() != "today"
        ):
            continue  # "friday was my birthday", said on a Friday: this one or the last
        said = found["nth"] or found["nth_2"] or found["nth_3"] or found["age"]
        yield Birthday(f"{day.day} {day:%B}", number_of(said) if said else None, days[0].since)
