"""Settle what is given: defaults filled in, instants in the one stored form.

What is given without a time was true when it was learnt, and learnt now.
"""

import functools

import msgspec

from mindpipe.core.instants import normal_instant
from mindpipe.memory.records import GivenItem, Item, ItemFilter, NewItem


@functools.lru_cache(maxsize=4096)
def instant(text: str) -> str:
    """Return an instant in the stored form; raises UsageError for what is none."""
    return normal_instant(text)


def settle_item(given: NewItem, *, id: str, agent: str | None, now: str) -> Item:
    """Return an item without faults as it is kept: its id is its own, else its key, else `id`."""
    learnt = now if given.learnt is None else instant(given.learnt)
    state = given if isinstance(given, GivenItem) else _NEW
    return Item(
        id=given.id or given.key or id,
        kind=given.kind,
        text=given.text,
        at=learnt if given.at is None else instant(given.at),
        until=given.until and instant(given.until),
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
        trusted=given.trusted,
        key=given.key,
        agent=agent,
        archived=state.archived and instant(state.archived),
        retracted=state.retracted and instant(state.retracted),
        recalled=state.recalled,
        recalled_at=state.recalled_at and instant(state.recalled_at),
    )


_NEW = GivenItem(text="new")


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
