"""Stubs in place of old tool results: what one was, its size, its hash, and where it still is."""

import hashlib
from collections.abc import Sequence

from mindpipe.compaction.anchoring.anchors import READ_CHARACTERS, names_in
from mindpipe.compaction.records import Stub
from mindpipe.compaction.task import Count, Lived
from mindpipe.compaction.wording import one_line
from mindpipe.core.messages import CallPart, ResultPart, ResultStatus
from mindpipe.core.records import to_json
from mindpipe.formats.wording import FAILED

LEAST_SAVED = 16
"""A result is masked only where its stub is shorter by at least as many tokens."""
SHOWN_ERROR = 160
"""Most characters of the first line of an error that its stub repeats."""
SHOWN_NAMES = 5
"""Most paths, addresses and ids of a result that its stub repeats: the first ones."""
HASH_DIGITS = 12
NEWEST_RESULTS = 3
"""So many of the newest results stay as they are, where there is room for them."""


def stubs_of(lived: Lived, count: Count, *, stored: bool) -> tuple[Stub, ...]:
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


def newest_results(cycles: Sequence[Lived], most: int) -> set[str]:
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
    words = part.text or ("" if part.json is None else to_json(part.json).decode())
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
