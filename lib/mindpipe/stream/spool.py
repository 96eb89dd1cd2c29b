"""Keep pieces of bytes until they are wanted: in memory while few, then in a private file."""

from collections.abc import Iterator
from typing import IO, Generic, TypeVar

from mindpipe.core.errors import InputOutputError

MEMORY_BYTES = 8 << 20

Tag = TypeVar("Tag")


class Spool(Generic[Tag]):
    """Pieces in order, each with a tag; the file has no name and goes away with the spool."""

    def __init__(self, memory: int = MEMORY_BYTES) -> None:
        self._memory = memory
        self._pieces: list[bytes] = []
        self._tags: list[tuple[Tag, int]] = []
        self._bytes = 0
        self._file: IO[bytes] | None = None

    def __len__(self) -> int:
        """Return how many bytes there are."""
        return self._bytes

    def add(self, tag: Tag, piece: bytes) -> None:
        """Keep one more piece.

        Raises:
            InputOutputError: the temporary folder is full.
        """
        self._tags.append((tag, len(piece)))
        self._bytes += len(piece)
        if self._file is None:
            self._pieces.append(piece)
            if self._bytes > self._memory:
                self._file = self._moved()
            return
        self._write(self._file, [piece])

    def pieces(self) -> Iterator[tuple[Tag, bytes]]:
        """Yield tags and pieces from the first on."""
        if self._file is None:
            for (tag, _), piece in zip(self._tags, self._pieces, strict=True):
                yield tag, piece
            return
        self._file.seek(0)
        for tag, size in self._tags:
            yield tag, self._file.read(size)

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
        except OSError as error:
            raise InputOutputError(f"no room for a temporary file: {error.strerror}.") from None
