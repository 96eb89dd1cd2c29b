"""Small files of each kind that is attached, and how each is written."""

import base64
import struct
import zlib


def png(width: int = 2, height: int = 2, more: int = 0) -> bytes:
    """Return a PNG of one colour; `more` bytes of a chunk that nobody reads make it larger."""
    rows = zlib.compress(b"".join(b"\0" + b"\xff\0\0" * width for _ in range(min(height, 100))))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    spare = [_chunk(b"prVt", b"\x07" * more)] if more else []
    chunks = (_chunk(b"IHDR", header), *spare, _chunk(b"IDAT", rows), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def jpeg(width: int, height: int) -> bytes:
    """Return the beginning of a JPEG with a segment before the one that says how large it is."""
    comment = b"\xff\xfe" + struct.pack(">H", 6) + b"\xff\xc0ab"
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\0"
    return b"\xff\xd8" + comment + b"\xff" + frame + b"\xff\xd9"


def gif(width: int, height: int) -> bytes:
    """Return the beginning of a GIF."""
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0;"


def webp(kind: bytes, width: int, height: int) -> bytes:
    """Return the beginning of a WebP: extended (VP8X), without loss (VP8L) or with it (VP8 )."""
    if kind == b"VP8X":
        size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
        body = b"\0\0\0\0" + size
    elif kind == b"VP8L":
        body = b"\x2f" + ((width - 1) | (height - 1) << 14).to_bytes(4, "little") + b"\0" * 5
    else:
        body = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    chunk = kind + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def pdf(pages: int = 1, *, packed: bool = False, locked: bool = False, more: int = 0) -> bytes:
    """Return a PDF; `packed` hides its pages in a stream of objects, as newer ones are written."""
    kids = b" ".join(b"%d 0 R" % (3 + n) for n in range(pages))
    each = [b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 99 99]>>"] * pages
    tree = b"<</Type /Pages /Kids [%b] /Count %d>>" % (kids, pages)
    if packed:
        body = zlib.compress(b" ".join([tree, *each]))
        objects = b"5 0 obj <</Type /ObjStm /Filter /FlateDecode /Length %d>> stream\r\n%b" % (
            len(body),
            body,
        )
    else:
        objects = b"\n".join([b"2 0 obj %b endobj" % tree, *each])
    lock = b"/Encrypt 9 0 R" if locked else b""
    return b"%%PDF-1.7\n%b\n%btrailer <<%b /Root 1 0 R>>\n%%%%EOF" % (objects, b"\0" * more, lock)


def encoded(octets: bytes) -> str:
    """Return bytes as base64."""
    return base64.b64encode(octets).decode()
