"""Keep one process or connection for each MCP server as long as a worker lives.

A call of a tool of a server goes through a bridge that stays connected; every other program, and a
call while the bridge of its server is busy, runs by itself.
"""

import atexit
import contextlib
import functools
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable

import msgspec

from mindpipe.core.mcp_servers import ANSWERS
from mindpipe.core.ports import ProgramCall, ProgramRun, Programs
from mindpipe.io.mcp_bridge import ASKED, BridgeCall, BridgeOutcome, answers_of, bridge
from mindpipe.io.open_calls import OpenCalls
from mindpipe.io.programs import Keeper, cannot_start, kept

_CALL = bridge("call")
_PER_CALL = ("IDEMPOTENCY_KEY", "MIND_CALL", "MIND_FENCE", ANSWERS)
"""Variables of one call, which a server that stays cannot see."""
_GRACE_SECONDS = 2.0
_SPARE_SECONDS = 2.0
"""So long after its time a call may take to be cancelled, before its server is ended."""
_LOOK_SECONDS = 0.2
_PIECE = 1 << 16
_HURRY = b"!"
_LIFE_SECONDS = 10.0**8


class KeptServers:
    """The Programs port over another: tools of MCP servers go to servers that stay.

    `sooner` and `calls` are those of the other: they say when what runs has to end.
    """

    def __init__(
        self,
        programs: Programs,
        *,
        sooner: Callable[[], float | None] | None = None,
        calls: OpenCalls | None = None,
    ) -> None:
        self._programs = programs
        self._sooner = sooner
        self._calls = calls or OpenCalls()
        self._sessions: dict[bytes, _Session] = {}
        self._lock = threading.Lock()
        # Nothing would outlive the worker without this: so a server may end by itself.
        atexit.register(self.close)

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program; raises UnavailableError if it cannot start."""
        if call.argv[: len(_CALL)] != _CALL or call.limits.cpu_seconds is not None:
            return self._programs.run(call)
        session = self._session(call)
        if not session.lock.acquire(blocking=False):
            return self._programs.run(call)
        try:
            run = session.run(call, self._calls, self._sooner)
            # A server that went away between two calls has not been asked anything yet.
            return self._programs.run(call) if run is None else run
        finally:
            session.lock.release()

    def close(self) -> None:
        """Let all servers end."""
        for session in list(self._sessions.values()):
            session.close()
        self._sessions.clear()

    def _session(self, call: ProgramCall) -> "_Session":
        """Return what keeps the server of a call, which is started at its first."""
        pinned, tool, *server = call.argv[len(_CALL) :]
        del pinned, tool
        lasting = {name: it for name, it in call.environment.items() if name not in _PER_CALL}
        start = msgspec.structs.replace(
            call,
            argv=bridge("serve", *server),
            stdin=b"",
            seconds=_LIFE_SECONDS,
            environment=lasting,
        )
        key = msgspec.json.encode((start.argv, sorted(lasting.items()), start.limits))
        with self._lock:
            return self._sessions.setdefault(key, _Session(start))


class _Session:
    """One bridge that stays connected to its server."""

    def __init__(self, start: ProgramCall) -> None:
        self.lock = threading.Lock()
        self._start = start
        self._stack = contextlib.ExitStack()
        self._keeper: Keeper | None = None
        self._control: socket.socket | None = None
        self._told = b""

    def run(
        self, call: ProgramCall, calls: OpenCalls, sooner: Callable[[], float | None] | None
    ) -> ProgramRun | None:
        """Make one call; None where the server was gone before it was asked for anything."""
        pinned, tool = call.argv[len(_CALL) : len(_CALL) + 2]
        arguments = msgspec.json.decode(call.stdin or b"{}", type=dict[str, object])
        answers = answers_of(call.environment.get(ANSWERS))
        asked = BridgeCall(pinned, tool, arguments, call.seconds, call.output_bytes, answers)
        fresh = self._keeper is None
        if fresh:
            self._begin()
        assert self._control is not None
        deadline = time.monotonic() + call.seconds + _SPARE_SECONDS
        with calls.open(functools.partial(_hurry, self._control)):
            if not self._ask(asked):
                self._end()
                return None
            line = self._line(deadline, sooner)
        if line is None:
            return self._broken(call)
        outcome = msgspec.json.decode(line, type=BridgeOutcome)
        if outcome.gone or outcome.lost:
            self._end()
        if outcome.gone and not fresh:
            return None
        return _run_of(outcome)

    def close(self) -> None:
        """Let the bridge take leave of its server, and end what is left."""
        keeper, control = self._keeper, self._control
        if keeper is not None and control is not None and keeper.stdin is not None:
            with contextlib.suppress(OSError):
                keeper.stdin.close()
            select.select([control], [], [], _GRACE_SECONDS)
        self._end()

    def _begin(self) -> None:
        """Start the bridge."""
        self._stack = contextlib.ExitStack()
        self._keeper, self._control = self._stack.enter_context(kept(self._start, _GRACE_SECONDS))
        self._told = b""

    def _end(self) -> None:
        """End the bridge and all that came of it."""
        self._keeper = self._control = None
        self._stack.close()

    def _ask(self, asked: BridgeCall) -> bool:
        """Write a call; return False where nobody reads any more."""
        keeper = self._keeper
        assert keeper is not None and keeper.stdin is not None
        try:
            keeper.stdin.write(msgspec.json.encode(asked) + b"\n")
            keeper.stdin.flush()
        except OSError:
            return False
        return True

    def _line(self, deadline: float, sooner: Callable[[], float | None] | None) -> bytes | None:
        """Return the answer to a call; None where none comes in time, or ever."""
        keeper, control = self._keeper, self._control
        assert keeper is not None and control is not None
        assert keeper.stdout is not None and keeper.stderr is not None
        watched = {keeper.stdout.fileno(), keeper.stderr.fileno(), control.fileno()}
        found = bytearray()
        while (left := deadline - time.monotonic()) > 0:
            if sooner is not None and (end := sooner()) is not None:
                deadline = min(deadline, end)
                left = min(left, max(0.0, end - time.monotonic()))
            ready, _, _ = select.select(watched, [], [], min(left, _LOOK_SECONDS))
            for descriptor in ready:
                piece = os.read(descriptor, _PIECE)
                if not piece:
                    watched.discard(descriptor)
                if descriptor == keeper.stdout.fileno():
                    found += piece
                elif descriptor == control.fileno():
                    self._told += piece
            if found.endswith(b"\n"):
                return bytes(found)
            if control.fileno() not in watched:
                return None
        return None

    def _broken(self, call: ProgramCall) -> ProgramRun:
        """Return what became of a call that was not answered, and end the bridge."""
        told, program = self._told.decode(), call.argv[0]
        self._end()
        outcome, _, number = told.partition(" ")
        if outcome == "failed":
            raise cannot_start(program, os.strerror(int(number)))
        status = -signal.SIGKILL if told else None
        return ProgramRun(status=status, stdout=b"", stderr=b"", outgrew=outcome == "outgrew")


def _run_of(outcome: BridgeOutcome) -> ProgramRun:
    """Return an answer of the bridge as the run of a program that printed it."""
    if outcome.lost:
        return ProgramRun(status=-signal.SIGABRT, stdout=b"", stderr=b"")
    if outcome.status is None:
        return ProgramRun(status=None, stdout=b"", stderr=b"")
    text = outcome.text.encode("utf-8", "replace") + b"\n"
    if outcome.status is ASKED:
        return ProgramRun(status=outcome.status, stdout=text, stderr=b"")
    if outcome.status:
        return ProgramRun(status=outcome.status, stdout=b"", stderr=text, stderr_cut=outcome.cut)
    return ProgramRun(status=0, stdout=text, stderr=b"", stdout_cut=outcome.cut)


def _hurry(control: socket.socket) -> None:
    """Let the keeper end its program now."""
    control.send(_HURRY)
    control.shutdown(socket.SHUT_WR)
