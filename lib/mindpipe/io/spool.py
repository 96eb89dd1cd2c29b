"""Keep pieces of bytes until they are wanted: in memory while few, then in a private file."""

import os
from array import array
from collections.abc import Iterator
from types import TracebackType
from typing import IO, Self

from mindpipe.core.errors import InputOutputError

MEMORY_BYTES = 8 << 20
_AHEAD = 16 << 10
"""So much is read at once: most pieces are short, and are looked at one after the other."""


class Spool:
    """Pieces in order; the file has no name and goes away with the spool."""

    def __init__(self, memory: int = MEMORY_BYTES) -> None:
        self._memory = memory
        self._pieces: list[bytes] = []
        self._ends = array("Q")
        self._bytes = 0
        self._file: IO[bytes] | None = None
        self._ahead = b""
        self._ahead_at = 0

    def __enter__(self) -> Self:
        """Give the spool."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the file go."""
        if self._file is not None:
            self._file.close()

    def __len__(self) -> int:
        """Return how many bytes there are."""
        return self._bytes

    def add(self, piece: bytes) -> None:
        """Keep one more piece.

        Raises:
            InputOutputError: the temporary folder is full.
        """
        self._bytes += len(piece)
        self._ends.append(self._bytes)
        if self._file is not None:
            self._write(self._file, [piece])
            return
        self._pieces.append(piece)
        if self._bytes > self._memory:
            self._file = self._moved()

    def pieces(self) -> Iterator[bytes]:
        """Yield the pieces from the first on, as they were added."""
        yield from map(self.piece, range(len(self._ends)))

    def piece(self, number: int) -> bytes:
        """Return one piece, by its number from 0."""
        if self._file is None:
            return self._pieces[number]
        start, end = self._ends[number - 1] if number else 0, self._ends[number]
        if end - start > _AHEAD:
            return _read(self._file, start, end)
        at = start - self._ahead_at
        if at < 0 or at + end - start > len(self._ahead):
            self._ahead = _read(self._file, start, min(start + _AHEAD, self._bytes))
            self._ahead_at, at = start, 0
        return self._ahead[at : at + end - start]

    def _moved(self) -> IO[bytes]:
        """Move what is in memory to a private temporary file."""
        import tempfile

        file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the spool
        self._write(file, self._pieces)
        self._pieces.clear()
        return file

    @staticmethod
    def _write(file: IO[bytes], pieces: list[bytes]) -> None:
        """Write pieces at the end."""
        try:
            file.writelines(pieces)
            file.flush()
        except OSError as error:
            raise InputOutputError(f"no room for a temporary file: {error.strerror}.") from None


def _read(file: IO[bytes], start: int, end: int) -> bytes:
    """Return some octets of a file; one call may give no more than 2 GiB of them."""
    octets = os.pread(file.fileno(), end - start, start)
    while octets and start + len(octets) < end:
        octets += os.pread(file.fileno(), end - start - len(octets), start + len(octets))
    return octets
