"""Run `mind` as a broken build would: it reads the whole input before it looks at a line."""

import io
from collections.abc import Iterator
from typing import BinaryIO

from mindpipe.core.problems import Problem
from mindpipe.io import lines
from mindpipe.io.lines import line_blocks
from support.broken_builds import run_broken


def _read_whole(
    stream: BinaryIO, *, limit: int, source: str, setting: str
) -> Iterator[tuple[int, bytes] | Problem]:
    """Hold everything in memory, then go on as usual."""
    whole = io.BytesIO(stream.read())
    yield from line_blocks(whole, limit=limit, source=source, setting=setting)


PATCHES = ((lines, "line_blocks", _read_whole),)

if __name__ == "__main__":
    run_broken(PATCHES)
