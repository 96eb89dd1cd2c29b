"""Read lines of bytes with a bound on memory, whatever the input is."""

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
