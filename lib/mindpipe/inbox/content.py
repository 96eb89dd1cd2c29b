"""What makes two events under one key the same: what a mind would get to see of them."""

import msgspec

from mindpipe.core.sources import with_sources
from mindpipe.inbox.piece import Piece
from mindpipe.inbox.records import Event, FileEvent

Content = tuple[object, ...]
_SEEN = ("type", "space", "sender", "text", "original")


def content_of(event: Event | FileEvent) -> Content:
    """Return the content of a stored event; priority and due time are not part of it."""
    return (*(getattr(event, name) for name in _SEEN), event.body)


def content_at(piece: Piece, place: int) -> Content:
    """Return the content of a pushed line."""
    return (*(piece.cell(name, place) for name in _SEEN), body_at(piece, place))


def body_at(piece: Piece, place: int) -> dict[str, object]:
    """Return the body of a pushed line."""
    body = piece.cell("body", place)
    return {} if body is None else msgspec.json.decode(str(body), type=dict[str, object])


def record_at(piece: Piece, place: int) -> dict[str, object]:
    """Return what a pushed line says, field by field, as it would be pushed again."""
    names = [*piece.same, *piece.each]
    found: dict[str, object] = {
        name: piece.cell(name, place) for name in names if piece.cell(name, place) is not None
    }
    if "body" in found:
        found["body"] = body_at(piece, place)
    if "lossy" in found:
        found["lossy"] = bool(found["lossy"])
    if "sources" in found:
        found = with_sources(found)
    return found


def other_content(key: str, event_id: str) -> str:
    """Return the words for a key that comes again with other content."""
    return f'"{key}" is the key of another event ({event_id}); use a new key for new content'
