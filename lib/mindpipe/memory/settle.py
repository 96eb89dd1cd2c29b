"""Given lines as they are kept: ids, instants, and the characters that are quoted."""

import functools
from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.core.instants import normal_instant
from mindpipe.core.sources import claimed, joined, speakers, untrusted
from mindpipe.memory.records import (
    GivenItem,
    Item,
    ItemFilter,
    Lesson,
    NewItem,
    NewLesson,
    NewReflection,
    QuotedSpan,
    Reflection,
)


@functools.lru_cache(maxsize=4096)
def instant(text: str) -> str:
    """Return an instant in the stored form; raises UsageError for what is none."""
    return normal_instant(text)


def under_source(given: GivenItem, source: str, *, trust: Iterable[str]) -> GivenItem:
    """Return an item as it is given under the words of a source, as its agent trusts that.

    Of one that nobody vouches for no line is the operator's, and whom it names as its speaker it
    only claims to be of.
    """
    claims = joined(map(claimed, given.sources))
    if not untrusted((source,), trust):
        return msgspec.structs.replace(
            given, trusted=joined(given.trusted, (source,)), sources=claims
        )
    return msgspec.structs.replace(
        given,
        speaker=None,
        claimed_speaker=given.claimed_speaker or given.speaker,
        origin="human" if given.origin == "operator" else given.origin,
        vouched=True,
        sources=joined(claims, (source,)),
    )


def settle_item(given: NewItem, *, id: str, agent: str | None, now: str) -> Item:
    """Return an item without faults as it is kept: its id is its own, else its key, else `id`."""
    learnt = now if given.learnt is None else instant(given.learnt)
    state = given if isinstance(given, GivenItem) else _NEW
    said_by = speakers(given.speaker, given.claimed_speaker, given.sources)
    return Item(
        id=given.id or given.key or id,
        kind=given.kind,
        text=given.text,
        at=learnt if given.at is None else instant(given.at),
        until=given.until and instant(given.until),
        learnt=learnt,
        speaker=said_by.known,
        claimed_speaker=said_by.claimed,
        subject=given.subject,
        session=given.session,
        entities=given.entities,
        tags=given.tags,
        significance=given.significance,
        span=given.span,
        origin=given.origin,
        sources=given.sources,
        trusted=given.trusted,
        vouched=None if given.vouched is None else not given.sources,
        key=given.key,
        agent=agent,
        archived=state.archived and instant(state.archived),
        retracted=state.retracted and instant(state.retracted),
        recalled=state.recalled,
        recalled_at=state.recalled_at and instant(state.recalled_at),
    )


_NEW = GivenItem(text="new")


def settle_lesson(given: NewLesson, id: str, now: str) -> Lesson:
    """Return a lesson without faults as it is kept, nobody's yet."""
    fields = {name: getattr(given, name) for name in NewLesson.__struct_fields__}
    fields.update(id=id, learnt=settle_instant(given.learnt) or now)
    fields["outcomes"] = tuple(
        msgspec.structs.replace(one, at=instant(one.at)) for one in given.outcomes
    )
    return Lesson(**fields, retracted=taken_back(given))


def settle_reflection(given: NewReflection, id: str, now: str) -> Reflection:
    """Return a reflection without faults as it is kept, nobody's yet."""
    fields = {name: getattr(given, name) for name in NewReflection.__struct_fields__}
    fields.update(id=id, since=instant(given.since), until=instant(given.until))
    fields.update(learnt=settle_instant(given.learnt) or now)
    return Reflection(**fields, retracted=taken_back(given))


def settle_instant(given: str | None) -> str | None:
    """Return an instant in the stored form, or None for none."""
    return None if given is None else instant(given)


def settle_filter(wanted: ItemFilter) -> ItemFilter:
    """Return a filter with its instants in the stored form; raises UsageError."""
    return msgspec.structs.replace(
        wanted,
        since=settle_instant(wanted.since),
        until=settle_instant(wanted.until),
        as_of=settle_instant(wanted.as_of),
    )


def taken_back(given: msgspec.Struct) -> str | None:
    """Return since when something that is given was taken back where it was printed, or None."""
    return settle_instant(getattr(given, "retracted", None))


def then(item: Item, *, as_of: str | None) -> Item:
    """Return an item with the status that it had at an instant, or None for now."""
    if as_of is None:
        return item
    aside = {
        name: None for name in ("archived", "retracted") if (getattr(item, name) or "") > as_of
    }
    return msgspec.structs.replace(item, **aside) if aside else item


_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PLACES = 8
_LENGTH = len("it_") + 22
_PAIRS = tuple(one + two for one in _ALPHABET for two in _ALPHABET)


def stem(random_id: str) -> str:
    """Return what the ids of one addition begin with, from an id that chance made."""
    return random_id[: _LENGTH - _PLACES]


def item_ids(begin: str, first: int, count: int) -> list[str]:
    """Return the ids of so many items from number `first` on."""
    made: list[str] = []
    while len(made) < count:
        high, low = divmod(first + len(made), len(_PAIRS))
        front = f"{begin}{_four(high // len(_PAIRS))}{_PAIRS[high % len(_PAIRS)]}"
        made += [front + end for end in _PAIRS[low : low + count - len(made)]]
    return made


def _four(number: int) -> str:
    """Return a number below 62^4 as four digits."""
    high, low = divmod(number, 62**2)
    return _PAIRS[high] + _PAIRS[low]


def place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Return the first and the first following character of a quote in a text, or None.

    Only exactly the same characters count; blank words quote nothing.
    """
    start = text.find(quote) if quote.strip() else -1
    return None if start < 0 else (start, start + len(quote))


def holds(span: QuotedSpan, log: str) -> bool:
    """Tell whether a span's words stand at its place in its message's searched text."""
    return bool(span.quote) and log[span.start : span.end] == span.quote


def holder_of(item: Item, others: Sequence[Item]) -> int | None:
    """Return the number of the one of other items in whose words an item's words stand, or None."""
    mine = item.span
    for number, one in enumerate(others):
        span = one.span
        if span is None or mine is None or span.message != mine.message:
            continue
        if span.start <= mine.start and mine.end <= span.end:
            return number
    return None
