"""The octets of a file that is not held: each part is read when it is asked for."""

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, overload

from mindpipe.core.errors import InputOutputError
from mindpipe.io.files import file_errors

if TYPE_CHECKING:
    from pathlib import Path

_WINDOW = 1 << 20
"""So much is read at once: most parts are short, and are looked at one after the other."""


class FileOctets:
    """The octets that a file has when it is opened, as bytes of which only a window is held.

    `path` is where other readers find the file, None where it has no name.
    """

    def __init__(self, file: IO[bytes], *, name: str, path: str | None = None) -> None:
        self.path = path
        self._file = file
        self._name = name
        self._length = os.fstat(file.fileno()).st_size
        self._window = b""
        self._at = 0

    def __len__(self) -> int:
        """Return how many there are."""
        return self._length

    @overload
    def __getitem__(self, wanted: int, /) -> int: ...
    @overload
    def __getitem__(self, wanted: slice, /) -> bytes: ...
    def __getitem__(self, wanted: int | slice, /) -> int | bytes:
        """Return one of them, or those that stand side by side.

        Raises:
            InputOutputError: the file became shorter, or cannot be read.
        """
        if isinstance(wanted, int):
            return self[wanted : wanted + 1][0]
        start, end, _ = wanted.indices(self._length)
        if end - start > _WINDOW:
            return self._read(start, end)
        if start < self._at or end > self._at + len(self._window):
            self._move(start)
        return self._window[start - self._at : max(start, end) - self._at]

    def startswith(self, prefix: bytes, /) -> bool:
        """Tell how they begin."""
        return self[: len(prefix)] == prefix

    def find(self, wanted: bytes, start: int = 0, /) -> int:
        """Return where some octets stand first, from a place on; -1 where they do not."""
        place = start
        while place < self._length:
            if not self._at <= place < self._at + len(self._window) - len(wanted) + 1:
                self._move(place)
            found = self._window.find(wanted, place - self._at)
            if found >= 0:
                return self._at + found
            # What is looked for may begin at the end of a window.
            place = max(place + 1, self._at + len(self._window) - len(wanted) + 1)
        return -1

    def _move(self, start: int) -> None:
        """Hold the octets from a place on."""
        self._window = self._read(start, min(self._length, start + _WINDOW))
        self._at = start

    def _read(self, start: int, end: int) -> bytes:
        """Read some of them; one call may give no more than 2 GiB."""
        pieces: list[bytes] = []
        try:
            while start < end:
                piece = os.pread(self._file.fileno(), end - start, start)
                if not piece:
                    raise InputOutputError(f"{self._name} became shorter while it was read.")
                pieces.append(piece)
                start += len(piece)
        except OSError as error:
            raise InputOutputError(f"{self._name}: {error.strerror or error}.") from None
        return b"".join(pieces)


@contextmanager
def opened(path: "Path") -> Iterator[FileOctets]:
    """Give the octets of a file; of a pipe or a device that has a name, those of its copy.

    Raises:
        UnavailableError: there is no such file.
    """
    with ExitStack() as held:
        with file_errors(path):
            file = held.enter_context(path.open("rb"))
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            yield FileOctets(file, name=str(path), path=str(path))
        else:
            yield held.enter_context(copied(file, name=str(path)))


@contextmanager
def copied(stream: IO[bytes], *, name: str) -> Iterator[FileOctets]:
    """Give the octets of a stream, which are kept in a private temporary file.

    Raises:
        InputOutputError: the temporary folder is full, or the stream cannot be read.
    """
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as file:
        try:
            shutil.copyfileobj(stream, file, _WINDOW)
            file.flush()
        except OSError as error:
            raise InputOutputError(f"{name} cannot be put aside: {error.strerror}.") from None
        yield FileOctets(file, name=name)
