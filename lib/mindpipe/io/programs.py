"""Run programs as argument vectors, each with a keeper that sees to its limits and its end."""

import contextlib
import functools
import os
import re
import secrets
import selectors
import signal
import socket
import subprocess  # noqa: TID251 - this is the one door for other programs
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import ProgramCall, ProgramRun
from mindpipe.io.open_calls import OpenCalls
from mindpipe.io.sandbox import PATH, shut_in

_GRACE_SECONDS = 5.0
SPARE_SECONDS = 5.0
_LOOK_SECONDS = 0.2
_MOST_LOOKS, _QUIET_LOOKS, _BETWEEN_LOOKS = 1000, 5, 0.001
"""How often what a run left is looked for; how many looks in a row must find nobody; seconds."""
_ENDED, _SIZE = (b"Z", b"X"), 20
"""States of `/proc/PID/stat` that a process does not leave; where its size in memory stands."""
_HURRY = b"!"
_PIECE = 1 << 16
_KEEPER = "import sys; sys.path.append(sys.argv.pop(1)); import keeper; keeper.main()"

MARK = "MIND_KEPT"
"""The variable in which each program finds which runs it belongs to, as does all that it starts."""
_OWN_MARK = re.compile(rf"\0{MARK}=([^\0]*)".encode())

Keeper = subprocess.Popen[bytes]
"""The process that keeps a program."""
_apart: list[Keeper] = []


class LocalPrograms:
    """The Programs port on this machine; `grace` is the time between SIGTERM and SIGKILL.

    `sooner` is asked several times a second whether all that runs has to end before its deadline:
    it returns the instant of the monotonic clock at which, or None. A program whose `calls` are
    closed has hardly any grace. `hear` is given all of stdout, piece by piece. Several threads may
    run programs at once. Where the system can (Linux), nothing that descends from a program
    outlives its run, and a program does not outlive this process.
    """

    def __init__(
        self,
        *,
        grace: float = _GRACE_SECONDS,
        sooner: Callable[[], float | None] | None = None,
        hear: Callable[[bytes], None] | None = None,
        calls: OpenCalls | None = None,
    ) -> None:
        self._calls = calls or OpenCalls()
        self._grace = grace
        self._sooner = sooner
        self._hear = hear

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program; raises UnavailableError if it, or its sandbox, cannot start."""
        started = time.monotonic()
        with (
            kept(call, self._grace) as (keeper, control),
            self._calls.open(functools.partial(hurry, control)),
        ):
            exchange = _Exchange(keeper, control, call, self._hear)
            patience = self._grace + SPARE_SECONDS
            in_time = exchange.until(started + call.seconds, patience=patience, sooner=self._sooner)
        return ProgramRun(
            status=exchange.status(call.argv[0]) if in_time else None,
            stdout=bytes(exchange.stdout),
            stderr=bytes(exchange.stderr),
            stdout_cut=exchange.stdout_cut,
            stderr_cut=exchange.stderr_cut,
            outgrew=exchange.outgrew(),
        )


def hurry(control: socket.socket) -> None:
    """Let the keeper end its program now; a signal handler may do this."""
    control.send(_HURRY)
    control.shutdown(socket.SHUT_WR)


def start_apart(argv: Sequence[str], environment: Mapping[str, str]) -> None:
    """Start a process that outlives this one and hears and says nothing.

    It must be a program of our own. Those started before that have ended are waited for now.

    Raises:
        UnavailableError: it cannot start.
    """
    _apart[:] = [one for one in _apart if one.poll() is None]
    nothing = subprocess.DEVNULL
    try:
        made = subprocess.Popen(
            argv,
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise cannot_start(argv[0], error.strerror or str(error)) from None
    _apart.append(made)


@contextlib.contextmanager
def kept(
    call: ProgramCall, grace: float
) -> Iterator[tuple[subprocess.Popen[bytes], socket.socket]]:
    """Start the keeper of one program; at the end let it end what is left and wait for it.

    `ended STATUS`, `outgrew STATUS` or `failed ERRNO` comes through the socket; closing it ends the
    program.
    """
    ours, its = socket.socketpair()
    mark = secrets.token_hex(8)
    folder = _private_name(mark) if call.private_folder else ""
    with ours:
        with its:
            keeper = _start(call, grace, its.fileno(), mark=mark, folder=folder)
        try:
            yield keeper, ours
        except Exception:
            raise
        except BaseException:
            with contextlib.suppress(OSError):
                ours.send(_HURRY)
            raise
        finally:
            ours.close()
            for stream in (keeper.stdin, keeper.stdout, keeper.stderr):
                if stream is not None and not stream.closed:
                    with contextlib.suppress(BrokenPipeError):
                        stream.close()
            end(keeper, patience=grace + SPARE_SECONDS)
            if keeper.returncode != 0:
                _clear_away(mark, folder)


def end(keeper: subprocess.Popen[bytes], *, patience: float) -> None:
    """Wait for a keeper, which is ending, and kill one that is stopped or does not end in time."""
    try:
        if not _is_stopped(keeper.pid):
            keeper.wait(patience)
    except subprocess.TimeoutExpired:
        pass
    keeper.kill()
    keeper.wait()


def _is_stopped(pid: int) -> bool:
    """Tell whether a child is stopped."""
    try:
        return bool(os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT))
    except ChildProcessError:
        return False


def _clear_away(mark: str, folder: str) -> None:
    """End what a run left whose keepers were killed, as its mark tells (Linux), and its folder.

    One look can miss a process that forked while it was under way, or that has no environment yet
    because it is becoming another program: whoever might be that is looked at again.
    """
    from mindpipe.io import keeper

    quiet = 0
    for _ in range(_MOST_LOOKS):
        quiet = 0 if _kill_marked(mark) else quiet + 1
        if quiet == _QUIET_LOOKS:
            break
        time.sleep(_BETWEEN_LOOKS)
    if folder:
        keeper.remove(folder)


def _kill_marked(mark: str) -> bool:
    """Kill each process of a run that can be seen now; tell whether one was or may have been."""
    processes, found = Path("/proc"), False
    if not processes.is_dir():
        return False
    for one in (one for one in processes.iterdir() if one.name.isdecimal()):
        if mark in _marks_of(one):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(one.name), signal.SIGKILL)
                found = True
        found = found or _is_becoming(one)
    return found


def _is_becoming(process: Path) -> bool:
    """Tell whether a process is between two programs: it has memory, but neither words nor end."""
    try:
        if process.stat().st_uid != os.getuid() or (process / "cmdline").read_bytes():
            return False
        fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
        return fields[0] not in _ENDED and int(fields[_SIZE]) > 0
    except OSError:
        return False


def _marks_of(process: Path) -> list[str]:
    """Return the runs that a process says it belongs to; one that ended has none."""
    try:
        environment = (process / "environ").read_bytes()
    except OSError:
        return []
    said = _OWN_MARK.search(b"\0" + environment)
    return said[1].decode("utf-8", "replace").split() if said else []


def _start(
    call: ProgramCall, grace: float, control: int, *, mark: str, folder: str
) -> subprocess.Popen[bytes]:
    """Start the keeper in a session of its own, with the clean environment of its program."""
    environment = {"PATH": PATH, "LANG": "C.UTF-8", **call.environment}
    environment[MARK] = f"{os.environ.get(MARK, '')} {mark}".strip()
    if folder:
        environment |= {"HOME": folder, "TMPDIR": folder}
    argv = call.argv if call.sandbox is None else shut_in(call.argv, call.sandbox, folder)
    limits = call.limits
    bounds = (
        limits.cpu_seconds or int(call.seconds) + 5,
        limits.file_bytes,
        limits.open_files,
        limits.memory_bytes,
    )
    words = [str(control), str(grace), folder, *map(str, bounds), *argv]
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _KEEPER, str(Path(__file__).parent), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(control,),
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise cannot_start(call.argv[0], error.strerror or str(error)) from None
    except ValueError as error:
        raise cannot_start(call.argv[0], str(error)) from None


def _private_name(mark: str) -> str:
    """Return the path of a folder that is not there yet."""
    import tempfile

    return f"{tempfile.gettempdir()}/mind-{mark}"


def cannot_start(program: str, reason: str) -> UnavailableError:
    """Return the error of a program that does not start."""
    return UnavailableError(
        f"the program {program} cannot start ({reason}); check that it is there and executable."
    )


class _Exchange:
    """Feed stdin and gather stdout and stderr, each up to the cap, the rest thrown away."""

    def __init__(
        self,
        keeper: subprocess.Popen[bytes],
        control: socket.socket,
        call: ProgramCall,
        hear: Callable[[bytes], None] | None,
    ) -> None:
        self._keeper = keeper
        self._hear = hear
        self._control = control
        self._cap = call.output_bytes
        self._ends_when_cut = call.ends_when_cut
        self._left = memoryview(call.stdin)
        self._told = bytearray()
        self._kept = True
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.stdout_cut = False
        self.stderr_cut = False

    def until(
        self, deadline: float, *, patience: float, sooner: Callable[[], float | None] | None
    ) -> bool:
        """Exchange until the keeper is done; return whether the program ended in time.

        At the deadline, or `sooner`, or where it writes too much, the keeper is asked to end it,
        and is waited for with `patience`.
        """
        in_time = True
        with selectors.DefaultSelector() as selector:
            self._register(selector)
            ready = True
            while self._kept or ready:
                if in_time and sooner is not None and (end := sooner()) is not None:
                    deadline = min(deadline, end)
                if in_time and self._ends_when_cut and (self.stdout_cut or self.stderr_cut):
                    deadline = min(deadline, time.monotonic())
                wait = deadline - time.monotonic()
                if wait <= 0 and not (self._kept and in_time):
                    break
                if wait <= 0:
                    in_time = False
                    deadline += patience
                    self._control.shutdown(socket.SHUT_WR)
                longest = wait if sooner is None else min(wait, _LOOK_SECONDS)
                ready = self._move(selector, max(0.0, longest) if self._kept else 0.0)
        return in_time

    def status(self, program: str) -> int:
        """Return the exit status; raises UnavailableError if the program could not start."""
        outcome, _, number = self._told.decode().partition(" ")
        if outcome == "failed":
            raise cannot_start(program, os.strerror(int(number)))
        return int(number) if outcome == "ended" else -signal.SIGKILL

    def outgrew(self) -> bool:
        """Tell whether it was ended because it had more memory than it may have."""
        return self._told.startswith(b"outgrew")

    def _register(self, selector: selectors.BaseSelector) -> None:
        """Watch the pipes and the keeper without blocking on any."""
        keeper = self._keeper
        assert keeper.stdin and keeper.stdout and keeper.stderr
        for stream, name in ((keeper.stdout, "stdout"), (keeper.stderr, "stderr")):
            selector.register(stream, selectors.EVENT_READ, name)
        selector.register(self._control, selectors.EVENT_READ, "control")
        os.set_blocking(keeper.stdin.fileno(), False)
        selector.register(keeper.stdin, selectors.EVENT_WRITE, "stdin")

    def _move(self, selector: selectors.BaseSelector, wait: float) -> bool:
        """Move a piece through each pipe that is ready; return whether any was."""
        ready = selector.select(wait)
        for key, _ in ready:
            if not self._step(key):
                selector.unregister(key.fileobj)
        return bool(ready)

    def _step(self, key: selectors.SelectorKey) -> bool:
        """Move one piece; return False when this pipe is finished."""
        if key.data == "stdin":
            return self._feed(key.fd)
        piece = os.read(key.fd, _PIECE)
        if key.data == "control":
            self._told += piece
            self._kept = bool(piece)
            return self._kept
        if key.data == "stdout" and self._hear is not None:
            self._hear(piece)
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
        assert self._keeper.stdin
        with contextlib.suppress(BrokenPipeError):
            self._keeper.stdin.close()
        return False
