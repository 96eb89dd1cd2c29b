"""Look at a folder of files: what is there, what a file holds, and when something happens in it."""

import contextlib
import hashlib
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.errors import UnavailableError

MOST_HASHED = 64 << 20
"""Longer files are not read; their times and size tell whether they changed."""
HEAD_BYTES = 16 << 10
# File systems keep times in steps, the coarsest of 2 seconds.
_COARSEST_NS = 2_000_000_000
_STEP_MILLISECONDS = 50
_GROUP_MILLISECONDS = 100
_TURN_MILLISECONDS = 200
_PIECE = 1 << 20


class Survey(NamedTuple):
    """The regular files of a folder by their path in it, and the folders that cannot be read."""

    files: dict[str, str]
    blind: tuple[str, ...]


class FileSight(NamedTuple):
    """A file: its state, whether times can be trusted, and, where it was read, hash and head."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    settled: bool
    sha256: str | None = None
    head: bytes = b""


def survey(root: Path, passed_over: Callable[[str], bool]) -> Survey:
    """Return every regular file below a folder that is not passed over; links are not followed.

    Paths have `/` between names; octets that are no UTF-8 are escaped in them, and the files'
    values are the paths by which the system knows them. A folder is asked for with a `/` at its
    end.

    Raises:
        UnavailableError: the folder is not there, or is none.
    """
    files: dict[str, str] = {}
    blind: list[str] = []
    if not root.is_dir():
        raise UnavailableError(f"{root} is no folder; check the name.")
    waiting = [(str(root), "")]
    while waiting:
        folder, below = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    path = below + plain_path(entry.name)
                    if entry.is_dir(follow_symlinks=False):
                        if not passed_over(f"{path}/"):
                            waiting.append((entry.path, f"{path}/"))
                    elif entry.is_file(follow_symlinks=False) and not passed_over(path):
                        files[path] = entry.path
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            blind.append(below)
    return Survey(files, tuple(blind))


def plain_path(name: str) -> str:
    """Return a name of the file system as text that can be stored."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def glance(name: str) -> FileSight | None:
    """Return the state of a file without reading it; None where it is gone."""
    try:
        return _sight(os.lstat(name), settled=True)
    except OSError:
        return None


def read_closely(name: str, glanced: FileSight) -> FileSight | None:
    """Return the state of a file with the hash of what it holds; None where it is gone.

    What cannot be read, or is too long, is returned as it was glanced at.
    """
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError:
        return glanced
    with os.fdopen(descriptor, "rb", buffering=0) as stream, contextlib.suppress(OSError):
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            return None
        if before.st_size > MOST_HASHED:
            return _sight(before, settled=_is_old(before))
        digest, head = hashlib.sha256(), b""
        while piece := stream.read(_PIECE):
            digest.update(piece)
            head = head or piece[:HEAD_BYTES]
        after = os.fstat(descriptor)
        same = (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size)
        found = _sight(before, settled=same and _is_old(before))
        return found._replace(sha256=digest.hexdigest(), head=head)
    return glanced


def _is_old(found: os.stat_result) -> bool:
    """Tell whether a change that comes now would show other times."""
    return time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) > _COARSEST_NS


def _sight(found: os.stat_result, *, settled: bool) -> FileSight:
    """Return what a row can hold of a file's state."""
    return FileSight(
        size=found.st_size,
        mtime_ns=found.st_mtime_ns,
        ctime_ns=found.st_ctime_ns,
        inode=found.st_ino & ((1 << 63) - 1),
        settled=settled,
    )


def heard(
    root: Path, stop: threading.Event, *, passed_over: Callable[[str], bool]
) -> Iterator[set[str]]:
    """Yield the paths at which something happened; an empty set every 0.2 s at the latest.

    The first set comes when everything is watched. Ends when `stop` is set.

    Raises:
        UnavailableError: the folder is not there, or the system watches no more folders.
    """
    from watchfiles import watch

    start = f"{root}/"
    try:
        for changes in watch(
            root,
            watch_filter=None,
            debounce=_GROUP_MILLISECONDS,
            step=_STEP_MILLISECONDS,
            rust_timeout=_TURN_MILLISECONDS,
            yield_on_timeout=True,
            stop_event=stop,
            ignore_permission_denied=True,
            raise_interrupt=False,
        ):
            paths = {plain_path(name.removeprefix(start)) for _, name in changes}
            yield {path for path in paths if not passed_over(path)}
    except OSError as error:
        raise UnavailableError(
            f"{root} cannot be watched ({error.strerror or error}); check that it is there, or "
            "raise fs.inotify.max_user_watches."
        ) from None
    except UnicodeEncodeError:
        raise UnavailableError(f"{root} cannot be watched: its path is not UTF-8.") from None


def digest_of(folder: Path) -> str:
    """Return the SHA-256 of all files of a folder: their paths in it and what they hold."""
    digest = hashlib.sha256()
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        if path.suffix == ".pyc":
            continue
        name = path.relative_to(folder).as_posix().encode()
        digest.update(len(name).to_bytes(8, "big") + name)
        digest.update(path.stat().st_size.to_bytes(8, "big"))
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    return digest.hexdigest()
