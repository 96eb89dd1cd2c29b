"""Files that only their owner may read: private opening, whole replacement, locked appending."""

import contextlib
import fcntl
import io
import os
import stat
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from mindpipe.core.errors import (
    BadInputError,
    InputOutputError,
    RefusedError,
    TemporaryError,
    UnavailableError,
)
from mindpipe.core.problems import Problem

if TYPE_CHECKING:
    import re
    from pathlib import Path

    from _typeshed import WriteableBuffer

MOST_UNZIPPED = 256 << 20
_EPOCH = "1970-01-01T00:00:00Z"
_UNFINISHED = ".unfinished"
_BESIDE = ("-wal", "-shm", "-journal")
# A store also keeps a reserve for a full disk.
_OF_STORE = (*_BESIDE, ".reserve")
# How a database begins, and what lies beside it: its -wal and -shm of either byte order, -journal.
_OF_SQLITE = (
    b"SQLite format 3\0",
    b"\x37\x7f\x06\x82",
    b"\x37\x7f\x06\x83",
    b"\x18\xe2\x2d\0\0\0\0\0",
    b"\0\x2d\xe2\x18\0\0\0\0",
    b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
)


def last_written(path: str, *, folders: Iterable[str] = ()) -> str | None:
    """Return the instant at which a file was last written to, None where there is none.

    What lies in one of the folders and is a link that leads out of them all is none.
    """
    from pathlib import Path

    from mindpipe.core.instants import later

    granted = tuple(map(Path, folders))
    if any(map(Path(path).is_relative_to, granted)):
        real = Path(path).resolve()
        if not any(real.is_relative_to(one.resolve()) for one in granted):
            return None
    try:
        found = Path(path).stat()
    except OSError:
        return None
    is_file = stat.S_ISREG(found.st_mode)
    return later(_EPOCH, seconds=found.st_mtime) if is_file else None


@contextlib.contextmanager
def file_errors(path: "Path") -> Iterator[None]:
    """Turn errors of the operating system, and of decompressing, about a file into ours."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise UnavailableError(f"{path} is not there; check the name.") from None
    except BrokenPipeError:
        raise
    except Exception as error:
        if _is_of_gzip(error):
            words = f"compressed with gzip, but broken: {error}"
            raise BadInputError([Problem(source=str(path), message=words)]) from None
        if isinstance(error, OSError):
            raise InputOutputError(f"{path}: {error.strerror or error}.") from None
        raise


def make_folder(path: "Path") -> None:
    """Make a folder for its owner alone, unless it is there; raises InputOutputError if it cannot.

    Its own folder must be there.
    """
    try:
        path.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise InputOutputError(f"{path}: {error.strerror or error}.") from None


def _is_of_gzip(error: Exception) -> bool:
    """Tell whether gzip raised it: for bytes that are not its own, torn off, or changed."""
    import gzip
    import zlib

    return isinstance(error, gzip.BadGzipFile | EOFError | zlib.error)


def open_private(path: "Path", flags: int) -> int:
    """Open a file with mode 0600, never through a symlink, and return its descriptor.

    Raises:
        RefusedError: the path is a symlink.
    """
    try:
        return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if path.is_symlink():
            raise _symlink(path) from error
        raise


def refuse_database(name: str) -> None:
    """Refuse to write over a database of SQLite or what lies beside one, whatever name it has.

    A store is one. Links are followed, and a second name of the same file counts as the first.

    Raises:
        RefusedError: it is one.
    """
    last = name.rpartition("/")[2]
    for ending in _OF_STORE:
        owner = name.removesuffix(ending)
        if last.endswith(ending) and last != ending and _begins_as(owner, _OF_SQLITE[:1]):
            raise RefusedError(f"{name} belongs to the SQLite database {owner}; name another file.")
    if _begins_as(name, _OF_SQLITE):
        raise RefusedError(
            f"{name} is an SQLite database or a part of one, such as a store; name another file."
        )


def _begins_as(name: str, beginnings: tuple[bytes, ...]) -> bool:
    """Tell whether there is a regular file that begins in one of these ways.

    One that does stays open until the process ends: closing it would drop the locks of whatever
    connection this process has to it.
    """
    try:
        if not stat.S_ISREG(os.stat(name).st_mode):  # noqa: PTH116 - does without pathlib
            return False
        descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return False
    found = os.pread(descriptor, 16, 0).startswith(beginnings)
    if not found:
        os.close(descriptor)
    return found


def is_same(path: "Path", name: str) -> bool:
    """Tell whether two names are of one file that is there."""
    try:
        return path.samefile(name)
    except OSError:
        return False


def require_private(name: str) -> None:
    """Raise RefusedError where anybody else may have read a file, or may have written it."""
    found = os.stat(name)  # noqa: PTH116 - loads no pathlib
    if found.st_uid not in {os.geteuid(), 0}:
        raise RefusedError(f"{name} belongs to somebody else; it is not used.")
    if stat.S_IMODE(found.st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        raise RefusedError(
            f"{name} can be read or changed by others; it is not used. Make it private "
            "(chmod 600), and replace a secret that somebody may have read."
        )


def read_if_there(name: str) -> bytes | None:
    """Return a file's bytes, or None where no file has that name.

    Every start asks this of the settings' files, so it does without pathlib, which takes a third
    of `python -c pass` to load.
    """
    try:
        with os.fdopen(os.open(name, os.O_RDONLY | os.O_CLOEXEC), "rb") as stream:
            return stream.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise InputOutputError(f"{name}: {error.strerror or error}.") from None


def read_whole(path: "Path") -> bytes:
    """Return a file's bytes; a name ending in .gz is decompressed."""
    with file_errors(path):
        octets = path.read_bytes()
        return unzipped(octets, name=str(path)) if path.name.endswith(".gz") else octets


def unzipped(octets: bytes, *, name: str) -> bytes:
    """Return what was compressed with gzip.

    Raises:
        BadInputError: it would be longer than anything that is read whole should be.
    """
    import gzip

    with gzip.open(io.BytesIO(octets)) as plain:
        found = plain.read(MOST_UNZIPPED + 1)
    if len(found) > MOST_UNZIPPED:
        words = f"longer than {MOST_UNZIPPED} bytes without gzip; if it should be, run gunzip first"
        raise BadInputError([Problem(source=name, message=words)])
    return found


@contextlib.contextmanager
def reading(path: "Path") -> Iterator[BinaryIO]:
    """Hold a file open for reading from its beginning; a name ending in .gz is decompressed."""
    with file_errors(path), path.open("rb") as stream:
        if not path.name.endswith(".gz"):
            yield stream
            return
        import gzip

        with gzip.open(stream) as plain:
            yield io.BufferedReader(_Unzipped(plain, path))


class _Unzipped(io.RawIOBase):
    """Read what is decompressed, with our errors, whoever reads it and when."""

    def __init__(self, plain: io.BufferedIOBase, path: "Path") -> None:
        self._plain = plain
        self._path = path

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Fill the buffer and return how much was read."""
        with file_errors(self._path):
            return self._plain.readinto(buffer)


def write_whole(path: "Path", pieces: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write a file so that it is there whole or not at all, durably.

    What is there but is no regular file (a device, a FIFO) is not replaced but written to.

    Raises:
        RefusedError: the path is a symlink to a regular file or to nothing, or a database.
    """
    refuse_database(str(path))
    with file_errors(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as stream:
                stream.writelines(pieces)
        elif path.is_symlink():
            raise _symlink(path)
        else:
            _replace(path, pieces, mode)


def _replace(path: "Path", pieces: Iterable[bytes], mode: int) -> None:
    """Write a file under another name and give it its own when it is safe on disk."""
    with unfinished_file(path) as (temporary, descriptor):
        with os.fdopen(os.dup(descriptor), "wb") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
        temporary.replace(path)
        sync_folder(path.parent)


@contextlib.contextmanager
def unfinished_file(target: "Path") -> Iterator[tuple["Path", int]]:
    """Give a new private file beside `target` and its descriptor; it is gone when the block ends.

    It is locked meanwhile, so that whoever writes the same file next can tell those that a killed
    process left, and removes them. A database that stands there for a while may have files beside
    it, which go too.
    """
    from pathlib import Path

    remove_unfinished(target)
    descriptor, name = _new_locked(target)
    try:
        yield Path(name), descriptor
    finally:
        _remove_with_its_own(name)
        os.close(descriptor)


def _new_locked(target: "Path") -> tuple[int, str]:
    """Make a private file beside `target` that is locked; return its descriptor and its name."""
    import tempfile

    while True:
        try:
            made = tempfile.mkstemp(
                prefix=f".{target.name}.", suffix=_UNFINISHED, dir=target.absolute().parent
            )
        except OSError as error:
            # Of the name that was asked for, not of one that is made up.
            raise OSError(error.errno, error.strerror, str(target)) from None
        try:
            if _is_locked(*made):
                return made
        except OSError:
            # A file system without locks; there nobody removes what is left.
            return made
        os.close(made[0])


def unfinished_name(target: "Path") -> "re.Pattern[str]":
    """Return what the names of unfinished files of `target` are like, which no user's file is."""
    import re

    return re.compile(rf"\.{re.escape(target.name)}\.[a-z0-9_]{{8}}{re.escape(_UNFINISHED)}")


def remove_unfinished(target: "Path") -> int:
    """Remove what killed processes left of `target` beside it; return how many files that were."""
    name = unfinished_name(target)
    count = 0
    with os.scandir(target.absolute().parent) as found:
        left = {each.path for each in found if each.is_file(follow_symlinks=False)}
    for path in sorted(left):
        own = path
        for ending in _BESIDE:
            own = own.removesuffix(ending)
        if not name.fullmatch(own.rpartition("/")[2]):
            continue
        if path != own and os.path.exists(own):  # noqa: PTH110 - as above
            continue
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                if _is_locked(descriptor, path):
                    _remove_with_its_own(path)
                    count += 1
            finally:
                os.close(descriptor)
    return count


def _is_locked(descriptor: int, name: str) -> bool:
    """Lock a file; tell whether it is ours, which it is not if somebody has it or removed it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), os.stat(name))  # noqa: PTH116 - as above
    except (BlockingIOError, FileNotFoundError):
        return False


def _remove_with_its_own(name: str) -> None:
    """Remove an unfinished file and what lies beside it if it is a database."""
    for ending in (*_BESIDE, ""):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{name}{ending}")  # noqa: PTH108 - as above


def _symlink(path: "Path") -> RefusedError:
    """Return the error for a name through which another file would be written."""
    return RefusedError(f"{path} is a symlink; name the file it points to.")


@contextlib.contextmanager
def locked_append(path: "Path") -> Iterator["LockedFile"]:
    """Hold an exclusive lock on a file of lines, to read it and then append to it durably.

    Raises:
        RefusedError: the path is a symlink or a database.
    """
    refuse_database(str(path))
    with file_errors(path):
        descriptor = open_private(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        with os.fdopen(descriptor, "r+b", buffering=0) as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            # Whoever made the file may not have come here yet; the first to hold it keeps its name.
            if os.fstat(stream.fileno()).st_size == 0:
                sync_folder(path.parent)
            yield LockedFile(stream)
            os.fsync(stream.fileno())


@contextlib.contextmanager
def alone_in(folder: "Path") -> Iterator[None]:
    """Wait until no other process is alone in a folder, and be so until the block ends.

    Raises:
        OSError: it cannot be opened.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def locked_folder(folder: "Path", *, shared: bool = False) -> Iterator[None]:
    """Let no other process lock a folder meanwhile, but to share it where that is wished.

    Raises:
        TemporaryError: one has locked it.
    """
    with file_errors(folder):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        does = "writes to" if shared else "writes to or reads"
        words = f"another process {does} {folder}; try again when it has ended."
        raise TemporaryError(words) from None
    finally:
        os.close(descriptor)


class LockedFile:
    """A file of lines that nobody else changes while it is held."""

    def __init__(self, stream: io.FileIO) -> None:
        self._stream = stream

    def lines(self) -> Iterator[bytes]:
        """Yield every whole line; a torn last line is passed over."""
        self._stream.seek(0)
        for line in io.BufferedReader(_Unclosing(self._stream)):
            if line.endswith(b"\n"):
                yield line.rstrip(b"\r\n")

    def append(self, lines: bytes | bytearray) -> None:
        """Append lines in one write; a torn last line is cut off first."""
        size = self._stream.seek(0, os.SEEK_END)
        end = size
        while end and self._byte_before(end) != b"\n":
            end -= 1
        if end != size:
            self._stream.truncate(end)
        self._stream.write(lines)

    def end_line(self) -> None:
        """End the last line where nothing ends it: it is whole, and no append cuts it off."""
        size = self._stream.seek(0, os.SEEK_END)
        if size and self._byte_before(size) != b"\n":
            self._stream.write(b"\n")

    def _byte_before(self, place: int) -> bytes:
        """Return the byte that ends at `place`."""
        self._stream.seek(place - 1)
        return self._stream.read(1)


class _Unclosing(io.RawIOBase):
    """Read from a stream without closing it when a buffer over it goes away."""

    def __init__(self, stream: io.FileIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Fill the buffer and return how much was read."""
        return self._stream.readinto(buffer) or 0


def remove(path: "Path") -> None:
    """Remove a file, durably."""
    with file_errors(path):
        path.unlink()
        sync_folder(path.parent)


def sync_folder(folder: "Path") -> None:
    """Make names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
