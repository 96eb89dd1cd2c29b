"""Lines of files and pipes: in blocks, bounded, in groups as they come."""

import os
import select
import time
from collections.abc import Iterator
from typing import BinaryIO

from mindpipe.core.problems import Problem

EVENT_BYTES = 1 << 20
IMPORT_BYTES = 64 << 20
_BOM = b"\xef\xbb\xbf"


def bounded_lines(
    stream: BinaryIO, *, limit: int, source: str, setting: str
) -> Iterator[tuple[int, bytes] | Problem]:
    """Yield (line number from 1, line without its end) or a Problem for a line over `limit` bytes.

    Only LF ends a line; a CR before it belongs to the end; a BOM at the start of the stream is
    removed; blank lines are passed over. A longer line is skipped in constant memory.
    """
    number = 0
    while line := stream.readline(limit + 2):
        number += 1
        if number == 1 and line.startswith(_BOM):
            line = line[3:]
        whole = line.endswith(b"\n")
        body = line.rstrip(b"\n").removesuffix(b"\r") if whole else line
        if len(body) > limit:
            if not whole:
                _skip_to_line_end(stream)
            yield Problem(
                source=source,
                line=number,
                message=f"longer than {limit} bytes; split it or raise {setting}",
            )
        elif body.strip():
            yield number, body


def _skip_to_line_end(stream: BinaryIO) -> None:
    """Read on in pieces until the line ends."""
    while piece := stream.readline(1 << 16):
        if piece.endswith(b"\n"):
            return


_BLOCK_BYTES = 1 << 18


def line_blocks(
    stream: BinaryIO, *, limit: int, source: str, setting: str | None
) -> Iterator[tuple[int, bytes] | Problem]:
    """Yield (number of the first line, whole lines), or a Problem for a line over `limit` bytes.

    Lines keep their ends; only the very last one may have none. Only LF ends a line; a CR before
    it does not count for its length; a BOM at the start of the stream is removed. A longer line
    is skipped in constant memory. `setting` names what raises the limit, if anything does.
    """
    reader = BlockReader(limit=limit, source=source, setting=setting)
    while piece := stream.read(min(_BLOCK_BYTES, limit)):
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


MOST_LINES = 100
SECONDS = 0.05
_PIPE_BYTES = 1 << 14


def line_groups(
    descriptor: int, *, limit: int, source: str, setting: str
) -> Iterator[list[tuple[int, bytes] | Problem]]:
    """Yield groups of (number of the first line, whole lines) or Problems.

    A group has at most 100 lines and waits at most 50 ms for more after its first one.
    """
    reader = BlockReader(limit=limit, source=source, setting=setting)
    pending: list[tuple[int, bytes] | Problem] = []
    due = 0.0
    while True:
        wait = max(0.0, due - time.monotonic()) if pending else None
        ready = bool(select.select([descriptor], [], [], wait)[0])
        piece = os.read(descriptor, min(_PIPE_BYTES, limit)) if ready else b""
        if not pending:
            due = time.monotonic() + SECONDS
        pending.extend(reader.take(piece) if piece else ())
        if ready and not piece:
            pending.extend(reader.rest())
        if ready and piece and time.monotonic() < due and _lines_in(pending) < MOST_LINES:
            continue
        yield from _groups(pending)
        pending = []
        if ready and not piece:
            return


def _lines_in(pending: list[tuple[int, bytes] | Problem]) -> int:
    """Return how many lines wait."""
    return sum(1 if isinstance(found, Problem) else found[1].count(b"\n") for found in pending)


def _groups(
    pending: list[tuple[int, bytes] | Problem],
) -> Iterator[list[tuple[int, bytes] | Problem]]:
    """Yield what waits in groups of at most 100 lines."""
    group: list[tuple[int, bytes] | Problem] = []
    lines = 0
    for found in pending:
        for part in [found] if isinstance(found, Problem) else _parts(*found):
            size = 1 if isinstance(part, Problem) else part[1].count(b"\n") or 1
            if group and lines + size > MOST_LINES:
                yield group
                group, lines = [], 0
            group.append(part)
            lines += size
    if group:
        yield group


def _parts(number: int, octets: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield lines in parts of at most 100."""
    while octets:
        end = taken = 0
        while taken < MOST_LINES and (at := octets.find(b"\n", end) + 1):
            end, taken = at, taken + 1
        yield number, octets[: end or None]
        octets = octets[end:] if end else b""
        number += taken
