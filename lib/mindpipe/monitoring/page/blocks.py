"""Fit blocks of data into the room that a page has for them: whole, packed, or cut."""

import base64
import gzip
import hashlib
import re
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from mindpipe.core.records import to_json
from mindpipe.monitoring.page.records import PageBlock

_UNSAFE = re.compile(rb"[<>&]|\xe2\x80[\xa8\xa9]")
_LEAST_CUT = 100
"""No text is cut shorter than this, so that ids and hashes stay whole."""
_NOTHING = 0
_LEVEL = 6
"""Of compression: the next levels take twice the time for a hundredth of the bytes."""


class Rung(NamedTuple):
    """How much of a block is shown: characters of a text, rows of a list (None: all), packed."""

    characters: int
    rows: int | None = None
    packed: bool = True


LADDER = (
    Rung(20_000, packed=False),
    Rung(20_000),
    Rung(4_000),
    Rung(1_000),
    Rung(300),
    Rung(_LEAST_CUT, 1_000),
    Rung(_LEAST_CUT, 200),
    Rung(_LEAST_CUT, 20),
    Rung(_LEAST_CUT, _NOTHING),
)
"""What is tried in this order, until the block has room."""


class FittedBlock(NamedTuple):
    """A block as an element of a page, and the place of the rung that it stands on."""

    element: bytes
    rung: int


def fitted(
    block: PageBlock, *, room: int, kept: frozenset[str] = frozenset(), since: int = 0
) -> FittedBlock:
    """Return a block as an element of a page that takes `room` bytes or fewer, if it can.

    Lists named in `kept` are never shortened. Of a cut text there is its beginning, how many
    characters it has, and its SHA-256; of a list the newest rows, and how many were left out.
    `since` is the place of the first rung that is tried.
    """
    plain = msgspec.to_builtins(block)
    made = FittedBlock(b"", since)
    for place in range(since, len(LADDER)):
        rung = LADDER[place]
        made = FittedBlock(_element(_shown(plain, rung, kept), packed=rung.packed), place)
        if len(made.element) <= room:
            break
    return made


def _element(data: object, *, packed: bool) -> bytes:
    """Return data as an element that no browser runs, and that nothing in it can close."""
    octets = to_json(data)
    if not packed:
        safe = _UNSAFE.sub(_escaped, octets)
        return b'<script type="application/json">%b</script>\n' % safe
    # No time stands in it, so that the same life gives the same page.
    coded = base64.b64encode(gzip.compress(octets, _LEVEL, mtime=0))
    return b'<script type="application/gzip">%b</script>\n' % coded


def _escaped(found: "re.Match[bytes]") -> bytes:
    """Return what HTML or JavaScript could take for more than text as an escape of JSON."""
    return b"\\u%04x" % ord(found[0].decode())


def _shown(plain: dict[str, object], rung: Rung, kept: frozenset[str]) -> dict[str, object]:
    """Return as much of a block as a rung shows."""
    shown: dict[str, object] = {}
    left_out: dict[str, int] = {}
    for name, value in plain.items():
        rows = value
        if rung.rows is not None and name not in kept and isinstance(value, list | tuple):
            rows = value[max(0, len(value) - rung.rows) :]
            if len(rows) < len(value):
                left_out[name] = len(value) - len(rows)
        shown[name] = _cut(rows, rung.characters)
    return {**shown, "left_out": left_out} if left_out else shown


def _cut(value: object, characters: int) -> object:
    """Return a plain value in which no text is longer."""
    # By exact kinds, of which a plain value has no others: a page has a hundred thousand of them.
    if type(value) is str:
        return value if len(value) <= characters else _beginning(value, characters)
    if type(value) is dict:
        return {name[:characters]: _cut(one, characters) for name, one in value.items()}
    if type(value) in (list, tuple):
        return [_cut(one, characters) for one in value]  # type: ignore[attr-defined]  # see above
    return value


def _beginning(text: str, characters: int) -> dict[str, object]:
    """Return how a text begins, how long it is, and by which hash it can be told from others."""
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return {"cut": text[:characters], "characters": len(text), "sha256": sha256}


def compressed_bytes(octets: Iterable[bytes]) -> int:
    """Return how many bytes a history takes that is compressed."""
    import zlib

    press = zlib.compressobj()
    return sum(len(press.compress(piece)) for piece in octets) + len(press.flush())
