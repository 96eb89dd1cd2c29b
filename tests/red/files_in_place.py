"""A build, counted and killed, that writes a file where it is to be, half by half."""

import os
from collections.abc import Iterable
from pathlib import Path

from mindpipe.io import files
from support import killed_steps


def _write_in_place(path: Path, pieces: Iterable[bytes], mode: int) -> None:
    """Write what comes, half by half."""
    octets = b"".join(pieces)
    half = len(octets) // 2
    with path.open("wb") as stream:
        for piece in (octets[:half], octets[half:]):
            stream.write(piece)
            stream.flush()
            os.fsync(stream.fileno())
    path.chmod(mode)


PATCHES = (*killed_steps.PATCHES, (files, "_replace", _write_in_place))
