"""Which messages a window sends, and how those look that are sent with stubs."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.compaction.records import Masked, Overlay, Stub
from mindpipe.compaction.wording import covered_ranges
from mindpipe.core.messages import Message, ResultPart


def sent_messages(messages: Iterable[Message], parts: Overlay) -> tuple[Message, ...]:
    """Return the messages that a window sends, in their order, those behind its end included.

    A cycle is sent unless a summary covers it; results that have a stub are sent as the stub.
    """
    covered = covered_ranges(parts)
    stubs = {part.cycle: part.stubs for part in parts if isinstance(part, Masked)}
    return tuple(
        stubbed(message, stubs.get(message.cycle, ()))
        for message in messages
        if not is_covered(message.cycle, covered)
    )


def is_covered(cycle: int, covered: Sequence[tuple[int, int]]) -> bool:
    """Tell whether one of the ranges, which are in order, holds a cycle."""
    place = bisect_right(covered, cycle, key=lambda one: one[0]) - 1
    return place >= 0 and cycle <= covered[place][1]


def stubbed(message: Message, stubs: Sequence[Stub]) -> Message:
    """Return a message with stubs in place of the results that they stand for."""
    texts = {stub.call: stub.text for stub in stubs}
    if not texts or not any(
        isinstance(part, ResultPart) and part.call in texts for part in message.parts
    ):
        return message
    parts = tuple(
        msgspec.structs.replace(part, text=texts[part.call], json=None)
        if isinstance(part, ResultPart) and part.call in texts
        else part
        for part in message.parts
    )
    return msgspec.structs.replace(message, parts=parts)


def cleared(messages: Iterable[Message], stubs: Sequence[Stub]) -> tuple[Message, ...]:
    """Return those messages that have results with a stub, and of them these results alone."""
    calls = {stub.call for stub in stubs}
    found: list[Message] = []
    for message in messages:
        own = [part for part in message.parts if isinstance(part, ResultPart)]
        if hidden := tuple(part for part in own if part.call in calls):
            found.append(msgspec.structs.replace(message, parts=hidden))
    return tuple(found)
