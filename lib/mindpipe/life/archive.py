"""The octets of a life file: lines of JSON in one gzip member, and the seal in a second one.

`gunzip` gives all lines. The first is the manifest; then, for each table, its header, one line
for each row (an array in the order of the columns), and its end. The seal is of the octets as they
stand in the file, so that no changed bit of them goes unnoticed; its own member is not compressed,
and has only one spelling. It also has a short hash for each stretch of the octets, which tells
where a file has changed.
"""

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import Annotated, TypeVar

import msgspec

from mindpipe.core.errors import InputOutputError
from mindpipe.core.ports import Row
from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.life.records import FORMAT, LifeManifest, Seal, TableEnd, TableHeader

_LEVEL = 3
_GZIP = 31
_PIECE = 1 << 16
_SEAL_OCTETS = 1 << 15
_STORE = b"SQLite format 3\0"
_STORED_HEADER = bytes.fromhex("1f8b08000000000000ff")
_SEALED = "its seal is of the octets as mind life export wrote them"
UNPACKED = b'{"life":'
"""What a life file begins with that was unpacked."""
LINE_OCTETS = 1 << 28
"""No line of a life file is longer; what claims to be would only fill the memory."""

_Stored = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
_ROW = msgspec.json.Decoder(tuple[_Stored | float | str | None, ...])
R = TypeVar("R", bound=Record)


class _Octets:
    """The hash of all octets that were given, and one for each stretch of them, at most 1024.

    Where there are more, each two become one, of twice the length: the hash of their hashes.
    """

    _MOST, _FIRST, _DIGITS = 1024, 4096, 8

    def __init__(self) -> None:
        self._whole = hashlib.sha256()
        self._open, self._left = hashlib.sha256(), self._FIRST
        self._hashes: list[bytes] = []
        self._doubled = 0
        self._odd: list[bytes] = []

    def add(self, octets: bytes) -> None:
        """Take more octets in."""
        self._whole.update(octets)
        view = memoryview(octets)
        while len(view) >= self._left:
            self._open.update(view[: self._left])
            view = view[self._left :]
            self._close(self._open.digest())
            self._open, self._left = hashlib.sha256(), self._FIRST
        self._open.update(view)
        self._left -= len(view)

    def _close(self, digest: bytes) -> None:
        """Keep the hash of a stretch of the first length, with its neighbours where these are."""
        self._odd.append(digest)
        if len(self._odd) < 1 << self._doubled:
            return
        self._hashes.append(_joined(self._odd))
        self._odd = []
        if len(self._hashes) == self._MOST:
            pairs = zip(self._hashes[::2], self._hashes[1::2], strict=True)
            self._hashes = [_joined(pair) for pair in pairs]
            self._doubled += 1

    def seal(self) -> Seal:
        """Return what proves them, and where they have changed."""
        last = _joined([*self._odd, self._open.digest()])
        hashes = "".join(one.hex()[: self._DIGITS] for one in (*self._hashes, last))
        octets = self._FIRST << self._doubled
        return Seal(seal=self._whole.hexdigest(), octets=octets, hashes=hashes)

    def changed(self, then: Seal) -> tuple[int, int] | None:
        """Return the first and the last octet between which they are others than then, or None."""
        now = self.seal()
        if now.octets != then.octets:
            return None
        size = self._DIGITS
        most = max(len(then.hashes), len(now.hashes))
        places = [
            place // size
            for place in range(0, most, size)
            if then.hashes[place : place + size] != now.hashes[place : place + size]
        ]
        if not places:
            return None
        return places[0] * now.octets, (places[-1] + 1) * now.octets - 1


def _joined(hashes: Iterable[bytes]) -> bytes:
    """Return the hash of some hashes; of one alone it is that."""
    known = list(hashes)
    return known[0] if len(known) == 1 else hashlib.sha256(b"".join(known)).digest()


def packed(
    manifest: LifeManifest, tables: Iterable[tuple[TableHeader, Iterator[Row]]]
) -> Iterator[bytes]:
    """Yield the octets of a file; of its lines about 64 KiB are held."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    octets = _Octets()
    for lines in _pieces(_lines(manifest, tables)):
        piece = packer.compress(lines)
        octets.add(piece)
        yield piece
    last = packer.flush()
    octets.add(last)
    yield last
    yield _seal_member(octets.seal())


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield lines with their ends, many at once."""
    waiting: list[bytes] = []
    size = 0
    for line in lines:
        waiting += (line, b"\n")
        size += len(line) + 1
        if size >= _PIECE:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


def _lines(
    manifest: LifeManifest, tables: Iterable[tuple[TableHeader, Iterator[Row]]]
) -> Iterator[bytes]:
    """Yield all lines but the seal."""
    yield to_json(manifest)
    for header, rows in tables:
        yield to_json(header)
        sha256, count = hashlib.sha256(), 0
        for row in rows:
            line = to_json(row)
            sha256.update(line + b"\n")
            count += 1
            yield line
        yield to_json(TableEnd(rows=count, sha256=sha256.hexdigest()))


def untrusted(name: str, why: str) -> InputOutputError:
    """Return the error that says why a file cannot be trusted."""
    return InputOutputError(f"{name} is no life file that can be trusted: {why}.")


class LifeReader:
    """Read a file piece by piece; nothing of it may be kept unless `finish` has come back.

    Raises, from every method:
        InputOutputError: the file is none, or not as it was written.
    """

    def __init__(self, pieces: Iterable[bytes], *, name: str) -> None:
        self.name = name
        self._pieces = iter(pieces)
        self._octets = _Octets()
        self._rest = b""
        self._table, self._row = "", 0
        self._lines = self._unpacked()
        self.manifest = self._manifest()

    def tables(self) -> Iterator[tuple[TableHeader, Iterator[Row]]]:
        """Yield each table; its rows have to be drawn before the next one is asked for."""
        for line in self._lines:
            if line.startswith(b'{"seal"'):
                raise self.fault(f"it was packed anew, and {_SEALED}")
            header = self._record(line, TableHeader, "what stands before a table")
            yield header, self._rows(header)

    def skip(self) -> None:
        """Draw all tables, for what they prove alone."""
        for _, rows in self.tables():
            for _ in rows:
                pass

    def finish(self) -> None:
        """Check the seal, after all tables have been drawn."""
        for _ in self._lines:
            raise self.fault("something stands behind its tables")
        seal = _seal_member(self._octets.seal())
        if self._rest != seal and self._rest.startswith(seal):
            raise untrusted(
                self.name, "something stands behind its seal; nothing before it changed"
            )
        if self._rest != seal:
            raise self.fault("its seal does not fit its octets")

    def fault(self, why: str) -> InputOutputError:
        """Return the error that says why the file cannot be trusted, and where, if that is told."""
        changed = self._changed()
        if changed is not None:
            first, last = changed
            where = f", at or behind row {self._row} of {self._table}" if self._table else ""
            why = f"of its octets {first} to {last} some have changed{where}"
        return untrusted(self.name, why)

    def _changed(self) -> tuple[int, int] | None:
        """Return between which octets the file has changed, by its seal, to which it is read."""
        for piece in self._pieces:
            self._take(piece)
        place = self._rest.rfind(_STORED_HEADER)
        line = self._rest[place + len(_STORED_HEADER) + 5 : -8]
        try:
            seal = msgspec.json.decode(line, type=Seal)
        except NO_RECORD:
            return None
        if self._rest[place:] != _seal_member(seal):
            return None
        self._octets.add(self._rest[:place])
        self._rest = self._rest[place:]
        return self._octets.changed(seal)

    def _take(self, octets: bytes) -> None:
        """Take octets in, all but the last: the seal may be among them, where they have changed."""
        self._rest += octets
        if len(self._rest) > 2 * _SEAL_OCTETS:
            self._octets.add(self._rest[:-_SEAL_OCTETS])
            self._rest = self._rest[-_SEAL_OCTETS:]

    def _manifest(self) -> LifeManifest:
        line = next(self._lines, b"")
        try:
            form = msgspec.json.decode(line, type=dict[str, object]).get("life")
        except NO_RECORD:
            raise self.fault("it does not begin with a manifest") from None
        if form != FORMAT:
            raise self.fault(f"its form is {form}, this program reads {FORMAT}; upgrade mindpipe")
        return self._record(line, LifeManifest, "its manifest")

    def _rows(self, header: TableHeader) -> Iterator[Row]:
        """Yield the rows of a table, then compare them with what stands behind them."""
        sha256 = hashlib.sha256()
        self._table = header.table
        for count, line in enumerate(self._lines):
            self._row = count + 1
            if line.startswith(b"{"):
                end = self._record(line, TableEnd, f"the end of {header.table}")
                if (end.rows, end.sha256) != (count, sha256.hexdigest()):
                    raise self.fault(f"the rows of {header.table} are not those that were written")
                return
            sha256.update(line + b"\n")
            try:
                row = _ROW.decode(line)
            except NO_RECORD:
                raise self.fault(f"row {count + 1} of {header.table} is none") from None
            if len(row) != len(header.columns):
                raise self.fault(f"row {count + 1} of {header.table} has {len(row)} cells")
            yield row
        raise self.fault(f"it ends within {header.table}")

    def _record(self, line: bytes, into: type[R], what: str) -> R:
        try:
            return msgspec.json.decode(line, type=into)
        except NO_RECORD as error:
            raise self.fault(f"{what} is none: {error}") from None

    def _unpacked(self) -> Iterator[bytes]:
        """Yield the lines of the first member; what comes behind it is put aside."""
        unpacker = zlib.decompressobj(_GZIP)
        waiting: list[bytes] = []
        for piece in self._pieces:
            try:
                found = unpacker.decompress(piece)
            except zlib.error:
                self._take(piece)
                why = "it is no gzip file, or its octets have changed"
                if piece.startswith(_STORE):
                    why = "it is a whole store; pipe mind life export NAME --store FILE into this"
                elif piece.startswith(UNPACKED):
                    why = f"it was unpacked, and {_SEALED}"
                raise self.fault(why) from None
            used = len(piece) - len(unpacker.unused_data)
            self._take(piece[:used])
            *whole, rest = found.split(b"\n")
            if whole:
                yield b"".join([*waiting, whole[0]])
                yield from whole[1:]
                waiting = []
            waiting.append(rest)
            if sum(map(len, waiting)) > LINE_OCTETS:
                raise self.fault(f"a line of it is longer than {LINE_OCTETS} octets")
            if unpacker.eof:
                self._octets.add(self._rest)
                self._put_aside(unpacker.unused_data)
                break
        if not unpacker.eof or any(waiting):
            raise self.fault("it is cut off")

    def _put_aside(self, first: bytes) -> None:
        """Keep what follows, but no more than a seal and a little, which shows that it is none."""
        self._rest = first
        for piece in self._pieces:
            if len(self._rest) > _SEAL_OCTETS:
                break
            self._rest += piece


def _seal_member(seal: Seal) -> bytes:
    """Return the gzip member of the last line, stored as it is (RFC 1952; RFC 1951, 3.2.4)."""
    line = to_json(seal) + b"\n"
    size = len(line)
    stored = struct.pack("<BHH", 1, size, size ^ 0xFFFF) + line
    return _STORED_HEADER + stored + struct.pack("<II", zlib.crc32(line), size)
