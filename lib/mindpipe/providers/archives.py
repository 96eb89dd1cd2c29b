"""What readers and writers of other applications' files share: conversations, trees of messages.

A file that is read holds all conversations of somebody. None of them is held: each is a span of the
file, and so is each of its messages, which is decoded when it is asked for.
"""

import datetime
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import format_instant, normal_instant
from mindpipe.core.messages import FilePart, Head, Message, OpaquePart, TextPart, ThinkingPart
from mindpipe.core.ports import Octets
from mindpipe.core.text import is_blank
from mindpipe.providers.documents import (
    BYTE_ORDER_MARK,
    Document,
    Element,
    Span,
    element_of,
    refusal,
)
from mindpipe.providers.items import ImportedItem
from mindpipe.providers.rendering import HEAD, Rendering
from mindpipe.providers.words import worded_file

PROVIDER, API = "import", "program"
"""Replies of these files are in no form of an API."""
_ZIP = b"PK\x03\x04"
_ZIPPED = "a ZIP archive; unpack it, and give {wanted}"


class ArchiveEntry(NamedTuple):
    """One conversation of a file: its part of the octets, and its JSON path."""

    span: Span
    at: str


class Place(NamedTuple):
    """Where a message stands in a file, and which one it answers."""

    start: int
    at: str
    parent: str = ""
    is_spoken: bool = True


def entries(octets: Octets, *, source: str, wanted: str) -> Iterator[ArchiveEntry]:
    """Yield the conversations of a file: the objects of its list, or the one that it holds.

    `wanted` is the file that has to be given, for the words of a refusal.

    Raises:
        BadInputError: it is no JSON, or no list of objects.
    """
    if octets.startswith(_ZIP):
        raise refusal(source, _ZIPPED.format(wanted=wanted))
    start = len(BYTE_ORDER_MARK) if octets.startswith(BYTE_ORDER_MARK) else 0
    cursor = Span(octets, start, len(octets), source).cursor()
    if cursor.peek() == "{":
        start = cursor.place
        cursor.skip("$")
        yield ArchiveEntry(Span(octets, start, cursor.place, source), "$")
    elif cursor.peek() == "[":
        for at in cursor.places("$"):
            if cursor.peek() != "{":
                raise refusal(source, f"{at}: no conversation, which is an object; give {wanted}")
            start = cursor.place
            cursor.skip(at)
            yield ArchiveEntry(Span(octets, start, cursor.place, source), at)
    else:
        cursor.value()
        raise refusal(source, f"no conversations; give {wanted}")
    cursor.settle()


def parts_of(entry: ArchiveEntry, inside: str) -> tuple[dict[str, object], int | None]:
    """Return the members of a conversation, and where the one stands that holds its messages.

    That one is stepped over, and None tells that there is none.
    """
    cursor = entry.span.cursor()
    values: dict[str, object] = {}
    found: int | None = None
    for key in cursor.members():
        first = cursor.peek()
        if key == inside and first in {"[", "{"}:
            found = cursor.place
            cursor.skip(f"{entry.at}.{key}")
        else:
            kept = cursor.value_or_skip(f"{entry.at}.{key}")
            values[key] = None if kept is None else kept.value
    return values, found


def path_to(places: Mapping[str, Place], leaf: str) -> list[str]:
    """Return the ids of the messages from the first one to a leaf, each the answer to the last."""
    path: list[str] = []
    seen: set[str] = set()
    while leaf in places and leaf not in seen:
        seen.add(leaf)
        path.append(leaf)
        leaf = places[leaf].parent
    return path[::-1]


def elements_at(span: Span, places: Iterable[Place]) -> Iterator[Element]:
    """Yield the messages that stand at some places, each decoded when it is asked for."""
    for index, place in enumerate(places):
        yield element_of(index, span.cursor(place.start).value(place.at), at=place.at)


def document_at(entry: ArchiveEntry, places: Iterable[Place], *, title: str) -> Document:
    """Return a conversation whose messages stand at some places of a file."""
    found = tuple(places)
    return Document(
        source=entry.span.source,
        label=f"{entry.span.source} {title or entry.at}",
        shape="lines",
        read=lambda: elements_at(entry.span, found),
        title=title,
    )


def instant_of(value: object) -> str:
    """Return an instant that a file gives as text or in seconds since 1970, or nothing."""
    try:
        if isinstance(value, str) and value:
            return normal_instant(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return format_instant(datetime.datetime.fromtimestamp(value, datetime.UTC))
    except (UsageError, ValueError, OverflowError, OSError):
        pass
    return ""


def at_instant(item: ImportedItem, value: object) -> ImportedItem:
    """Return an item with the instant that its file gives."""
    return msgspec.structs.replace(item, when=instant_of(value))


def uuid_of(text: str) -> str:
    """Return a UUID (version 8, RFC 9562) that is always the same for the same text."""
    digits = hashlib.sha256(text.encode()).hexdigest()
    variant = "89ab"[int(digits[16], 16) % 4]
    groups = (digits[:8], digits[8:12], "8" + digits[13:16], variant + digits[17:20], digits[20:32])
    return "-".join(groups)


def lose_head(head: Head, rendering: Rendering, *, system: bool = True) -> None:
    """Report what of a head is not written: its tools, and its system text unless that is."""
    if system and not is_blank(head.system):
        rendering.lose(HEAD, part="system", why="the form has no system text")
    if head.tools:
        rendering.lose(HEAD, part="tools", why="the form has no tool definitions")


def spoken_texts(message: Message, rendering: Rendering) -> list[str]:
    """Return what is said in a message, part by part; a file is words."""
    found: list[str] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            found.append(part.text)
        elif isinstance(part, FilePart):
            found.append(worded_file(part, rendering, message=message.id))
    return found


def thoughts_of(message: Message, rendering: Rendering) -> list[str]:
    """Return what a model thought in a reply; without the bytes that its provider signed."""
    found: list[str] = []
    for part in message.parts:
        if isinstance(part, OpaquePart):
            rendering.lose(message.id, part=part.kind, why="only its provider understands it")
        elif isinstance(part, ThinkingPart):
            if part.raw:
                rendering.lose(message.id, part="thinking", why="its signature stays here")
            if part.text is not None and not is_blank(part.text):
                found.append(part.text)
    return found


def seconds_of(instant: str) -> float | None:
    """Return an instant in seconds since 1970, None where there is none."""
    return datetime.datetime.fromisoformat(instant).timestamp() if instant else None
