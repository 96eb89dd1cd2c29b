"""Open a segment under a frozen head, and read the present one."""

import msgspec

from mindpipe.core.errors import InputOutputError
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.core.records import to_json
from mindpipe.history import tables
from mindpipe.history.chain import digest, row_octets
from mindpipe.history.records import NewSegment, Segment, SegmentRow
from mindpipe.history.rows import segment_of


def open_segment(store: Store, clock: Clock, *, agent: str, new: NewSegment) -> Segment:
    """Open the next segment of an agent; its head is kept as bytes under their hash."""
    head = to_json(new.head)
    opened = clock.now()
    with store.write() as rows:
        last = tables.last_segment(rows, agent=agent)
        row = SegmentRow(
            agent=agent,
            segment=1 if last is None else last.segment + 1,
            head_sha256=digest(head),
            target=to_json(new.target).decode(),
            first_cycle=new.first_cycle,
            raw_from_cycle=new.raw_from_cycle,
            reason=new.reason,
            opened=opened,
            sha256="",
        )
        tables.insert_blobs(rows, [(row.head_sha256, head)])
        tables.insert(rows, hashed(row))
    return segment_of(row, head=head)


def hashed(row: SegmentRow) -> SegmentRow:
    """Return a segment's row with the hash of all its other columns."""
    return msgspec.structs.replace(row, sha256=row_sha256(row))


def row_sha256(row: SegmentRow) -> str:
    """Return the hash that a segment's row should have."""
    return digest(row_octets(msgspec.structs.astuple(row)[:-1]))


def current_segment(store: Store, *, agent: str) -> Segment | None:
    """Return an agent's newest segment with its head, or None before the first.

    Raises:
        InputOutputError: the bytes of its head are gone.
    """
    with store.read() as rows:
        row = tables.last_segment(rows, agent=agent)
        return None if row is None else _with_head(rows, row)


def segment(store: Store, *, agent: str, number: int) -> Segment | None:
    """Return one segment of an agent with its head, or None."""
    with store.read() as rows:
        row = tables.numbered_segment(rows, agent=agent, number=number)
        return None if row is None else _with_head(rows, row)


def _with_head(rows: Rows, row: SegmentRow) -> Segment:
    """Return a segment with its head."""
    head = tables.blob(rows, sha256=row.head_sha256)
    if head is None:
        raise InputOutputError(
            f"the head of segment {row.segment} is gone. Run mind history verify."
        )
    return segment_of(row, head=head)
