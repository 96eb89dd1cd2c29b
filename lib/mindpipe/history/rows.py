"""Rows of the log: their chain of hashes, what they hold, and their words."""

import functools
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Head,
    Message,
    Part,
    RawReply,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
)
from mindpipe.core.models import Target
from mindpipe.core.records import to_json
from mindpipe.history.records import MessageRow, Segment, SegmentRow
from mindpipe.providers.file_tokens import message_file_tokens

if TYPE_CHECKING:
    from mindpipe.core.ports import Cell, Octets

_PIECE = 1 << 20


def digest(octets: bytes) -> str:
    """Return the SHA-256 of octets as hexadecimal text."""
    return hashlib.sha256(octets).hexdigest()


def digest_of_file(octets: "Octets") -> str:
    """Return the SHA-256 of octets that need not be held."""
    hashing = hashlib.sha256()
    for place in range(0, len(octets), _PIECE):
        hashing.update(octets[place : place + _PIECE])
    return hashing.hexdigest()


def row_octets(cells: "Sequence[Cell]") -> bytes:
    """Return the columns of a row as octets of which no two rows have the same.

    Each value has its kind before it and, where it needs one, its length. Text and its UTF-8
    octets count as the same, so that a row can be hashed without being read.
    """
    framed: list[bytes] = []
    for cell in cells:
        if cell is None:
            framed.append(b"-")
        elif isinstance(cell, (int, float)):
            framed.append(b"n%s;" % repr(cell).encode())
        else:
            octets = cell.encode() if isinstance(cell, str) else cell
            framed += (b"t%d:" % len(octets), octets)
    return b"".join(framed)


def link(previous: str, octets: bytes) -> str:
    """Return h_n = sha256(h_(n-1), row) as hexadecimal text."""
    return digest(previous.encode() + octets)


EXCERPT_CHARACTERS = 160
_BLANK = re.compile(r"\s+")


def counted_text(message: Message) -> str:
    """Return the text whose tokens are stored with a message, thinking included."""
    thinking = [part.text for part in message.parts if isinstance(part, ThinkingPart) and part.text]
    return "\n".join([*thinking, *_texts(message.parts)])


def message_tokens(message: Message, count: Callable[[str], int]) -> int:
    """Return the tokens that are stored with a message: of its text, images and PDFs."""
    return count(counted_text(message)) + message_file_tokens((message,))


def searched_text(message: Message) -> str:
    """Return the text under which a message is found: what was said, called and answered."""
    return searched_words(message.parts)


def searched_words(parts: Iterable[Part]) -> str:
    """Return the text under which a message of these parts is found."""
    return "\n".join(_texts(parts))


def _texts(parts: Iterable[Part]) -> list[str]:
    return [text for text in map(_text, parts) if text]


def result_text(part: ResultPart) -> str:
    """Return the words of a tool's result: its text, or else its JSON as text."""
    return part.text or ("" if part.json is None else to_json(part.json).decode())


def _text(part: Part) -> str:
    """Return the words of one part, thinking excepted."""
    match part:
        case TextPart():
            return part.text
        case CallPart():
            return f"{part.tool} {part.args_text or to_json(part.args).decode()}"
        case ResultPart():
            return result_text(part)
        case FilePart():
            return part.name
        case _:
            return ""


def excerpt(text: str, *, terms: tuple[str, ...]) -> str:
    """Return one line of at most 160 characters around the first of some words."""
    line = _BLANK.sub(" ", text).strip()
    if len(line) <= EXCERPT_CHARACTERS:
        return line
    places = [re.search(re.escape(term), line, re.IGNORECASE) for term in terms]
    first = min((place.start() for place in places if place), default=0)
    start = max(0, min(first - EXCERPT_CHARACTERS // 4, len(line) - EXCERPT_CHARACTERS + 2))
    end = start + EXCERPT_CHARACTERS - 2
    return ("…" if start else "") + line[start:end].strip() + ("…" if end < len(line) else "")


_PARTS = msgspec.json.Decoder(tuple[Part, ...])
_RAW = msgspec.json.Decoder(RawReply)


def words_of_parts(parts: str) -> str:
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
    return msgspec.json.decode(text, type=Target)


@functools.lru_cache(maxsize=4)
def _head(octets: bytes) -> Head:
    """Return system text and tools, which every step of a cycle asks for and seldom change."""
    return msgspec.json.decode(octets, type=Head)
