"""A secret that is taken out of a life: all the spellings of it, and the hashes that change."""

import base64
import json
import re

from mindpipe.core.ports import Cell, Row
from mindpipe.core.redaction import MARK
from mindpipe.history.rows import digest

SHORTEST = 4
"""What is shorter stands in words that were never meant."""

_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_DEPTH = 3
"""So often JSON stands in JSON: arguments as a text, in a message, in what takes a change back."""

_MARKED = re.compile(r"\[(?:redacted-*|-{2,})\]")


def is_marked(row: Row) -> bool:
    """Tell whether a row has what looks like a mark, of whatever secret."""
    return any(isinstance(cell, str) and _MARKED.search(cell) for cell in row)


def mark_of(secret: str) -> str:
    """Return what stands for a secret: as long as it is, so that every quotation stays in place."""
    short = f"[{'-' * (len(secret) - 2)}]"
    begins = MARK[:-1]
    return short if len(secret) < len(MARK) else begins + "-" * (len(secret) - len(MARK)) + "]"


def hashes_in(octets: bytes) -> set[str]:
    """Return what could be hashes of octets."""
    return set(_HASH.findall(octets.decode("latin-1")))


class Mask:
    """Puts a mark for one secret, and new hashes for those of octets that had it.

    A secret that is encoded otherwise than as JSON is not found.
    """

    def __init__(self, secret: str) -> None:
        self._mark = mark_of(secret)
        spelled = {secret}
        for is_ascii in (True, False):
            inner = secret
            for _ in range(_DEPTH):
                inner = json.dumps(inner, ensure_ascii=is_ascii)[1:-1]
                spelled.add(inner)
        self._spelled = sorted(spelled, key=len, reverse=True)
        self.moved: dict[str, str] = {}

    def text(self, text: str) -> str:
        """Return text without the secret."""
        for spelled in self._spelled:
            text = text.replace(spelled, self._mark)
        if self.moved:
            text = _HASH.sub(lambda found: self.moved.get(found[0], found[0]), text)
        return text

    def octets(self, octets: bytes) -> bytes:
        """Return octets without the secret, as UTF-8, whatever else they are."""
        text = octets.decode("utf-8", "surrogateescape")
        clean = self.text(text)
        return octets if clean == text else clean.encode("utf-8", "surrogateescape")

    def named_octets(self, sha256: str, octets: bytes) -> tuple[str, bytes]:
        """Return octets without the secret under their hash, by which the old one is known here."""
        clean = self.octets(octets)
        if clean is octets:
            return sha256, octets
        self.moved[sha256] = digest(clean)
        return self.moved[sha256], clean

    def base64(self, text: str) -> str:
        """Return octets in base64 without the secret."""
        octets = base64.b64decode(text)
        clean = self.octets(octets)
        return text if clean is octets else base64.b64encode(clean).decode()

    def row(self, row: Row, *, encoded: int | None = None) -> Row:
        """Return a row without the secret; the cell at `encoded` is base64."""

        def clean(place: int, cell: Cell) -> Cell:
            if isinstance(cell, bytes):
                return self.octets(cell)
            if not isinstance(cell, str):
                return cell
            return self.base64(cell) if place == encoded else self.text(cell)

        return tuple(clean(place, cell) for place, cell in enumerate(row))
