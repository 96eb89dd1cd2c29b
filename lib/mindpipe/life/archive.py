"""The octets of a life file: lines of JSON in one gzip member, and the seal in a second one.

`gunzip` gives all lines. The first is the manifest; then, for each table, its header, one line
for each row (an array in the order of the columns), and its end. The seal is of the octets as they
stand in the file, so that no changed bit of them goes unnoticed; its own member is not compressed,
and has only one spelling.
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
_SEAL_OCTETS = 256
_STORE = b"SQLite format 3\0"
_STORED_HEADER = bytes.fromhex("1f8b08000000000000ff")
LINE_OCTETS = 1 << 28
"""No line of a life file is longer; what claims to be would only fill the memory."""

_Stored = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
_ROW = msgspec.json.Decoder(tuple[_Stored | float | str | None, ...])
R = TypeVar("R", bound=Record)


def packed(
    manifest: LifeManifest, tables: Iterable[tuple[TableHeader, Iterator[Row]]]
) -> Iterator[bytes]:
    """Yield the octets of a file; of its lines about 64 KiB are held."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    sha256 = hashlib.sha256()
    for lines in _pieces(_lines(manifest, tables)):
        piece = packer.compress(lines)
        sha256.update(piece)
        yield piece
    last = packer.flush()
    sha256.update(last)
    yield last
    yield _seal_member(sha256.hexdigest())


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
        self._hash = hashlib.sha256()
        self._rest = b""
        self._lines = self._unpacked()
        self.manifest = self._manifest()

    def tables(self) -> Iterator[tuple[TableHeader, Iterator[Row]]]:
        """Yield each table; its rows have to be drawn before the next one is asked for."""
        for line in self._lines:
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
        if self._rest != _seal_member(self._hash.hexdigest()):
            raise self.fault("its seal does not fit its octets")

    def fault(self, why: str) -> InputOutputError:
        """Return the error that says why the file cannot be trusted."""
        return untrusted(self.name, why)

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
        for count, line in enumerate(self._lines):
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
                why = "it is no gzip file, or its octets have changed"
                if piece.startswith(_STORE):
                    why = "it is a whole store; pipe mind life export NAME --store FILE into this"
                raise self.fault(why) from None
            used = len(piece) - len(unpacker.unused_data)
            self._hash.update(piece[:used])
            *whole, rest = found.split(b"\n")
            if whole:
                yield b"".join([*waiting, whole[0]])
                yield from whole[1:]
                waiting = []
            waiting.append(rest)
            if sum(map(len, waiting)) > LINE_OCTETS:
                raise self.fault(f"a line of it is longer than {LINE_OCTETS} octets")
            if unpacker.eof:
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


def _seal_member(sha256: str) -> bytes:
    """Return the gzip member of the last line, stored as it is (RFC 1952; RFC 1951, 3.2.4)."""
    line = to_json(Seal(seal=sha256)) + b"\n"
    size = len(line)
    stored = struct.pack("<BHH", 1, size, size ^ 0xFFFF) + line
    return _STORED_HEADER + stored + struct.pack("<II", zlib.crc32(line), size)
