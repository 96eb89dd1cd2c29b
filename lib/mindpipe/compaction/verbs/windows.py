"""What a segment sends: its head, and the cycles that the window in force leaves whole."""

import re
from collections.abc import Iterator

import msgspec

from mindpipe.compaction import tables
from mindpipe.compaction.records import Kept, Masked, Overlay, Summary, WindowPlan
from mindpipe.compaction.window_text import covered_ranges, span
from mindpipe.core.errors import InputOutputError, UsageError
from mindpipe.core.messages import Message
from mindpipe.core.ports import Store
from mindpipe.history.records import Coverage, Window
from mindpipe.history.verbs import log
from mindpipe.history.verbs.history import messages
from mindpipe.history.verbs.log import window as segment_window

_SPAN = re.compile(r"([1-9]\d{0,17})(?:-([1-9]\d{0,17}))?")
Ranges = tuple[tuple[int, int | None], ...]


def window(
    store: Store, *, agent: str, number: int | None = None, until: int | None = None
) -> Window:
    """Return what the newest segment sends, or segment `number` up to the cycle `until`.

    Raises:
        InputOutputError: the bytes of the window in force are gone.
        NothingToDoError: the agent has no segment yet.
    """
    with store.read():
        planned = in_force(store, agent=agent, segment=number)
        if planned is None:
            return segment_window(store, agent=agent, number=number, until=until)
        from mindpipe.compaction.sent import sent_messages

        ranges = sent_ranges(planned.parts, through=planned.plan.through)
        shown = segment_window(store, agent=agent, number=number, until=until, ranges=ranges)
    return msgspec.structs.replace(
        shown,
        messages=sent_messages(shown.messages, planned.parts),
        tokens=shown.tokens - _saved(planned.parts),
    )


def in_force(store: Store, *, agent: str, segment: int | None = None) -> WindowPlan | None:
    """Return the window that an agent's newest segment sends, or segment `segment`, if any.

    Raises:
        InputOutputError: its bytes are gone.
    """
    with store.read() as rows:
        change = tables.in_force(rows, agent=agent, segment=segment)
        if change is None or change.window is None:
            return None
        return kept_window(store, sha256=change.window)


def kept_window(store: Store, *, sha256: str) -> WindowPlan:
    """Return a window by the hash of its bytes; raises InputOutputError where they are gone."""
    from mindpipe.compaction.plans.lines import stored_plan

    return stored_plan(kept_octets(store, sha256=sha256))


def kept_octets(store: Store, *, sha256: str) -> bytes:
    """Return the bytes of a window; raises InputOutputError where they are gone."""
    octets = log.blobs(store, shas=(sha256,)).get(sha256)
    if octets is None:
        raise InputOutputError(f"the window {sha256[:12]} is gone. Run mind history verify.")
    return octets


def sent_ranges(parts: Overlay, *, through: int) -> Ranges:
    """Return the ranges of cycles that a window sends, all behind `through` included."""
    ranges: list[tuple[int, int | None]] = [
        (part.first, part.last) if isinstance(part, Kept) else (part.cycle, part.cycle)
        for part in parts
        if isinstance(part, Kept | Masked)
    ]
    return (*ranges, (through + 1, None))


def coverage(store: Store, *, agent: str) -> Coverage | None:
    """Return which cycles the window in force covers and sends; None where there is none."""
    planned = in_force(store, agent=agent)
    if planned is None:
        return None
    covered = covered_ranges(planned.parts)
    return Coverage(covered, sent_ranges(planned.parts, through=planned.plan.through))


def _saved(parts: Overlay) -> int:
    """Return the tokens that the stubs of a window save."""
    return sum(stub.saved for part in parts if isinstance(part, Masked) for stub in part.stubs)


def covers(store: Store, *, agent: str, cycles: str) -> Iterator[Message]:
    """Yield all messages of the cycles `A-B`, or `A`, that a summary covers.

    It is looked for in the window in force, then in earlier ones, newest first. They are read in
    pages; cycles that left no message have none.

    Raises:
        UsageError: `cycles` is no range of cycles, or no one summary covers all of it.
    """
    first, last = _span(cycles)
    there: list[str] = []
    for folded in _summaries(store, agent):
        part = next((one for one in folded if one.first <= first and last <= one.last), None)
        if part is not None:
            break
        there = there or [span(one.first, one.last) for one in folded]
    else:
        named = ", ".join(there) or "none"
        raise UsageError(f"no summary of {agent} covers cycles {cycles}; those there are: {named}.")
    said = messages(store, agent=agent, since=part.first_seq, until=part.last_seq)
    return (one for one in said if first <= one.cycle <= last)


def _summaries(store: Store, agent: str) -> Iterator[list[Summary]]:
    """Yield the summaries of the window in force, then of every earlier one, newest first."""
    planned = in_force(store, agent=agent)
    yield [part for part in (planned.parts if planned else ()) if isinstance(part, Summary)]
    with store.read() as rows:
        changes = tables.all_of(rows, agent=agent)
    for sha256 in dict.fromkeys(one.window for one in reversed(changes) if one.window):
        parts = kept_window(store, sha256=sha256).parts
        yield [part for part in parts if isinstance(part, Summary)]


def _span(cycles: str) -> tuple[int, int]:
    """Return the first and last cycle of a range in words."""
    found = _SPAN.fullmatch(cycles)
    first = int(found[1]) if found else 1
    last = int(found[2] or first) if found else 0
    if last < first:
        raise UsageError(f'"{cycles}" is no range of cycles; write it as 1-30.')
    return first, last
