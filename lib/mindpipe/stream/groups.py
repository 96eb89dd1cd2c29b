"""Read lines from a pipe without end in small groups, each as soon as it is due."""

import os
import select
import time
from collections.abc import Iterator

from mindpipe.core.problems import Problem
from mindpipe.stream.blocks import BlockReader

MOST_LINES = 100
SECONDS = 0.05
_PIECE = 1 << 14


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
        piece = os.read(descriptor, min(_PIECE, limit)) if ready else b""
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
