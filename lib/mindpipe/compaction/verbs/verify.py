"""Name every change of a window that is not what was written: its row, its bytes or its segment."""

from collections.abc import Iterator, Mapping

import msgspec

from mindpipe.compaction import tables
from mindpipe.compaction.plans.changes import applied, undone
from mindpipe.compaction.plans.lines import stored_plan
from mindpipe.compaction.records import Compaction
from mindpipe.compaction.verbs.compact import REASONS
from mindpipe.core.ports import Store
from mindpipe.core.records import NO_RECORD
from mindpipe.history import tables as history_tables
from mindpipe.history.records import BrokenRow, SegmentRow
from mindpipe.history.rows import digest
from mindpipe.history.verbs.log import StoredBlobs


def broken(store: Store, *, agent: str) -> Iterator[BrokenRow]:
    """Yield what is wrong with the changes of an agent's window, oldest first.

    A row has to be what its plan, the row before it and its segment say; the bytes of a window have
    to be those whose hash names it; a segment that was opened for a change needs its row.
    """
    with store.read() as rows:
        try:
            changes = tables.all_of(rows, agent=agent)
            segments = {row.segment: row for row in history_tables.segments(rows, agent=agent)}
        except NO_RECORD:
            what = "a row of it, or of a segment, cannot be read"
            yield BrokenRow(agent=agent, table="compaction", number=0, what=what)
            return
    kept = StoredBlobs(store)
    for place, change in enumerate(changes):
        wrong = _wrong(change, changes[:place], segments.pop(change.segment, None), kept)
        if wrong is not None:
            yield BrokenRow(agent=agent, table="compaction", number=change.number, what=wrong)
    for segment in segments.values():
        if segment.reason in REASONS.values():
            what = "the change of the window that it was opened for is gone"
            yield BrokenRow(agent=agent, table="segment", number=segment.segment, what=what)


def _wrong(
    change: Compaction,
    before: list[Compaction],
    segment: SegmentRow | None,
    kept: Mapping[str, bytes],
) -> str | None:
    """Return what is wrong with one change, or None."""
    if segment is None:
        return "its segment is gone"
    if (segment.reason, segment.opened) != (REASONS[change.action], change.at):
        return "its segment was not opened for it"
    octets = kept.get(change.window or "", b"")
    if change.window is not None and digest(octets) != change.window:
        return "the bytes of its window are not what was kept"
    undo = change.action == "undo"
    wanted = _measured(undone(before), change) if undo else _applied(change, before, octets)
    if wanted is None or _placed(wanted, change) != change:
        return "it is not what its window and the changes before it say"
    return None


def _measured(undo: Compaction | None, other: Compaction) -> Compaction | None:
    """Return an undo with the tokens of another one: what was sent then is measured but once."""
    if undo is None:
        return None
    sizes = {"tokens_before": other.tokens_before, "tokens_after": other.tokens_after}
    return msgspec.structs.replace(undo, **sizes)


def _placed(change: Compaction, other: Compaction) -> Compaction:
    """Return a change in the segment and at the moment of another one."""
    return msgspec.structs.replace(change, segment=other.segment, at=other.at)


def _applied(change: Compaction, before: list[Compaction], octets: bytes) -> Compaction | None:
    """Return the row that puts a window in force behind some changes; None where it could not."""
    last = before[-1] if before else None
    try:
        planned = stored_plan(octets)
    except (*NO_RECORD, ValueError):
        return None
    if change.window is None or planned.plan.base != (last.window if last else None):
        return None
    return applied(planned, window=change.window, last=last)
