"""One item of a piece: its place in the log, its kind, and when it was true."""

import datetime
import functools
import hashlib
import re
from typing import NamedTuple

from mindpipe.core.dates import Dated, dates_in
from mindpipe.core.instants import later
from mindpipe.memory.extraction.records import SpeakerWords
from mindpipe.memory.records import Item, ItemKind, QuotedSpan

MAX_DATES = 3
"""No item has more tags of dates."""
_EPISODIC = frozenset({"event", "decision", "promise", "plan"})
_LASTING = frozenset({"preference", "state", "relation", "fact"})
_LONG_AGO_DAYS = 270


class FoundItem(NamedTuple):
    """What was found out about a statement; its tags say no dates."""

    tags: tuple[str, ...]
    subject: str | None
    names: tuple[str, ...]
    significance: float


def told_item(said: SpeakerWords, start: int, end: int, *, found: FoundItem) -> Item:
    """Return the item of some characters of a piece, which it quotes from the log.

    Its id is that of the place, the same whoever finds it.
    """
    words = said.text[start:end]
    dates = dates_of(words, said.at)
    first, after, quote = said.span(start, end)
    return Item(
        id=_id(said.message, first, after),
        kind=_kind(found.tags),
        text=words,
        at=_at(said.at, found.tags, dates),
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


def dates_of(sentence: str, at: str) -> tuple[Dated, ...]:
    """Return the dates of a sentence; one without a year lies ahead where all tells of that.

    So it does where the sentence tells of what is to come, and where it else were long past.
    """
    past = dates_in(sentence, at=at)
    near = dates_in(sentence, at=at, ahead=True) if past else ()
    if len(near) != len(past) or _will().search(sentence):
        return near
    long_ago = later(at, seconds=-_LONG_AGO_DAYS * 86400)
    return tuple(on if one.since < long_ago else one for one, on in zip(past, near, strict=True))


def _kind(tags: tuple[str, ...]) -> ItemKind:
    """Return what kind of memory a statement is."""
    if "lesson" in tags:
        return "procedural"
    if _LASTING & set(tags) and not _EPISODIC & set(tags):
        return "semantic"
    return "episodic" if _EPISODIC & set(tags) else "semantic"


def _at(at: str, tags: tuple[str, ...], dates: tuple[Dated, ...]) -> str:
    """Return when a statement was true: an event on its day, else when it was said."""
    told = [one.since for one in dates if one.since <= at < one.until or one.until <= at]
    if "event" not in tags or not told or any(one.since <= at < one.until for one in dates[:1]):
        return at
    return told[0]


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


@functools.cache
def _will() -> re.Pattern[str]:
    """Return what shows that a sentence tells of what is to come."""
    return re.compile(
        r"(?i)\b(?:will|going to|gonna|plan(?:ning|s)?|upcoming|deadline|due|until)\b|['’]ll\b"
    )
