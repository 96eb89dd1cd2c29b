"""Stubs: the line that is sent in place of a cleared tool result, and messages that have some."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.compaction.anchors import READ_CHARACTERS, names_in
from mindpipe.compaction.records import Masked, Overlay, Stub
from mindpipe.compaction.task import Count, CycleInView
from mindpipe.compaction.window_text import covered_ranges, one_line
from mindpipe.core.messages import CallPart, Message, ResultPart, ResultStatus
from mindpipe.history.rows import result_text
from mindpipe.providers.words import FAILED

LEAST_SAVED = 16
"""A result is masked only where its stub is shorter by at least as many tokens."""
SHOWN_ERROR = 160
"""Most characters of the first line of an error that its stub repeats."""
SHOWN_NAMES = 5
"""Most paths, addresses and ids of a result that its stub repeats: the first ones."""
HASH_DIGITS = 12
NEWEST_RESULTS = 3
"""So many of the newest results stay as they are, where there is room for them."""


def stubs_of(lived: CycleInView, count: Count, *, stored: bool) -> tuple[Stub, ...]:
    """Return stubs for all results of a cycle that are worth one, in their order.

    Only what is `stored` can be fetched back with a tool; else a stub names the cycle alone.
    """
    tools = {
        part.id: part.tool
        for message in lived.messages
        for part in message.parts
        if isinstance(part, CallPart)
    }
    where = f"read_history(cycle={lived.cycle}) shows it"
    if not stored:
        where = f"it is in cycle {lived.cycle} of the full history"
    return tuple(
        stub
        for message in lived.messages
        for part in message.parts
        if isinstance(part, ResultPart)
        if (stub := _stub(part, tools.get(part.call, "tool"), where, count)) is not None
    )


def newest_results(cycles: Sequence[CycleInView], most: int) -> set[str]:
    """Return the ids of the calls with the newest results, at most so many."""
    calls = [
        part.call
        for one in cycles
        for message in one.messages
        for part in message.parts
        if isinstance(part, ResultPart)
    ]
    return set(calls[max(0, len(calls) - most) :])


def _stub(part: ResultPart, tool: str, where: str, count: Count) -> Stub | None:
    """Return the stub of one result, or None where it would save too little."""
    words = result_text(part)
    if len(words) < 2 * LEAST_SAVED or part.status is ResultStatus.TICKETED:
        return None
    text = stub_text(part, words, tool=one_line(tool), where=where)
    saved = count(words) - count(text)
    return Stub(call=part.call, text=text, saved=saved) if saved >= LEAST_SAVED else None


def stub_text(part: ResultPart, words: str, *, tool: str, where: str) -> str:
    """Return what is sent instead of a result: of an error its first line stays, and some names."""
    sha256 = hashlib.sha256(words.encode()).hexdigest()[:HASH_DIGITS]
    failed = ""
    if part.status in FAILED:
        first = one_line(words[: 2 * SHOWN_ERROR])
        failed = f"{first[: SHOWN_ERROR - 1]}… " if len(first) > SHOWN_ERROR else f"{first} "
    names = [name for _, name in names_in(words[:READ_CHARACTERS])][:SHOWN_NAMES]
    named = f" with {', '.join(names)}" if names else ""
    return (
        f"{failed}[{tool} result cleared: {len(words)} characters{named}, sha256 {sha256}; {where}]"
    )


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
