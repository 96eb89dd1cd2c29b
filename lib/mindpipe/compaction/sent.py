"""Which messages a window sends, the summary as the first of them, results as stubs."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.compaction.records import Masked, Overlay, Stub, Summary
from mindpipe.compaction.window_text import covered_ranges
from mindpipe.core.messages import FilePart, Message, ResultPart, Role, TextPart
from mindpipe.providers.items import import_id


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
    """Return a message with stubs in place of the results that they stand for, and of its files."""
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
        if not isinstance(part, FilePart)
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


def opening_message(
    text: str, parts: Overlay, *, agent: str, segment: int, tainted: bool
) -> Message:
    """Return the summary `text` of a window as the first of its messages.

    It stands at the place of the first cycle and message that are covered; `tainted` if anything
    covered is. Its id is made from the agent and the text.
    """
    folded = [part for part in parts if isinstance(part, Summary)]
    return Message(
        id=import_id("m", agent, "summary", text),
        agent=agent,
        seq=folded[0].first_seq,
        segment=segment,
        cycle=folded[0].first,
        turn=0,
        role=Role.USER,
        parts=(TextPart(text=text),),
        taint=tainted,
        at=folded[-1].ended,
    )
