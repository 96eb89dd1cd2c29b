"""Fit blocks of data into the room that a page has for them: whole, packed, or cut."""

import base64
import gzip
import hashlib
import re
from collections.abc import Iterable, Mapping
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
    """How much of a block is shown: characters of a text, rows of a list (None: all), packed.

    On a bare one the rows of lists that are kept have only those of their fields that are.
    """

    characters: int
    rows: int | None = None
    packed: bool = True
    bare: bool = False


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
    Rung(_LEAST_CUT, _NOTHING, bare=True),
)
"""What is tried in this order, until the block has room."""


Kept = Mapping[str, frozenset[str]]
"""The lists of a block that are never shortened, and which fields of their rows always stay."""
_NONE: Kept = {}


class FittedBlock(NamedTuple):
    """A block as an element of a page, and the place of the rung that it stands on."""

    element: bytes
    rung: int


def fitted(block: PageBlock, *, room: int, kept: Kept = _NONE, since: int = 0) -> FittedBlock:
    """Return a block as an element of a page that takes `room` bytes or fewer, if it can.

    Lists named in `kept` are never shortened, and their rows have the fields that are named there
    whatever the room. Of a cut text there is its beginning, how many
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


def _shown(plain: dict[str, object], rung: Rung, kept: Kept) -> dict[str, object]:
    """Return as much of a block as a rung shows."""
    shown: dict[str, object] = {}
    left_out: dict[str, int] = {}
    for name, value in plain.items():
        rows = value
        if rung.rows is not None and name not in kept and isinstance(value, list | tuple):
            rows = value[max(0, len(value) - rung.rows) :]
            if len(rows) < len(value):
                left_out[name] = len(value) - len(rows)
        if rung.bare and name in kept and isinstance(value, list | tuple):
            rows = [_bare(row, kept[name]) for row in value]
        shown[name] = _cut(rows, rung.characters)
    return {**shown, "left_out": left_out} if left_out else shown


def _bare(row: object, fields: frozenset[str]) -> object:
    """Return a row with these of its fields; one that has no fields is whole."""
    if not isinstance(row, dict):
        return row
    return {name: value for name, value in row.items() if name in fields}


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


class HistorySize:
    """How many bytes a history takes that is compressed as one, counted while it passes.

    Each part compressed by itself would take more than it does among the others. What waits in the
    compressor is not counted yet, so that the count is never above what the whole takes.
    """

    def __init__(self) -> None:
        import zlib

        self._press = zlib.compressobj()
        self.compressed_bytes = 0

    def add(self, octets: Iterable[bytes]) -> None:
        """Count the next part of the history."""
        self.compressed_bytes += sum(len(self._press.compress(piece)) for piece in octets)
