"""What a document says, message by message, in memory or put aside where it takes none."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Generic, NamedTuple, TypeVar, overload

import msgspec

from mindpipe.core.messages import Conversation, Head, Message, Part, Role
from mindpipe.core.ports import PutAside
from mindpipe.providers.records import Imported, Repair
from mindpipe.providers.slices import elements_of
from mindpipe.providers.turns import ImportedPiece

T = TypeVar("T")

Items = Sequence[str]
"""The exact text of the items that a message was read from."""


class HeardDocument(NamedTuple):
    """What a document says, without the messages that its import made up, and what is around.

    Of each of the `messages` there are `items`, at the same place.
    """

    head: Head
    messages: Sequence[Message]
    items: Sequence[Items]
    blobs: Mapping[str, bytes]
    envelope: bytes
    repairs: tuple[Repair, ...] = ()

    @property
    def said(self) -> Conversation:
        """Return what is said."""
        return Conversation(head=self.head, messages=self.messages, blobs=self.blobs)


class Shelf(NamedTuple):
    """Where a document is put aside: its messages, the items of each, and its blobs."""

    messages: PutAside
    items: PutAside
    blobs: PutAside


def heard(imported: Imported) -> HeardDocument:
    """Return what an imported document says."""
    whole = ImportedPiece(messages=imported.messages, sources=imported.sources)
    found = list(_parted([whole]))
    return HeardDocument(
        head=imported.head,
        messages=tuple(message for message, _ in found),
        items=[items for _, items in found],
        blobs=imported.blobs,
        envelope=imported.envelope,
        repairs=imported.repairs,
    )


def heard_aside(
    pieces: Iterable[ImportedPiece],
    shelf: Shelf,
    *,
    head: Head,
    envelope: bytes,
    repairs: tuple[Repair, ...],
) -> HeardDocument:
    """Return what the pieces of a document say; of no more than one is anything in memory."""
    numbers: dict[bytes, int] = {}
    count = 0
    for message, items in _parted(_shelved(pieces, shelf.blobs, numbers)):
        shelf.messages.add(_ENCODER.encode(message))
        shelf.items.add(_ENCODER.encode(items))
        count += 1
    return HeardDocument(
        head=head,
        messages=_Aside(shelf.messages, _MESSAGES.decode, 0, count),
        items=_Aside(shelf.items, _ITEMS.decode, 0, count),
        blobs=_Blobs(shelf.blobs, numbers),
        envelope=envelope,
        repairs=repairs,
    )


def _shelved(
    pieces: Iterable[ImportedPiece], aside: PutAside, numbers: dict[bytes, int]
) -> Iterator[ImportedPiece]:
    """Yield pieces whose blobs were put aside, each once; `numbers` tells which is where."""
    for piece in pieces:
        for octets in piece.blobs.values():
            name = sha256(octets).digest()
            if name not in numbers:
                numbers[name] = len(numbers)
                aside.add(octets)
        yield piece


class _Aside(Sequence[T], Generic[T]):
    """Some of what was put aside, each decoded when it is looked at."""

    __slots__ = ("_aside", "_count", "_decode", "_first")

    def __init__(
        self, aside: PutAside, decode: Callable[[bytes], T], first: int, count: int
    ) -> None:
        self._aside = aside
        self._decode = decode
        self._first = first
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        places = range(self._first, self._first + self._count)[place]
        if isinstance(places, int):
            return self._decode(self._aside.piece(places))
        if places.step == 1:
            return _Aside(self._aside, self._decode, places.start, len(places))
        return [self._decode(self._aside.piece(one)) for one in places]

    def __iter__(self) -> Iterator[T]:
        places = range(self._first, self._first + self._count)
        return map(self._decode, map(self._aside.piece, places))


class _Blobs(Mapping[str, bytes]):
    """Blobs that were put aside, by their hash."""

    def __init__(self, aside: PutAside, numbers: Mapping[bytes, int]) -> None:
        self._aside = aside
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        return map(bytes.hex, self._numbers)

    def __getitem__(self, name: str) -> bytes:
        try:
            return self._aside.piece(self._numbers[bytes.fromhex(name)])
        except ValueError:
            raise KeyError(name) from None


def _parted(pieces: Iterable[ImportedPiece]) -> Iterator[tuple[Message, Items]]:
    """Yield messages with the items of each; those are apart again that an import joined.

    Where people speak one after the other before anybody answers, each of their messages becomes a
    cycle of its own, so that it may leave the window alone.
    """
    added = 0
    for message, source in _sources(pieces):
        own = elements_of(source.decode())
        parts = _parts(message, own)
        for place, (part, item) in enumerate(parts, 1):
            name = message.id if place == len(parts) else f"{message.id}.{place}"
            yield _moved(message, added, id=name, parts=(part,)), (item,)
            added += place < len(parts)
        if not parts:
            yield _moved(message, added, id=message.id, parts=message.parts), own


def _sources(pieces: Iterable[ImportedPiece]) -> Iterator[tuple[Message, bytes]]:
    """Yield messages with the array of their items, without those that an import made up."""
    for piece in pieces:
        for message in piece.messages:
            if message.id in piece.sources or message.origin != "program":
                yield message, piece.sources.get(message.id, b"[]")


def _parts(message: Message, items: Items) -> list[tuple[Part, str]]:
    """Return the parts of a user's message that came from as many items, each with its item."""
    if message.role is not Role.USER or not 1 < len(items) == len(message.parts):
        return []
    return list(zip(message.parts, items, strict=True))


def _moved(message: Message, places: int, *, id: str, parts: tuple[Part, ...]) -> Message:
    return msgspec.structs.replace(
        message, id=id, seq=message.seq + places, cycle=message.cycle + places, parts=parts
    )


_ENCODER = msgspec.msgpack.Encoder()
_MESSAGES = msgspec.msgpack.Decoder(Message)
_ITEMS = msgspec.msgpack.Decoder(tuple[str, ...])
