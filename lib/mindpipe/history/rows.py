"""What the rows of a history hold, read back as messages and segments."""

import functools

import msgspec

from mindpipe.core.messages import Head, Message, Part, RawReply, Role
from mindpipe.core.models import Target
from mindpipe.history.records import MessageRow, Segment, SegmentRow
from mindpipe.history.words import searched_words

_PARTS = msgspec.json.Decoder(tuple[Part, ...])
_RAW = msgspec.json.Decoder(RawReply)


def words_of(parts: str) -> str:
    """Return the text under which a message is found from the JSON of its parts."""
    return searched_words(_PARTS.decode(parts))


def message_of(row: MessageRow) -> Message:
    """Return the message that a row holds."""
    return Message(
        id=row.id,
        agent=row.agent,
        seq=row.seq,
        segment=row.segment,
        cycle=row.cycle,
        turn=row.turn,
        role=Role(row.role),
        parts=_PARTS.decode(row.parts),
        raw=None if row.raw is None else _RAW.decode(row.raw),
        origin=row.origin,
        taint=bool(row.taint),
        synthetic=bool(row.synthetic),
        at=row.at,
    )


def segment_of(row: SegmentRow, *, head: bytes) -> Segment:
    """Return the segment that a row and its head's bytes hold."""
    return Segment(
        agent=row.agent,
        segment=row.segment,
        head_sha256=row.head_sha256,
        target=_target(row.target),
        first_cycle=row.first_cycle,
        raw_from_cycle=row.raw_from_cycle,
        reason=row.reason,
        opened=row.opened,
        head=_head(head),
    )


@functools.lru_cache(maxsize=8)
def _target(text: str) -> Target:
    """Return the model that a segment was opened for."""
    return msgspec.json.decode(text, type=Target)


@functools.lru_cache(maxsize=4)
def _head(octets: bytes) -> Head:
    """Return system text and tools, which every step of a cycle asks for and seldom change."""
    return msgspec.json.decode(octets, type=Head)
