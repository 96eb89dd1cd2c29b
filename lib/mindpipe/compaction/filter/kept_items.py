"""The items of a foreign document whose cycles stay: as they were read, or written anew."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec

from mindpipe.core.messages import Message, Part, Role, ThinkingPart
from mindpipe.formats.slices import elements_of

Render = Callable[[Sequence[Message]], Iterable[bytes]]
"""Writes messages as items of the document's form."""

Items = Mapping[str, Sequence[str]]
"""The exact text of the items that each message was read from, by its id."""


def parted(
    said: Iterable[Message], sources: Mapping[str, bytes]
) -> tuple[tuple[Message, ...], Items]:
    """Return messages with the items of each; those are apart again that an import joined.

    Where people speak one after the other before anybody answers, each of their messages becomes a
    cycle of its own, so that it may leave the window alone.
    """
    apart: list[Message] = []
    items: dict[str, Sequence[str]] = {}
    added = 0
    for message in said:
        own = elements_of(sources.get(message.id, b"[]").decode())
        pieces = _pieces(message, own)
        for place, (part, item) in enumerate(pieces, 1):
            name = message.id if place == len(pieces) else f"{message.id}.{place}"
            apart.append(_moved(message, added, id=name, parts=(part,)))
            items[name] = (item,)
            added += place < len(pieces)
        if not pieces:
            apart.append(_moved(message, added, id=message.id, parts=message.parts))
            items[message.id] = own
    return tuple(apart), items


def _pieces(message: Message, items: Sequence[str]) -> list[tuple[Part, str]]:
    """Return the parts of a user's message that came from as many items, each with its item."""
    if message.role is not Role.USER or not 1 < len(items) == len(message.parts):
        return []
    return list(zip(message.parts, items, strict=True))


def _moved(message: Message, places: int, *, id: str, parts: tuple[Part, ...]) -> Message:
    """Return a message some places and cycles later."""
    return msgspec.structs.replace(
        message, id=id, seq=message.seq + places, cycle=message.cycle + places, parts=parts
    )


def kept_items(
    sent: Iterable[Message], said: Iterable[Message], items: Items, render: Render
) -> Iterator[bytes]:
    """Yield the items of the cycles that are sent.

    A cycle comes as it was read. It is written anew where stubs stand in it, or reasoning that
    rests on what is no longer sent.
    """
    known = {message.id: message.parts for message in said}
    for _, own in groupby(sent, key=lambda message: message.cycle):
        cycle = list(own)
        texts = [text for message in cycle for text in items.get(message.id, ())]
        if texts and all(_as_read(message, known) for message in cycle):
            yield from (text.encode() for text in texts)
        else:
            yield from render(cycle)


def _as_read(message: Message, known: Mapping[str, tuple[Part, ...]]) -> bool:
    """Tell whether a message says what it said, with no reasoning in it."""
    reasons = any(isinstance(part, ThinkingPart) for part in message.parts)
    return not reasons and known.get(message.id) == message.parts
