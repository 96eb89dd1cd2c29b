"""Settle what is given: faults named, defaults filled in, instants in the one stored form.

What is given without a time was true when it was learnt, and learnt now.
"""

import functools
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import normal_instant
from mindpipe.core.text import breaks_a_line, is_blank
from mindpipe.memory.records import ITEM_BYTES, GivenItem, Item, ItemFilter, NewItem, Span

T = TypeVar("T")
Fault = tuple[str, str]
"""The path of a field, and what is wrong with it."""

_WORDS = ("id", "key", "speaker", "subject", "session")
_TIMES = ("at", "until", "learnt", "archived", "retracted", "recalled_at")
_LATER = (("until", "at"), ("archived", "learnt"), ("retracted", "learnt"))


@functools.lru_cache(maxsize=4096)
def instant(text: str) -> str:
    """Return an instant in the stored form; raises UsageError for what is none."""
    return normal_instant(text)


def item_faults(given: NewItem) -> list[Fault]:
    """Return all that is wrong with an item beyond the shape of its fields, in their order."""
    return [
        *text_faults("$.text", given.text),
        *word_faults(given),
        *time_faults(given),
        *_span_faults(given.span),
    ]


def text_faults(field: str, text: str) -> Iterator[Fault]:
    """Yield what keeps a text from being stored: empty, too long, or with NUL in it."""
    if is_blank(text):
        yield field, "is empty; give it some words"
    elif len(text) * 4 > ITEM_BYTES and len(text.encode()) > ITEM_BYTES:
        yield field, f"longer than {ITEM_BYTES} bytes; split it"
    elif "\x00" in text:
        yield field, "holds a NUL; remove it"


def word_faults(given: msgspec.Struct) -> Iterator[Fault]:
    """Yield the names that are no single line: these stand in prompts and tables."""
    for name in _WORDS:
        if (word := getattr(given, name, None)) and breaks_a_line(word):
            yield f"$.{name}", "must be one line of plain characters"
    for name in ("entities", "tags", "aliases"):
        for place, word in enumerate(getattr(given, name, ())):
            if breaks_a_line(word):
                yield f"$.{name}[{place}]", "must be one line of plain characters"


def time_faults(given: msgspec.Struct) -> Iterator[Fault]:
    """Yield the times that are none, and those that contradict another."""
    read: dict[str, str] = {}
    for name in ("since", *_TIMES):
        text: str | None = getattr(given, name, None)
        if text is None:
            continue
        try:
            read[name] = instant(text)
        except UsageError as error:
            yield f"$.{name}", str(error)
    for later, earlier in (*_LATER, ("until", "since")):
        if later in read and earlier in read and read[later] < read[earlier]:
            yield f"$.{later}", f"{read[later]} is before $.{earlier}, {read[earlier]}"


def _span_faults(span: Span | None) -> Iterator[Fault]:
    """Yield what contradicts itself in a span."""
    if span is not None and len(span.quote) != span.end - span.start:
        yield "$.span", f"has {len(span.quote)} characters quoted from {span.start} to {span.end}"


def settle_item(given: NewItem, *, id: str, agent: str | None, now: str) -> Item:
    """Return an item without faults as it is kept: its id is its own, else its key, else `id`."""
    learnt = now if given.learnt is None else instant(given.learnt)
    item = Item(
        id=given.id or given.key or id,
        kind=given.kind,
        text=given.text,
        at=learnt if given.at is None else instant(given.at),
        until=settle_instant(given.until),
        learnt=learnt,
        speaker=given.speaker,
        subject=given.subject,
        session=given.session,
        entities=given.entities,
        tags=given.tags,
        significance=given.significance,
        span=given.span,
        origin=given.origin,
        sources=given.sources,
        key=given.key,
        agent=agent,
    )
    return _with_state(item, given) if isinstance(given, GivenItem) else item


def _with_state(item: Item, given: GivenItem) -> Item:
    """Return an item with what had become of the one that was printed."""
    return msgspec.structs.replace(
        item,
        archived=settle_instant(given.archived),
        retracted=settle_instant(given.retracted),
        recalled=given.recalled,
        recalled_at=settle_instant(given.recalled_at),
    )


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
