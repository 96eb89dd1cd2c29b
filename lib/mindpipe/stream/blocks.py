"""Read whole lines many at a time, with a bound on memory, whatever the input is."""

from collections.abc import Iterator
from typing import BinaryIO

from mindpipe.core.problems import Problem

_PIECE = 1 << 18
_BOM = b"\xef\xbb\xbf"


def line_blocks(
    stream: BinaryIO, *, limit: int, source: str, setting: str | None
) -> Iterator[tuple[int, bytes] | Problem]:
    """Yield (number of the first line, whole lines), or a Problem for a line over `limit` bytes.

    Lines keep their ends; only the very last one may have none. Only LF ends a line; a CR before
    it does not count for its length; a BOM at the start of the stream is removed. A longer line
    is skipped in constant memory. `setting` names what raises the limit, if anything does.
    """
    reader = BlockReader(limit=limit, source=source, setting=setting)
    while piece := stream.read(min(_PIECE, limit)):
        yield from reader.take(piece)
    yield from reader.rest()


class BlockReader:
    """Cut pieces, none longer than the limit, into blocks of whole lines.

    So only a line that began in an earlier piece can be too long.
    """

    def __init__(self, *, limit: int, source: str, setting: str | None) -> None:
        self._limit = limit
        self._source = source
        self._words = f"longer than {limit} bytes; split it"
        if setting is not None:
            self._words += f" or raise {setting}"
        self._number = 1
        self._begun: list[bytes] = []
        self._length = 0
        self._skipping = False

    def take(self, piece: bytes) -> Iterator[tuple[int, bytes] | Problem]:
        """Yield what becomes whole with one more piece."""
        if self._skipping:
            piece = self._skip(piece)
        end = piece.rfind(b"\n") + 1
        if end:
            yield from self._block(piece[:end])
        if end < len(piece):
            self._begun.append(piece[end:])
            self._length += len(piece) - end
            if self._length > self._limit + len(_BOM) + 1:
                yield self._too_long()
                self._drop()
                self._skipping = True

    def rest(self) -> Iterator[tuple[int, bytes] | Problem]:
        """Yield the last line, which has no end."""
        last = self._without_bom(b"".join(self._begun))
        if len(last) > self._limit:
            yield self._too_long()
        elif last:
            yield self._number, last

    def _block(self, lines: bytes) -> Iterator[tuple[int, bytes] | Problem]:
        """Yield whole lines, joined with what was begun before."""
        block = self._without_bom(b"".join([*self._begun, lines]) if self._begun else lines)
        self._drop()
        end = block.index(b"\n")
        if end > self._limit and len(block[:end].removesuffix(b"\r")) > self._limit:
            yield self._too_long()
            self._number += 1
            block = block[end + 1 :]
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

    def _without_bom(self, octets: bytes) -> bytes:
        """Return the first lines of the stream without the mark at its start."""
        return octets.removeprefix(_BOM) if self._number == 1 else octets

    def _too_long(self) -> Problem:
        """Return the problem of the line that is being read."""
        return Problem(source=self._source, line=self._number, message=self._words)

    def _drop(self) -> None:
        """Forget what was begun."""
        self._begun.clear()
        self._length = 0
