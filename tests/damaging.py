"""Damage copies of a store as disks and people do, and know what is still there afterwards.

What is there is counted with SQLite's own table of pages, not with the reader that salvages.
"""

import collections
import contextlib
import random
from pathlib import Path

import apsw

PAGE = 4096
_LEAF = 13
_OVERFLOW_HEAD = 4
_CELLS = (
    "SELECT name, pageno, pagetype, ncell, path FROM dbstat WHERE name IN "
    "(SELECT name FROM pragma_table_list WHERE schema='main' AND type='table' AND wr=:wr)"
)


class Original:
    """A sound store: its octets, and which rows each of its pages holds."""

    def __init__(self, store: Path) -> None:
        self.octets = store.read_bytes()
        self.pages = len(self.octets) // PAGE
        self.rows: dict[str, int] = collections.Counter()
        self.held: dict[int, tuple[str, int]] = {}
        self.inner: list[int] = []
        with contextlib.closing(apsw.Connection(str(store))) as connection:
            for without_rowid in (0, 1):
                found = connection.execute(_CELLS, {"wr": without_rowid})
                for name, page, kind, cells, _ in found.fetchall():
                    self._note(name, page, kind, cells, inner=bool(without_rowid))

    def _note(self, name: str, page: int, kind: str, cells: int, *, inner: bool) -> None:
        """Note what a page holds: a part of one row, all its rows, or only pages."""
        counted = cells if kind == "leaf" or (inner and kind == "internal") else 0
        self.rows[name] += counted
        self.inner += [page] if kind == "internal" else []
        self.held[page] = (name, 1 if kind == "overflow" else counted)

    def without(self, damaged: set[int]) -> dict[str, int]:
        """Return how many rows of each table lie on pages that are not damaged, at least."""
        left = dict(self.rows)
        for page in damaged & set(self.held):
            name, cells = self.held[page]
            left[name] -= cells
        return left

    def copy(self, folder: Path, octets: bytes | bytearray) -> Path:
        """Write a damaged copy."""
        file = folder / "damaged.db"
        for suffix in ("-wal", "-shm", ".reserve"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        file.write_bytes(octets)
        file.chmod(0o600)
        return file

    def pages_of(self, table: str) -> list[int]:
        """Return the pages that are full of rows of a table; what is behind a row's end is not."""
        own = [page for page, (name, cells) in self.held.items() if name == table and cells]
        return [page for page in own if any(self.octets[(page - 1) * PAGE :][:4])]


def head_overwritten(original: Original, chance: random.Random) -> tuple[bytearray, set[int]]:
    """Overwrite the head of a page in use, often of one that leads to others.

    Return the octets and the damaged pages.
    """
    page = chance.choice(chance.choice((original.inner, sorted(original.held))))
    octets = bytearray(original.octets)
    at = (page - 1) * PAGE
    octets[at : at + 12] = b"\xff" * 12
    return octets, {page}


def cut(original: Original, chance: random.Random) -> tuple[bytearray, set[int]]:
    """Cut the file somewhere behind its first page."""
    length = chance.randrange(PAGE, len(original.octets))
    return bytearray(original.octets[:length]), set(range(length // PAGE + 1, original.pages + 1))


def bit_flipped(
    original: Original, chance: random.Random, pages: list[int] | None = None
) -> tuple[bytearray, set[int]]:
    """Flip one bit: of the rows of some pages, or anywhere."""
    octets = bytearray(original.octets)
    if pages is None:
        at = chance.randrange(len(octets))
    else:
        begin = (chance.choice(pages) - 1) * PAGE
        at = begin + chance.randrange(_rows_from(octets, begin), PAGE)
    octets[at] ^= 1 << chance.randrange(8)
    return octets, {at // PAGE + 1}


def _rows_from(octets: bytearray, begin: int) -> int:
    """Return where the rows of a leaf begin, or the part of one that fills an overflow page."""
    leaf = octets[begin] == _LEAF
    return int.from_bytes(octets[begin + 5 : begin + 7], "big") if leaf else _OVERFLOW_HEAD
