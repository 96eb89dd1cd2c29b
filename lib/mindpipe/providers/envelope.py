"""The way back: an imported conversation as the document that it was read from."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

import msgspec

from mindpipe.core.messages import Message
from mindpipe.core.records import Record, to_json
from mindpipe.providers.documents import Document, Shape
from mindpipe.providers.slices import elements_of, members_of


class UnplacedItem(Record):
    """An item that became no message: its place among all items, and its text."""

    index: int
    text: str


class Envelope(Record):
    """What gives a document back beside the sources of its messages.

    `around` is the exact text of the object with its list emptied. `aside` are the items that
    became no message; of a file of lines (which may be no text) each byte is one character.
    """

    shape: Shape
    name: str = ""
    around: str = "null"
    aside: tuple[UnplacedItem, ...] = ()


class EnvelopeDraft:
    """An envelope that is filled while its document is read; its items are kept as JSON."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._codec = "latin-1" if document.shape == "lines" else "utf-8"
        self._aside = bytearray()

    def put_aside(self, index: int, octets: bytes) -> None:
        """Keep an item that became no message; they come in their order."""
        unplaced = UnplacedItem(index=index, text=octets.decode(self._codec))
        self._aside += b"," * bool(self._aside) + to_json(unplaced)

    def octets(self) -> bytes:
        """Return the envelope."""
        document = self._document
        bare = Envelope(
            shape=document.shape, name=document.name, around=document.around.decode(), aside=()
        )
        return to_json(bare).removesuffix(b"[]}") + b"[" + bytes(self._aside) + b"]}"


def source_of(items: Iterable[bytes]) -> bytes:
    """Return the JSON array of the items that a message was read from."""
    return b"[" + b",".join(items) + b"]"


def _items(envelope: Envelope, read: Iterable[Iterable[str]]) -> Iterator[bytes]:
    """Yield all items in their order, given those that each message was read from."""
    codec = "latin-1" if envelope.shape == "lines" else "utf-8"
    aside = {one.index: one.text.encode(codec) for one in envelope.aside}
    count = 0
    for own in read:
        for item in own:
            while count in aside:
                yield aside.pop(count)
                count += 1
            yield item.encode()
            count += 1
    for index in sorted(aside):
        yield aside[index]


def restored_pieces(imported_envelope: bytes, sources: Iterable[bytes]) -> Iterator[bytes]:
    """Yield an imported document, equal to what was read when its JSON is parsed, item by item.

    `sources` are those of its messages, in their order. Lines come back in their order with one
    line end each; blank lines are not kept.
    """
    envelope = msgspec.json.decode(imported_envelope, type=Envelope)
    yield from _enclosed(envelope, _items(envelope, (elements_of(one.decode()) for one in sources)))


def restore_document(
    imported_envelope: bytes, messages: Iterable[Message], sources: Mapping[str, bytes]
) -> bytes:
    """Give an imported document back at once, as `restored_pieces` does.

    Synthetic messages and messages without a source contribute nothing.
    """
    found = (sources.get(message.id, b"[]") for message in messages)
    return b"".join(restored_pieces(imported_envelope, found))


def document_of_items(imported_envelope: bytes, read: Iterable[Iterable[str]]) -> bytes:
    """Give an imported document back, given the items that each of its messages was read from."""
    envelope = msgspec.json.decode(imported_envelope, type=Envelope)
    return b"".join(_enclosed(envelope, _items(envelope, read)))


def rewritten_document(imported_envelope: bytes, items: Iterable[bytes]) -> bytes:
    """Return an imported document with other items, each a JSON object, as its messages.

    What stands around its list stays, and so do the items before the first that became a message,
    such as system text; others that became none are left out.
    """
    envelope = msgspec.json.decode(imported_envelope, type=Envelope)
    codec = "latin-1" if envelope.shape == "lines" else "utf-8"
    places = enumerate(envelope.aside)
    leading = [one for _, one in takewhile(lambda place: place[0] == place[1].index, places)]
    return b"".join(_enclosed(envelope, [*(one.text.encode(codec) for one in leading), *items]))


def _enclosed(envelope: Envelope, items: Iterable[bytes]) -> Iterator[bytes]:
    """Yield items as a document: its lines, or its list with what stood around it."""
    match envelope.shape:
        case "lines":
            for item in items:
                yield item + b"\n"
        case "list":
            yield from _array(items)
        case shape:
            members = {**members_of(envelope.around), envelope.name: ""}
            before = b"{"
            for name, text in members.items():
                yield before + json.dumps(name).encode() + b":"
                if name != envelope.name:
                    yield text.encode()
                elif shape == "text":
                    yield next(iter(items))
                else:
                    yield from _array(items)
                before = b","
            yield b"}"


def _array(items: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a JSON array whose elements are exact text."""
    before = b"["
    for item in items:
        yield before + item
        before = b","
    yield b"[]" if before == b"[" else b"]"
