"""Files that are said along with words: what kind their bytes are, how large, and their name.

The kind is what the bytes say, whatever the file is called. What is taken is what the APIs of
Anthropic and OpenAI both take: PNG, JPEG, GIF, WebP and PDF; and text, which every model reads.
"""

import itertools
import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import Conversation, FilePart, Message, TextPart
from mindpipe.core.problems import Problem

IMAGE_BYTES = 3_750_000
"""An image may have 5 MB in base64 (platform.claude.com/docs/en/build-with-claude/vision)."""
IMAGE_PIXELS = 8000
"""No side of an image may be longer (the same page)."""
MOST_BYTES = 20_000_000
"""A request may have 32 MB (.../docs/en/api/overview#request-size-limits); base64 adds a third."""
MOST_PAGES = 100
"""So many pages of PDF fit into a request (.../docs/en/build-with-claude/pdf-support)."""
MOST_FILES = 20
"""In a request with more images each side may have 2,000 pixels only (the page on vision)."""
TEXT_BYTES = 1 << 20
"""As long as an event's words may be."""
PDF = "application/pdf"
TEXT = "text/plain"
OTHER = "application/octet-stream"
"""What no provider takes."""
NAME_CHARACTERS = 120

_OTHER = "no PNG, JPEG, GIF, WebP or PDF, and no UTF-8 text; convert it to one of them"
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_PAGE = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")
_LOCKED = re.compile(rb"/Encrypt\s*(?:<<|\d+\s+\d+\s+R)")
_HEAD_BYTES = 400
_MOST_STREAMS = 10_000
_UNPACKED = 64 << 20
_PAGE_BYTES = 50_000


class Attachment(NamedTuple):
    """A file that goes along with words: how a message names it, and its bytes."""

    part: FilePart
    octets: bytes


class MediaMeasures(NamedTuple):
    """What bytes are: their media type, and the pixels of an image or the pages of a PDF."""

    media_type: str
    width: int = 0
    height: int = 0
    pages: int = 0


def attachment(name: str, octets: bytes, sha256: str) -> Attachment:
    """Return a file as it is attached; `sha256` is the hash of its bytes.

    Raises:
        BadInputError: it is of another kind, broken, or larger than the providers take.
    """
    found = measures_of(octets)
    fault = f"it is {_OTHER}" if found is None else _fault_of(found, len(octets), octets)
    if found is None or fault:
        raise _refused(name, fault)
    part = FilePart(
        sha256=sha256,
        media_type=found.media_type,
        name=plain_name(name),
        size=len(octets),
        width=found.width,
        height=found.height,
        pages=found.pages,
    )
    return Attachment(part, octets)


def check_together(files: Sequence[Attachment]) -> None:
    """Hold the files of one message to what fits into a request; raises BadInputError."""
    size = sum(one.part.size for one in files)
    pages = sum(one.part.pages for one in files)
    text = sum(one.part.size for one in files if one.part.media_type == TEXT)
    for count, most, what in (
        (len(files), MOST_FILES, "files"),
        (size, MOST_BYTES, "bytes"),
        (pages, MOST_PAGES, "pages"),
        (text, TEXT_BYTES, "bytes of text"),
    ):
        if count > most:
            raise _refused("--attach", f"{count:,} {what} at once, of at most {most:,}")


def _refused(name: str, fault: str) -> BadInputError:
    return BadInputError([Problem(source=name, message=fault)])


def plain_name(name: str) -> str:
    """Return a name of a file as one short line of what can be seen."""
    plain = "".join(one if one.isprintable() else "?" for one in name)
    return plain[-NAME_CHARACTERS:].strip() or "file"


def measures_of(octets: bytes) -> MediaMeasures | None:
    """Return what bytes are by themselves, or None for what no model is sent."""
    for begins, measure in _MAGIC:
        if octets.startswith(begins):
            return measure(octets)
    if octets[:4] == b"RIFF" and octets[8:12] == b"WEBP":
        return _webp(octets)
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return MediaMeasures(TEXT) if text.strip() and not _CONTROLS.search(text) else None


def _fault_of(found: MediaMeasures, size: int, octets: bytes) -> str:
    """Return in words why a file of a good kind is not taken, or nothing."""
    if found.media_type == TEXT:
        return _too_large(size, TEXT_BYTES, "text")
    if not _is_whole(found, octets):
        return f"it begins as {found.media_type}, but is broken"
    if found.media_type == PDF:
        return _fault_of_pdf(found, size, octets)
    if max(found.width, found.height) > IMAGE_PIXELS:
        return (
            f"an image of {found.width} x {found.height} pixels, of at most "
            f"{IMAGE_PIXELS} a side; make it smaller"
        )
    return _too_large(size, IMAGE_BYTES, "image")


def _is_whole(found: MediaMeasures, octets: bytes) -> bool:
    """Tell whether a file has its measures, and the mark with which its kind ends.

    One that a provider cannot read would make it refuse each later request of the window.
    """
    if found.media_type == PDF:
        # ISO 32000-1, annex H: readers look for the mark in the last 1024 bytes.
        return b"%%EOF" in octets[-1024:]
    if not found.width or not found.height:
        return False
    match found.media_type:
        case "image/png":
            return b"IEND" in octets
        case "image/gif":
            return octets.rstrip(b"\0").endswith(b";")
        case "image/webp":
            return len(octets) >= 8 + int.from_bytes(octets[4:8], "little")
        case _:
            return b"\xff\xd9" in octets


def _fault_of_pdf(found: MediaMeasures, size: int, octets: bytes) -> str:
    if _LOCKED.search(octets):
        return "this PDF is encrypted, which providers do not read; save it without a password"
    if found.pages > MOST_PAGES:
        return f"a PDF of {found.pages} pages, of at most {MOST_PAGES}; split it"
    return _too_large(size, MOST_BYTES, "PDF")


def _too_large(size: int, most: int, kind: str) -> str:
    return "" if size <= most else f"{kind} of {size:,} bytes, of at most {most:,}; make it smaller"


def _png(octets: bytes) -> MediaMeasures:
    """Read the header of a PNG (RFC 2083, 4.1.1)."""
    is_whole = octets[12:16] == b"IHDR" and len(octets) >= 24
    wide, high = struct.unpack(">II", octets[16:24]) if is_whole else (0, 0)
    return MediaMeasures("image/png", wide, high)


def _gif(octets: bytes) -> MediaMeasures:
    """Read the logical screen of a GIF89a."""
    wide, high = struct.unpack("<HH", octets[6:10]) if len(octets) > 10 else (0, 0)
    return MediaMeasures("image/gif", wide, high)


_FRAMES = frozenset((*range(0xC0, 0xD0),)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG that say how large it is (ITU T.81, table B.1)."""


def _jpeg(octets: bytes) -> MediaMeasures:
    """Walk the markers of a JPEG to the one that says how large it is."""
    at = 2
    while at + 9 <= len(octets) and octets[at] == 0xFF:
        marker = octets[at + 1]
        if marker in _FRAMES:
            high, wide = struct.unpack(">HH", octets[at + 5 : at + 9])
            return MediaMeasures("image/jpeg", wide, high)
        alone = marker == 0xFF
        at += 1 if alone else 2 + struct.unpack(">H", octets[at + 2 : at + 4])[0]
    return MediaMeasures("image/jpeg")


def _webp(octets: bytes) -> MediaMeasures:
    """Read the first chunk of a WebP (RFC 9649, 2.4 to 2.7)."""
    kind, body = octets[12:16], octets[20:30]
    wide = high = 0
    if len(body) == 10:
        if kind == b"VP8X":
            wide = 1 + int.from_bytes(body[4:7], "little")
            high = 1 + int.from_bytes(body[7:10], "little")
        elif kind == b"VP8L":
            bits = int.from_bytes(body[1:5], "little")
            wide, high = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        elif kind == b"VP8 ":
            wide, high = (side & 0x3FFF for side in struct.unpack("<HH", body[6:10]))
    return MediaMeasures("image/webp", wide, high)


def _pdf(octets: bytes) -> MediaMeasures:
    """Count the pages of a PDF; where they cannot be found, take one for every 50 kB."""
    pages = len(_PAGE.findall(octets))
    pages += sum(len(_PAGE.findall(objects)) for objects in _object_streams(octets))
    return MediaMeasures(PDF, pages=pages or max(1, len(octets) // _PAGE_BYTES))


def _object_streams(octets: bytes) -> Iterator[bytes]:
    """Yield the streams of a PDF that hold objects, unpacked, 64 MB in all at most."""
    left, begin = _UNPACKED, 0
    for _ in range(_MOST_STREAMS):
        named = octets.find(b"/ObjStm", begin)
        if named < 0 or left <= 0:
            return
        end = octets.find(b"endstream", named)
        stream = octets.find(b"stream", named, named + _HEAD_BYTES)
        begin = end if end > 0 else len(octets)
        if not named < stream < begin:
            begin = named + 1
            continue
        try:
            body = octets[stream + len(b"stream") : begin].lstrip(b"\r\n")
            objects = zlib.decompressobj().decompress(body, left)
        except zlib.error:
            continue
        yield objects
        left -= len(objects)


_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"GIF87a", _gif),
    (b"GIF89a", _gif),
    (b"\xff\xd8\xff", _jpeg),
    (b"%PDF-", _pdf),
)


def placeholder(part: FilePart) -> str:
    """Return a file in words: name, kind, size and hash, never its bytes.

    A name that could pass for what stands around it is quoted.
    """
    size = f", {size_words(part.size)}" if part.size else ""
    plain = part.name.isprintable() and not any(mark in part.name for mark in '"[](),')
    name = part.name if plain else json.dumps(part.name)
    return f"[file {name} ({part.media_type}{size}, sha256 {part.sha256[:12]})]"


_PLACEHOLDER = re.compile(
    r'\[file (?:"(?:[^"\\]|\\.)*"|[^"\[\](),]+) \([^()]*, sha256 [0-9a-f]{12}\)\]'
)


def placeholders_in(text: str) -> list[str]:
    """Return the files that a text names as `placeholder` writes them."""
    return _PLACEHOLDER.findall(text) if "[file " in text else []


def size_words(size: int) -> str:
    """Return a number of bytes as people write it."""
    for unit, of in (("MB", 1_000_000), ("kB", 1_000)):
        if size >= of:
            return f"{size / of:.1f} {unit}"
    return f"{size} bytes"


def within_request(talk: Conversation) -> Conversation:
    """Return a conversation with no more files than one request may have, the newest of them.

    In the place of the others stands what they were.
    """
    there = [one for message in talk.messages for one in message.parts if isinstance(one, FilePart)]
    older = len(there) - _sendable(reversed(there))
    if not older:
        return talk
    place = itertools.count()
    messages: list[Message] = []
    for message in talk.messages:
        parts = tuple(
            _named_only(part) if isinstance(part, FilePart) and next(place) < older else part
            for part in message.parts
        )
        messages.append(msgspec.structs.replace(message, parts=parts))
    return msgspec.structs.replace(talk, messages=tuple(messages))


def _sendable(newest_first: Iterable[FilePart]) -> int:
    """Return how many of some files, the newest first, one request may have."""
    count = size = pages = 0
    for one in newest_first:
        size += one.size
        pages += one.pages
        if count == MOST_FILES or size > MOST_BYTES or pages > MOST_PAGES:
            break
        count += 1
    return count


def _named_only(part: FilePart) -> TextPart:
    return TextPart(text=f"{placeholder(part)[:-1]}, not sent again]")
