"""Run programs as argument vectors in a process group of their own, under limits."""

import contextlib
import os
import resource
import selectors
import signal
import subprocess  # noqa: TID251 - this is the one door for other programs
import time
from collections.abc import Iterator
from pathlib import Path

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import ProgramCall, ProgramRun

PATH = "/usr/local/bin:/usr/bin:/bin"
_ADDRESS_SPACE = 1 << 30
_FILE_BYTES = 64 << 20
_OPEN_FILES = 256
_GRACE_SECONDS = 5.0
_PIECE = 1 << 16


class LocalPrograms:
    """The Programs port on this machine."""

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program; raises UnavailableError if it cannot start."""
        with _folder(private=call.private_folder) as folder:
            started = time.monotonic()
            child = _start(call, folder)
            try:
                streams = _Exchange(child, call)
                ended = streams.until(started + call.seconds)
            finally:
                _end_group(child)
            return ProgramRun(
                status=child.returncode if ended else None,
                stdout=bytes(streams.stdout),
                stderr=bytes(streams.stderr),
                stdout_cut=streams.stdout_cut,
                stderr_cut=streams.stderr_cut,
            )


@contextlib.contextmanager
def _folder(*, private: bool) -> Iterator[Path | None]:
    """Give the program a private home that goes away with it, or none."""
    if not private:
        yield None
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="mind-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def _start(call: ProgramCall, folder: Path | None) -> subprocess.Popen[bytes]:
    """Start the program with a clean environment in its own session."""
    environment = {"PATH": PATH, "LANG": "C.UTF-8", **call.environment}
    if folder is not None:
        environment["HOME"] = str(folder)

    try:
        child = subprocess.Popen(
            call.argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise UnavailableError(
            f"the program {call.argv[0]} cannot start ({error.strerror or error}); "
            "check that it is there and executable."
        ) from None
    if call.limited:
        _limit(child.pid, int(call.seconds) + 5)
    return child


def _limit(child: int, cpu_seconds: int) -> None:
    """Bound the child's CPU, memory, files and core dumps, where the system can (Linux)."""
    if not hasattr(resource, "prlimit"):
        return
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(child, resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        resource.prlimit(child, resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
        resource.prlimit(child, resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))
        resource.prlimit(child, resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))
        resource.prlimit(child, resource.RLIMIT_CORE, (0, 0))


class _Exchange:
    """Feed stdin and gather stdout and stderr, each up to the cap, the rest thrown away."""

    def __init__(self, child: subprocess.Popen[bytes], call: ProgramCall) -> None:
        self._child = child
        self._cap = call.output_bytes
        self._left = memoryview(call.stdin)
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.stdout_cut = False
        self.stderr_cut = False

    def until(self, deadline: float) -> bool:
        """Exchange until the program ended; return False when the deadline came first."""
        with selectors.DefaultSelector() as selector:
            self._register(selector)
            while selector.get_map():
                wait = deadline - time.monotonic()
                if wait <= 0:
                    return False
                for key, _ in selector.select(wait):
                    if not self._step(key):
                        selector.unregister(key.fileobj)
        try:
            self._child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return False
        return True

    def _register(self, selector: selectors.BaseSelector) -> None:
        """Watch the three pipes without blocking on any."""
        child = self._child
        assert child.stdin and child.stdout and child.stderr
        for stream, name in ((child.stdout, "stdout"), (child.stderr, "stderr")):
            selector.register(stream, selectors.EVENT_READ, name)
        os.set_blocking(child.stdin.fileno(), False)
        selector.register(child.stdin, selectors.EVENT_WRITE, "stdin")

    def _step(self, key: selectors.SelectorKey) -> bool:
        """Move one piece; return False when this pipe is finished."""
        if key.data == "stdin":
            return self._feed(key.fd)
        piece = os.read(key.fd, _PIECE)
        kept = self.stdout if key.data == "stdout" else self.stderr
        room = self._cap - len(kept)
        kept += piece[:room]
        if len(piece) > room:
            setattr(self, f"{key.data}_cut", True)
        return bool(piece)

    def _feed(self, descriptor: int) -> bool:
        """Write a piece of stdin; close it when all is written or nobody reads."""
        try:
            if self._left:
                self._left = self._left[os.write(descriptor, self._left[:_PIECE]) :]
        except BrokenPipeError:
            self._left = memoryview(b"")
        if self._left:
            return True
        assert self._child.stdin
        with contextlib.suppress(BrokenPipeError):
            self._child.stdin.close()
        return False


def _end_group(child: subprocess.Popen[bytes]) -> None:
    """End whatever is left of the program's process group: SIGTERM, 5 s, SIGKILL."""
    if child.poll() is None:
        _signal_group(child.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_GRACE_SECONDS)
    _signal_group(child.pid, signal.SIGKILL)
    child.wait()
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream is not None and not stream.closed:
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def _signal_group(group: int, number: signal.Signals) -> None:
    """Send a signal to a process group that may be gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
