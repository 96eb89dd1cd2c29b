"""Read whole lines many at a time, with a bound on memory, whatever the input is."""

import io
from collections.abc import Iterator

from mindpipe.core.problems import Problem

_PIECE = 1 << 17
_BOM = b"\xef\xbb\xbf"


def line_blocks(
    stream: io.BufferedIOBase, *, limit: int, source: str, setting: str
) -> Iterator[tuple[int, bytes] | Problem]:
    """Yield (number of the first line, whole lines), or a Problem for a line over `limit` bytes.

    Lines keep their ends; only the very last one may have none. Only LF ends a line; a CR before
    it does not count for its length; a BOM at the start of the stream is removed. A longer line
    is skipped in constant memory.
    """
    reader = _BlockReader(limit)
    first = True
    while piece := stream.read1(min(_PIECE, limit)):
        if first:
            piece = _without_bom(piece, stream)
            first = False
        for found in reader.take(piece):
            yield _worded(found, limit=limit, source=source, setting=setting)
    for found in reader.rest():
        yield _worded(found, limit=limit, source=source, setting=setting)


def _without_bom(piece: bytes, stream: io.BufferedIOBase) -> bytes:
    """Return the first piece without a BOM, reading on where it is too short to tell."""
    while len(piece) < len(_BOM) and _BOM.startswith(piece) and (more := stream.read1(1)):
        piece += more
    return piece.removeprefix(_BOM)


def _worded(
    found: int | tuple[int, bytes], *, limit: int, source: str, setting: str
) -> tuple[int, bytes] | Problem:
    """Return a block as it is, the number of a too long line as its problem."""
    if isinstance(found, tuple):
        return found
    message = f"longer than {limit} bytes; split it or raise {setting}"
    return Problem(source=source, line=found, message=message)


class _BlockReader:
    """Cut pieces into blocks of whole lines; a number stands for a line that is too long.

    No piece is longer than the limit, so only a line that began in an earlier piece can be.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._number = 1
        self._begun: list[bytes] = []
        self._length = 0
        self._skipping = False

    def take(self, piece: bytes) -> Iterator[int | tuple[int, bytes]]:
        """Yield what becomes whole with one more piece."""
        if self._skipping:
            piece = self._skip(piece)
        end = piece.rfind(b"\n") + 1
        if end:
            yield from self._block(piece[:end])
        if end < len(piece):
            self._begun.append(piece[end:])
            self._length += len(piece) - end
            if self._length > self._limit + 1:
                yield self._number
                self._drop()
                self._skipping = True

    def rest(self) -> Iterator[int | tuple[int, bytes]]:
        """Yield the last line, which has no end."""
        if self._length > self._limit:
            yield self._number
        elif self._length:
            yield self._number, b"".join(self._begun)

    def _block(self, lines: bytes) -> Iterator[int | tuple[int, bytes]]:
        """Yield whole lines, joined with what was begun before."""
        end = lines.index(b"\n")
        last = lines[end - 1 : end] if end else b"".join(self._begun)[-1:]
        long = self._length + end - (last == b"\r") > self._limit
        if long:
            yield self._number
            self._number += 1
            lines = lines[end + 1 :]
        block = lines if long or not self._begun else b"".join([*self._begun, lines])
        self._drop()
        if block:
            yield self._number, block
            self._number += block.count(b"\n")

    def _skip(self, piece: bytes) -> bytes:
        """Return what of a piece stands after the end of the line that is skipped."""
        end = piece.find(b"\n")
        if end < 0:
            return b""
        self._skipping = False
        self._number += 1
        return piece[end + 1 :]

    def _drop(self) -> None:
        """Forget what was begun."""
        self._begun.clear()
        self._length = 0
