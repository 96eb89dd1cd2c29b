"""The way back: an imported conversation as the document that it was read from."""

from collections.abc import Iterable, Mapping
from itertools import takewhile

import msgspec

from mindpipe.core.messages import Message
from mindpipe.core.records import Record, to_json
from mindpipe.providers.documents import Document, Shape
from mindpipe.providers.slices import array_of, elements_of, members_of, object_of


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


def _items(envelope: Envelope, read: Iterable[Iterable[str]]) -> list[bytes]:
    """Return all items in their order, given those that each message was read from."""
    codec = "latin-1" if envelope.shape == "lines" else "utf-8"
    aside = {one.index: one.text.encode(codec) for one in envelope.aside}
    items: list[bytes] = []
    for own in read:
        for item in own:
            while len(items) in aside:
                items.append(aside.pop(len(items)))
            items.append(item.encode())
    return items + [aside[index] for index in sorted(aside)]


def restore_document(
    imported_envelope: bytes, messages: Iterable[Message], sources: Mapping[str, bytes]
) -> bytes:
    """Give an imported document back, equal to what was read when its JSON is parsed.

    Synthetic messages and messages without a source contribute nothing. Lines come back in their
    order with one line end each; blank lines are not kept.
    """
    found = (sources.get(message.id, b"[]") for message in messages)
    return document_of_items(imported_envelope, (elements_of(one.decode()) for one in found))


def document_of_items(imported_envelope: bytes, read: Iterable[Iterable[str]]) -> bytes:
    """Give an imported document back, given the items that each of its messages was read from."""
    envelope = msgspec.json.decode(imported_envelope, type=Envelope)
    return _enclosed(envelope, _items(envelope, read))


def rewritten_document(imported_envelope: bytes, items: Iterable[bytes]) -> bytes:
    """Return an imported document with other items, each a JSON object, as its messages.

    What stands around its list stays, and so do the items before the first that became a message,
    such as system text; others that became none are left out.
    """
    envelope = msgspec.json.decode(imported_envelope, type=Envelope)
    codec = "latin-1" if envelope.shape == "lines" else "utf-8"
    places = enumerate(envelope.aside)
    leading = [one for _, one in takewhile(lambda place: place[0] == place[1].index, places)]
    return _enclosed(envelope, [*(one.text.encode(codec) for one in leading), *items])


def _enclosed(envelope: Envelope, items: list[bytes]) -> bytes:
    """Return items as a document: its lines, or its list with what stood around it."""
    if envelope.shape == "lines":
        return b"".join(item + b"\n" for item in items)
    array = array_of([item.decode() for item in items])
    if envelope.shape == "list":
        return array.encode()
    value = items[0].decode() if envelope.shape == "text" else array
    return object_of({**members_of(envelope.around), envelope.name: value}).encode()
