"""A build of `mind` that counts what it does to files, and dies just before the n-th of these.

What it does to files is each write, truncation, sync and deletion of SQLite, each file that is
opened to be written, renamed, linked or removed elsewhere, each message to a server, and each
failpoint that it passes.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import apsw

from mindpipe.core import failpoints
from mindpipe.store.postgres import connection
from mindpipe_cli import main
from support.broken_builds import Patch

AT = "KILLED_AT"
"""The variable that says before which step it dies."""
COUNT = "KILLED_COUNT"
"""The variable that names the file into which it writes how many steps there were."""
_CHANGES = {"os.rename", "os.remove", "os.link", "os.symlink", "os.mkdir", "os.rmdir"}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_NO_FILES = ("/dev/", "/proc/", "/sys/")


class _Steps:
    """The steps of this process; what its children do is not among them."""

    def __init__(self) -> None:
        self.count = 0
        self._at = int(os.environ.get(AT, "0"))
        self._process = os.getpid()

    def take(self, _what: object = None) -> None:
        """Count one step, or die."""
        if os.getpid() != self._process:
            return
        self.count += 1
        if self.count == self._at:
            os.kill(self._process, signal.SIGKILL)

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take the steps that Python tells of."""
        if event in _CHANGES or (event == "open" and _writes_file(arguments[0], arguments[2])):
            self.take()


def _writes_file(name: object, flags: int) -> bool:
    """Tell whether a file is opened to be written."""
    return bool(flags & _WRITES) and not str(name).startswith(_NO_FILES)


class _File(apsw.VFSFile):
    """A file of SQLite whose changes are steps."""

    def __init__(self, steps: _Steps, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._steps = steps

    def xLock(self, level: int) -> None:
        """Lock; who only reads cannot lock for writing, which SQLite expects when it closes."""
        try:
            super().xLock(level)
        except apsw.IOError as error:
            raise apsw.BusyError from error

    def xWrite(self, octets: Any, offset: int) -> None:
        """Write."""
        self._steps.take()
        super().xWrite(octets, offset)

    def xTruncate(self, size: int) -> None:
        """Give the file a size."""
        self._steps.take()
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        """Make the file durable; that no machine dies here makes it quick."""
        self._steps.take()


class _Disk(apsw.VFS):
    """The `unix` VFS, counted."""

    def __init__(self, steps: _Steps) -> None:
        super().__init__("steps", "unix", makedefault=True)
        self._steps = steps

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        """Open a file."""
        return _File(self._steps, name, flags)

    def xDelete(self, path: str, sync_folder: bool) -> None:  # noqa: FBT001 - SQLite's
        """Take a name away."""
        self._steps.take()
        super().xDelete(path, sync_folder)


_main = main.main


def _counted_main() -> None:
    """Run `mind` and write down how many steps there were, unless it dies."""
    steps = _Steps()
    disk = _Disk(steps)  # noqa: F841 - SQLite knows it as long as it is held
    failpoints.install(steps.take)
    sys.addaudithook(steps.hear)
    os.fsync = steps.take
    waits = connection.ServerConnection.wait

    def told(*message: Any, **how: Any) -> Any:
        steps.take()
        return waits(*message, **how)

    connection.ServerConnection.wait = told
    try:
        _main()
    finally:
        # The nursery ends its children at once; a whole interpreter closes what is open.
        for open_one in apsw.connections():
            open_one.close()
        if COUNT in os.environ:
            Path(os.environ[COUNT]).write_text(str(steps.count))


PATCHES: tuple[Patch, ...] = ((main, "main", _counted_main),)
