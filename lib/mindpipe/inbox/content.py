"""What an event says, as it is kept, and the id that it has."""

import functools

import msgspec

from mindpipe.core.base62 import ALPHABET, base62
from mindpipe.core.sources import with_sources
from mindpipe.inbox.batch import Batch
from mindpipe.inbox.records import Event, FileEvent

Content = tuple[object, ...]
_SEEN = ("type", "space", "sender", "text", "original")


def content_of(event: Event | FileEvent) -> Content:
    """Return the content of a stored event; priority and due time are not part of it."""
    return (*(getattr(event, name) for name in _SEEN), event.body)


def content_at(piece: Batch, place: int) -> Content:
    """Return the content of a pushed line."""
    return (*(piece.cell(name, place) for name in _SEEN), body_at(piece, place))


def body_at(piece: Batch, place: int) -> dict[str, object]:
    """Return the body of a pushed line."""
    body = piece.cell("body", place)
    return {} if body is None else msgspec.json.decode(str(body), type=dict[str, object])


def record_at(piece: Batch, place: int) -> dict[str, object]:
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


_VALUE = {letter: value for value, letter in enumerate(ALPHABET)}
_PLACES = 8
_RANDOM = 14
_LENGTH = len("e_") + _RANDOM + _PLACES
_LOW = 62**2


def stem(random_id: str) -> str:
    """Return what the ids of one push begin with, from an id that chance made."""
    return random_id[: len("e_") + _RANDOM]


def event_id(begin: str, seq: int) -> str:
    """Return the id of the event with this number."""
    return begin + base62(seq, _PLACES)


def event_ids(begin: str, first: int, count: int) -> list[str]:
    """Return the ids of so many events from number `first` on."""
    if count < _LOW // 62:
        return [event_id(begin, seq) for seq in range(first, first + count)]
    made: list[str] = []
    while len(made) < count:
        high, low = divmod(first + len(made), _LOW)
        front = begin + base62(high, _PLACES - 2)
        made += [front + end for end in _endings()[low : low + count - len(made)]]
    return made


@functools.cache
def _endings() -> list[str]:
    """Return all pairs of digits in order."""
    return [one + two for one in ALPHABET for two in ALPHABET]


def seq_of(name: str) -> int | None:
    """Return the number that an id ends in, or None if this is no event's id."""
    if len(name) != _LENGTH or not name.startswith("e_"):
        return None
    if any(letter not in _VALUE for letter in name[2:]):
        return None
    number = 0
    for letter in name[-_PLACES:]:
        number = number * 62 + _VALUE[letter]
    return number
