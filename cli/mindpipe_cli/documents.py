"""Read what a command is given as FILE, `-` or a pipe: as a whole, or open for its lines."""

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.stream.files import file_errors, read_whole, reading, unzipped
from mindpipe_cli import output

if TYPE_CHECKING:
    from pathlib import Path

_GZIP = b"\x1f\x8b"


class Whole(NamedTuple):
    """A document that was read whole: the name it goes by, and its octets."""

    name: str
    octets: bytes


def whole(file: str) -> Whole:
    """Read a file or stdin to its end; what is compressed with gzip is decompressed.

    Raises:
        UsageError: stdin is a terminal.
        NothingToDoError: there is nothing in it.
    """
    if file != "-":
        path = path_of(file)
        found = Whole(path.name, read_whole(path))
    else:
        found = Whole("stdin", _piped().read())
    if found.octets.startswith(_GZIP):
        with file_errors(path_of(found.name)):
            found = Whole(found.name, unzipped(found.octets, name=found.name))
    if not found.octets.strip():
        raise NothingToDoError(f"{found.name} is empty.")
    return found


@contextlib.contextmanager
def opened(file: str) -> Iterator[BinaryIO]:
    """Hold a file or stdin open; raises UsageError where stdin is a terminal."""
    if file == "-":
        yield _piped()
        return
    with reading(path_of(file)) as stream:
        yield stream


def redirected() -> bool:
    """Tell whether stdin is a file of which nothing was read yet.

    A pipe may be anybody's: that of whatever started the program.
    """
    try:
        found = os.fstat(0)
        return stat.S_ISREG(found.st_mode) and os.lseek(0, 0, os.SEEK_CUR) == 0 < found.st_size
    except OSError:
        return False


def path_of(file: str) -> "Path":
    """Return the path of a file; a filter that reads stdin does without pathlib."""
    from pathlib import Path

    return Path(file)


def _piped() -> BinaryIO:
    """Return stdin, which must not be a terminal."""
    if output.on_terminal("stdin"):
        raise UsageError("no input. Pipe records in or name a file.")
    return sys.stdin.buffer
