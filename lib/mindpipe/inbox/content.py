"""What makes two events under one key the same: what a mind would get to see of them."""

from mindpipe.inbox.records import Event, FileEvent, Given
from mindpipe.inbox.wire import CheckedWire

Content = tuple[object, ...]


def content_of(event: Event | FileEvent) -> Content:
    """Return the content of a stored event; priority and due time are not part of it."""
    return (event.type, event.space, event.sender, event.text, event.body, event.original)


def content_of_line(wire: CheckedWire, given: Given) -> Content:
    """Return the content of a pushed line with what was given for all lines."""
    return (
        wire.type or given.type,
        wire.space or given.space,
        wire.sender or given.sender,
        wire.text,
        wire.body or {},
        wire.original,
    )


def other_content(key: str, event_id: str) -> str:
    """Return the words for a key that comes again with other content."""
    return f'"{key}" is the key of another event ({event_id}); use a new key for new content'
