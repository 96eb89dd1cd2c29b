"""Run `mind` as a broken build would: it reads a line to its end, however long that is."""

from collections.abc import Iterator
from typing import BinaryIO

from mindpipe.core.problems import Problem
from mindpipe.io import lines
from support.broken_builds import run_broken


def _by_readline(
    stream: BinaryIO, *, limit: int, source: str, setting: str
) -> Iterator[tuple[int, bytes] | Problem]:
    """Take a line and only then look how long it is."""
    number = 0
    while line := stream.readline():
        number += 1
        if len(line) > limit:
            message = f"longer than {limit} bytes; split it or raise {setting}"
            yield Problem(source=source, line=number, message=message)
        else:
            yield number, line


PATCHES = ((lines, "line_blocks", _by_readline),)

if __name__ == "__main__":
    run_broken(PATCHES)
