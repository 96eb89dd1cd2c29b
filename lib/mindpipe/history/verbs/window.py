"""What the present segment sends: its messages and the blobs they need, nothing older touched."""

from collections.abc import Sequence

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import FilePart, Message
from mindpipe.core.ports import Store
from mindpipe.history import tables
from mindpipe.history.records import Segment, Window
from mindpipe.history.rows import message_of
from mindpipe.history.verbs.segments import current_segment
from mindpipe.history.verbs.segments import segment as numbered_segment


def window(
    store: Store,
    *,
    agent: str,
    number: int | None = None,
    until: int | None = None,
    ranges: Sequence[tuple[int, int | None]] | None = None,
) -> Window:
    """Return the messages from the segment's first cycle on, with their blobs and tokens.

    It is the newest segment's, or that of segment `number` up to the cycle `until`; of `ranges` of
    cycles (first and last, None: no end), where they are given. Raw replies are loaded only from
    the segment's `raw_from_cycle` on, files always.

    Raises:
        NothingToDoError: the agent has no segment yet.
    """
    with store.read() as rows:
        if number is None:
            segment = current_segment(store, agent=agent)
        else:
            segment = numbered_segment(store, agent=agent, number=number)
        if segment is None:
            raise NothingToDoError(f"{agent} has no history yet.")
        found = [
            row
            for first, last in _clipped(ranges or [(segment.first_cycle, None)], until)
            for row in tables.from_cycle(rows, agent=agent, cycle=first, until=last)
        ]
        messages = tuple(map(message_of, found))
        return Window(
            segment=segment,
            messages=messages,
            blobs=dict(tables.blobs(rows, shas=_needed(segment, messages))),
            tokens=sum(row.tokens for row in found),
        )


def _clipped(
    ranges: Sequence[tuple[int, int | None]], until: int | None
) -> list[tuple[int, int | None]]:
    """Return the parts of ranges that do not lie behind the cycle `until` (None: no end)."""
    if until is None:
        return list(ranges)
    return [
        (first, until if last is None else min(last, until))
        for first, last in ranges
        if first <= until
    ]


def _needed(segment: Segment, messages: tuple[Message, ...]) -> set[str]:
    """Return the hashes of the blobs that rendering may ask for."""
    files = {
        part.sha256 for message in messages for part in message.parts if isinstance(part, FilePart)
    }
    raw = {
        sha256
        for message in messages
        if message.raw is not None and message.cycle >= segment.raw_from_cycle
        for sha256 in message.raw.sha256
    }
    return files | raw
