"""Child processes and others on this machine: started, read, known by their birth."""

import contextlib
import os
import select
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from typing import IO

from mindpipe.core.errors import InputOutputError
from mindpipe.core.ports import Limits, ProgramCall
from mindpipe.core.problems import Problem
from mindpipe.io.files import read_if_there
from mindpipe.io.lines import line_groups
from mindpipe.io.programs import SPARE_SECONDS, cannot_start, kept

_PIECE = 1 << 16
_LAST_WORDS = 2000
_LAST_WORDS_SECONDS = 2.0
_NO_LIMIT = 1 << 40
_LIMITS = Limits(cpu_seconds=1 << 30, memory_bytes=_NO_LIMIT, file_bytes=_NO_LIMIT, open_files=4096)


class Child:
    """A program that runs; `end` may be called from any thread.

    `pid` is that of whoever watches its keeper, and `kill` ends that one.
    """

    def __init__(
        self,
        argv: tuple[str, ...],
        control: socket.socket,
        stdout: IO[bytes],
        *,
        pid: int,
        kill: Callable[[], None],
        patience: float,
    ) -> None:
        self._argv = argv
        self._control = control
        self._stdout = stdout
        self._kill = kill
        self._patience = patience
        self.pid = pid
        self.last_words = ""
        self.heard = threading.Event()

    def lines(self, *, limit: int, source: str) -> Iterator[list[tuple[int, bytes] | Problem]]:
        """Yield what it prints, in groups of whole lines, until it has ended."""
        return line_groups(
            self._stdout.fileno(), limit=limit, source=source, setting="inbox.max_bytes"
        )

    def end(self) -> None:
        """Ask it to end; after some seconds it is killed, and so is a keeper that is stopped."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        late = threading.Timer(self._patience, self._kill)
        late.daemon = True
        late.start()

    def status(self) -> int:
        """Wait until nothing is left of it and return its exit status, negative for a signal.

        By then its last words are heard, unless somebody else still holds its stderr.

        Raises:
            UnavailableError: it could not start.
        """
        told = b""
        while piece := self._control.recv(256):
            told += piece
        self.heard.wait(_LAST_WORDS_SECONDS)
        outcome, _, number = told.decode().partition(" ")
        if outcome == "failed":
            raise cannot_start(self._argv[0], os.strerror(int(number)))
        return int(number) if outcome == "ended" else -signal.SIGKILL


@contextlib.contextmanager
def child(argv: tuple[str, ...], environment: dict[str, str], *, grace: float) -> Iterator[Child]:
    """Run a program that stays, in the folder of this process, until the block ends.

    Its stdin is empty. What it prints must be read by `lines`, or it waits; of its stderr the last
    words are kept.
    """
    call = ProgramCall(argv=argv, environment=environment, private_folder=False, limits=_LIMITS)
    with kept(call, grace) as (keeper, control):
        assert keeper.stdin and keeper.stdout and keeper.stderr
        keeper.stdin.close()
        made = Child(
            argv,
            control,
            keeper.stdout,
            pid=keeper.pid,
            kill=keeper.kill,
            patience=grace + SPARE_SECONDS,
        )
        hearing = threading.Thread(target=_hear, args=(made, keeper.stderr), daemon=True)
        hearing.start()
        yield made


def _hear(made: Child, stderr: IO[bytes]) -> None:
    """Keep the last words of stderr."""
    words = b""
    with contextlib.suppress(OSError, ValueError):
        while piece := os.read(stderr.fileno(), _PIECE):
            words = (words + piece)[-_LAST_WORDS:]
            made.last_words = words.decode("utf-8", "replace").strip()
    made.heard.set()


def drain(made: Child, *, limit: int) -> None:
    """Read and throw away all that a program prints, until it has ended."""
    for _ in made.lines(limit=limit, source="stdout"):
        pass


def wait_for_end(pid: int, stop: threading.Event, *, seconds: float) -> bool:
    """Wait until a process that is no child has ended; False where `stop` came first.

    `seconds` is how often `stop` is looked at.
    """
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        while not stop.is_set():
            if select.select([descriptor], [], [], seconds)[0]:
                return True
        return False
    finally:
        os.close(descriptor)


_STATE, _BORN = 0, 19
_ENDED = (b"Z", b"X")


def born_of(pid: int) -> str | None:
    """Return what tells a process from any other that has or had its number; None if it ended.

    On Linux this is when it began, in clock ticks since boot. Elsewhere it is always the same, so
    that a number that was used again passes for the old process.
    """
    try:
        stat = read_if_there(f"/proc/{pid}/stat")
    except InputOutputError:
        return None
    if stat is None:
        return None if os.path.isdir("/proc/self") else _asked(pid)  # noqa: PTH112 - loads no pathlib
    fields = stat.rpartition(b")")[2].split()
    return None if fields[_STATE] in _ENDED else fields[_BORN].decode()


def _asked(pid: int) -> str | None:
    """Ask the system for a process where there is no /proc."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return "unknown"
