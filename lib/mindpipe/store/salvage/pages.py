"""Read the rows of a SQLite file page by page, as its file format (version 3) lays them out.

SQLite itself refuses a whole table whose upper pages are damaged; this reads what is below them.
Pages that make no sense hold no rows, and neither do those whose checksum is wrong.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.store.records import Plain

INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
PAGE_SIZE = 4096
_TABLE = (INNER_TABLE, LEAF_TABLE)
_INNER = (INNER_INDEX, INNER_TABLE)
_HEADER_BYTES = 100
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)
_FLOAT, _ZERO, _ONE, _BLOB = 7, 8, 9, 12
_UNREADABLE = (IndexError, ValueError, struct.error)


class PageRow(NamedTuple):
    """One row as a page holds it: its rowid (None in an index or WITHOUT ROWID), its values."""

    rowid: int | None
    values: tuple[Plain, ...]


class Pages:
    """The pages of one file, numbered from 1."""

    def __init__(self, octets: bytes, *, checksums: bool) -> None:
        self._octets = octets
        self._usable = PAGE_SIZE - (8 if checksums else 0)
        self._checksums = checksums
        self.count = len(octets) // PAGE_SIZE

    def kind(self, number: int) -> int | None:
        """Return what kind of page of a table or index this is, or None if it is none."""
        if not 1 <= number <= self.count or not self._is_sound(number):
            return None
        kind = self._page(number)[self._start(number)]
        return kind if kind in (*_TABLE, INNER_INDEX, LEAF_INDEX) else None

    def children(self, number: int) -> list[int]:
        """Return the numbers of the pages below this one, 0 for one that cannot be read."""
        if self.kind(number) not in _INNER:
            return []
        page, start = self._page(number), self._start(number)
        found = [
            0 if cell is None else int.from_bytes(page[cell : cell + 4], "big")
            for cell in self._cells(number)
        ]
        return [*found, int.from_bytes(page[start + 8 : start + 12], "big")]

    def rows(self, number: int) -> Iterator[PageRow | None]:
        """Yield the rows that this page holds, without those below it; None for one unreadable."""
        kind = self.kind(number)
        if kind is None or kind == INNER_TABLE:
            return
        for cell in self._cells(number):
            try:
                yield None if cell is None else self._row(number, kind, cell)
            except _UNREADABLE:
                yield None

    def free(self) -> set[int]:
        """Return the numbers of the pages that hold nothing any more."""
        found: set[int] = set()
        trunk = int.from_bytes(self._octets[32:36], "big")
        while 1 <= trunk <= self.count and trunk not in found:
            page = self._page(trunk)
            following, leaves = struct.unpack(">II", page[:8])
            leaves = min(leaves, self._usable // 4 - 2)
            found |= {trunk, *struct.unpack(f">{leaves}I", page[8 : 8 + 4 * leaves])}
            trunk = following
        return found

    def _page(self, number: int) -> bytes:
        return self._octets[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]

    def _start(self, number: int) -> int:
        """Return where the head of a page begins: behind that of the file on page 1."""
        return _HEADER_BYTES if number == 1 else 0

    def _is_sound(self, number: int) -> bool:
        """Tell whether the page's checksum, if it has one, is that of its octets."""
        if not self._checksums:
            return True
        page = self._page(number)
        first = second = 0
        words = struct.unpack(f"<{self._usable // 4}I", page[: self._usable])
        for one, two in zip(words[::2], words[1::2], strict=True):
            first = (first + one + second) & 0xFFFFFFFF
            second = (second + two + first) & 0xFFFFFFFF
        return struct.pack("<II", first, second) == page[self._usable :]

    def _cells(self, number: int) -> list[int | None]:
        """Return where the cells of a page begin, None for one out of its bounds."""
        page, start = self._page(number), self._start(number)
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        first = start + (12 if page[start] in _INNER else 8)
        count = min(count, (self._usable - first) // 2)
        places = struct.unpack(f">{count}H", page[first : first + 2 * count])
        return [place if first + 2 * count <= place < self._usable else None for place in places]

    def _row(self, number: int, kind: int, cell: int) -> PageRow:
        """Return the row of one cell."""
        page = self._page(number)
        size, at = _varint(page, cell + (4 if kind == INNER_INDEX else 0))
        rowid: int | None = None
        if kind == LEAF_TABLE:
            rowid, at = _varint(page, at)
            rowid -= (rowid >> 63) << 64
        return PageRow(rowid, _record(self._payload(page, at, size, table=kind == LEAF_TABLE)))

    def _payload(self, page: bytes, at: int, size: int, *, table: bool) -> bytes:
        """Return the octets of a record, what overflows into other pages included."""
        usable = self._usable
        most = usable - 35 if table else (usable - 12) * 64 // 255 - 23
        if size <= most:
            return _whole(page[at : at + size], size)
        least = (usable - 12) * 32 // 255 - 23
        here = least + (size - least) % (usable - 4)
        here = least if here > most else here
        pieces, left = [page[at : at + here]], size - here
        following = int.from_bytes(page[at + here : at + here + 4], "big")
        while left > 0:
            if not 1 <= following <= self.count or not self._is_sound(following):
                raise ValueError("an overflowing row goes on nowhere")
            page = self._page(following)
            pieces.append(page[4 : 4 + min(left, usable - 4)])
            left -= usable - 4
            following = int.from_bytes(page[:4], "big")
        return _whole(b"".join(pieces), size)


def _whole(octets: bytes, size: int) -> bytes:
    """Return octets that are as many as they should be."""
    if len(octets) != size:
        raise ValueError("a row is cut")
    return octets


def _varint(octets: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine octets, and where it ends."""
    value = 0
    for index in range(8):
        value = value << 7 | octets[at + index] & 0x7F
        if octets[at + index] < 0x80:
            return value, at + index + 1
    return value << 8 | octets[at + 8], at + 9


def _record(payload: bytes) -> tuple[Plain, ...]:
    """Return the values of a record.

    Raises:
        ValueError: it is none.
    """
    end, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Plain] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError("a record of another length")
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Plain, int]:
    """Return one value of a record, and where it ends."""
    if kind < len(_INTEGER_BYTES):
        size = _INTEGER_BYTES[kind]
        octets = _whole(payload[at : at + size], size)
        return int.from_bytes(octets, "big", signed=True) if kind else None, at + size
    if kind == _FLOAT:
        return struct.unpack(">d", payload[at : at + 8])[0], at + 8
    if kind in (_ZERO, _ONE):
        return kind - _ZERO, at
    if kind < _BLOB:
        raise ValueError("no kind of value")
    size = (kind - _BLOB) // 2
    octets = _whole(payload[at : at + size], size)
    return octets.decode() if kind % 2 else octets, at + size
