"""One item of a piece: its place in the log, its kind, whom it is about, and when it was true."""

import datetime
import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.language.dates import Dated
from mindpipe.language.guards import clause_meant, sentence_meant
from mindpipe.language.names import in_first_person, names_in
from mindpipe.language.records import Statement
from mindpipe.language.times import told_days
from mindpipe.memory.extraction.records import SpeakerWords
from mindpipe.memory.records import Item, QuotedSpan

MAX_DATES = 3
"""No item has more tags of dates."""


PLANNED = "planned"
"""The tag of a passage that states what is to be, and how a clause is meant that does."""


class FoundItem(NamedTuple):
    """What was found out about a passage: `claims`, that it says what is so; its tags no dates."""

    tags: tuple[str, ...]
    subject: str | None
    names: tuple[str, ...]
    significance: float
    claims: bool = True


def told_item(said: SpeakerWords, start: int, end: int, *, found: FoundItem) -> Item:
    """Return the item of some characters of a piece, which it quotes from the log.

    Its id is that of the place, the same whoever finds it.
    """
    words = said.text[start:end]
    is_planned = PLANNED in found.tags
    dates = dates_of(words, said.at, is_planned=is_planned)
    first, after, quote = said.span(start, end)
    return Item(
        id=_id(said.message, first, after),
        kind="semantic" if found.claims else "episodic",
        text=words,
        at=said.at if found.claims or is_planned else _at(said.at, words, dates),
        learnt=said.learnt or said.at,
        speaker=said.speaker,
        claimed_speaker=said.claimed_speaker,
        subject=found.subject,
        session=said.session,
        entities=found.names,
        tags=tuple(dict.fromkeys((*found.tags, *map(_date_tag, dates[:MAX_DATES])))),
        significance=found.significance,
        span=QuotedSpan(message=said.message, start=first, end=after, quote=quote),
        origin=said.origin,
        sources=said.sources,
        trusted=said.trusted,
        vouched=not said.sources,
    )


def subject_of(text: str, *, speaker: str | None, claims: Iterable[Statement] = ()) -> str | None:
    """Return whom a passage is about: of whom its claims are, who speaks of himself, or its name.

    None where it claims things of several, or none of these is there.
    """
    subjects = {one.subject for one in claims}
    if subjects:
        return (subjects.pop() or None) if len(subjects) == 1 else None
    if in_first_person(text):
        return speaker
    return next((name for name in names_in(text) if text.startswith(name)), None)


def dates_of(text: str, at: str, *, is_planned: bool = False) -> tuple[Dated, ...]:
    """Return the dates of a passage, each on the side of its instant that its words point to.

    One of which they do not tell lies ahead where the passage tells of what is to come.
    """
    return told_days(text, at=at, otherwise="ahead" if is_planned else "near", done="behind")


def _at(at: str, text: str, dates: tuple[Dated, ...]) -> str:
    """Return when what a passage tells was: on the one past day that it names, else as it is said.

    What is only planned, asked or imagined was on no day.
    """
    if len(dates) != 1 or dates[0].until > at or clause_meant(text) or sentence_meant(text):
        return at
    return dates[0].since


def _date_tag(dated: Dated) -> str:
    """Return the tag of a date: a day, a month, a year, or the first and the last day."""
    first, after = dated.since[:10], dated.until[:10]
    last = _before(after)
    if first == last:
        return f"date:{first}"
    if first.endswith("-01") and after.endswith("-01") and last[:7] == first[:7]:
        return f"date:{first[:7]}"
    if first.endswith("-01-01") and last == f"{first[:4]}-12-31":
        return f"date:{first[:4]}"
    return f"date:{first}/{last}"


def _before(day: str) -> str:
    """Return the day before a day."""
    return (datetime.date.fromisoformat(day) - datetime.timedelta(1)).isoformat()


def _id(message: str, start: int, end: int) -> str:
    """Return the id of what stands at a place of the log: the same whoever finds it."""
    octets = hashlib.sha256(f"{message}\n{start}\n{end}".encode()).hexdigest()
    return f"it_{octets[:22]}"
