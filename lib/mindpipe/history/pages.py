"""What an agent lived through, told again to itself piece by piece, one page at a time."""

from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.core.attachments import placeholder
from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Message,
    Part,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
)
from mindpipe.core.records import Record, to_json
from mindpipe.history.rows import result_text


class ShownPiece(Record, omit_defaults=True):
    """A piece of a message: who said it, and the words, or what was called and answered.

    Of a call `text` is its arguments; `call` is its id, in its answer too.
    """

    seq: int
    role: Role
    text: str
    tool: str | None = None
    call: str | None = None
    status: ResultStatus | None = None


class HistoryPage(Record):
    """Some pieces in order, and at how many characters the next page begins (None: the end)."""

    pieces: tuple[ShownPiece, ...]
    next: int | None


def told(messages: Iterable[Message]) -> Iterator[ShownPiece]:
    """Yield what was said, called and answered in some messages; reasoning is left out."""
    for message in messages:
        for part in message.parts:
            piece = _told(message, part)
            if piece is not None:
                yield piece


def _told(message: Message, part: Part) -> ShownPiece | None:
    """Return one part with its place, or None where there are no words to tell."""
    match part:
        case TextPart():
            return ShownPiece(seq=message.seq, role=message.role, text=part.text)
        case CallPart():
            text = part.args_text or to_json(part.args).decode()
            return ShownPiece(
                seq=message.seq, role=message.role, text=text, tool=part.tool, call=part.id
            )
        case ResultPart():
            text = result_text(part)
            return ShownPiece(
                seq=message.seq, role=message.role, text=text, call=part.call, status=part.status
            )
        case FilePart():
            return ShownPiece(seq=message.seq, role=message.role, text=placeholder(part))
        case _:
            return None


def page_of(pieces: Iterable[ShownPiece], *, offset: int, limit: int) -> HistoryPage:
    """Return the pieces between two places of all their text, in characters; the ends are cut.

    A page of `limit` characters that begins at `offset` is followed by the one that begins at
    `next`.
    """
    shown: list[ShownPiece] = []
    place = 0
    for piece in pieces:
        first, last = max(offset - place, 0), offset + limit - place
        if last <= 0:
            return HistoryPage(pieces=tuple(shown), next=offset + limit)
        if first < len(piece.text) or (first == 0 and not piece.text):
            shown.append(msgspec.structs.replace(piece, text=piece.text[first:last]))
        place += len(piece.text)
    following = offset + limit if place > offset + limit else None
    return HistoryPage(pieces=tuple(shown), next=following)
