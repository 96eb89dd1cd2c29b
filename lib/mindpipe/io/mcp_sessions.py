"""Keep one process or connection for each MCP server as long as a worker lives.

A call of a tool of a server goes through a bridge that stays connected; a call while that is busy,
and one whose tool has a limit of processor time, has a bridge of its own.
"""

import atexit
import contextlib
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping

import msgspec

from mindpipe.core.mcp_servers import ANSWERS, ServerQuestion
from mindpipe.core.ports import ProgramCall, ProgramRun, Programs
from mindpipe.core.text import terminal_text
from mindpipe.io.mcp_bridge import (
    ASKED,
    BridgeCall,
    BridgeOutcome,
    BridgeProgress,
    bridge,
)
from mindpipe.io.open_calls import OpenCalls
from mindpipe.io.programs import Keeper, cannot_start, hurry, kept

_CALL = bridge("call")
_PER_CALL = ("IDEMPOTENCY_KEY", "MIND_CALL", "MIND_FENCE", ANSWERS)
"""Variables of one call, which a server that stays cannot see."""
_GRACE_SECONDS = 2.0
_SPARE_SECONDS = 2.0
"""So long after its time a call may take to be cancelled, before its server is ended."""
_LOOK_SECONDS = 0.2
_PIECE = 1 << 16
_LIFE_SECONDS = 10.0**8


class KeptServers:
    """The Programs port over another: tools of MCP servers go to servers that stay.

    `sooner` and `calls` are those of the other: they say when what runs has to end. `tell` is told
    how far a server says that a call is.
    """

    def __init__(
        self,
        programs: Programs,
        *,
        sooner: Callable[[], float | None] | None = None,
        calls: OpenCalls | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._tell = tell
        self._programs = programs
        self._sooner = sooner
        self._calls = calls or OpenCalls()
        self._sessions: dict[bytes, _Session] = {}
        self._lock = threading.Lock()
        # Nothing would outlive the worker without this: so a server may end by itself.
        atexit.register(self.close)

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program; raises UnavailableError if it cannot start."""
        if call.argv[: len(_CALL)] != _CALL:
            return self._programs.run(call)
        if call.limits.cpu_seconds is not None:
            return self._alone(call)
        session = self._session(call)
        if not session.lock.acquire(blocking=False):
            return self._alone(call)
        try:
            return self._answer(session, call)
        finally:
            session.lock.release()

    def _alone(self, call: ProgramCall) -> ProgramRun:
        """Make a call with a server of its own, which sees the variables of this call."""
        own = {name: it for name, it in call.environment.items() if name != ANSWERS}
        session = _Session(_start_of(call, own))
        try:
            return self._answer(session, call)
        finally:
            session.close()

    def _answer(self, session: "_Session", call: ProgramCall) -> ProgramRun:
        """Return what comes of a call; a server that was gone before it is started anew."""
        run = session.run(call, self._calls, self._sooner, self._tell)
        if run is None:
            run = session.run(call, self._calls, self._sooner, self._tell)
        assert run is not None, "a server that has just been started was there"
        return run

    def close(self) -> None:
        """Let all servers end."""
        for session in list(self._sessions.values()):
            session.close()
        self._sessions.clear()
        atexit.unregister(self.close)

    def _session(self, call: ProgramCall) -> "_Session":
        """Return what keeps the server of a call, which is started at its first."""
        lasting = {name: it for name, it in call.environment.items() if name not in _PER_CALL}
        start = _start_of(call, lasting)
        key = msgspec.json.encode((start.argv, sorted(lasting.items()), start.limits))
        with self._lock:
            return self._sessions.setdefault(key, _Session(start))


def _start_of(call: ProgramCall, environment: Mapping[str, str]) -> ProgramCall:
    """Return how the server of a call is started with some variables."""
    _pinned, _tool, *server = call.argv[len(_CALL) :]
    return msgspec.structs.replace(
        call,
        argv=bridge("serve", *server),
        stdin=b"",
        seconds=_LIFE_SECONDS,
        environment=environment,
    )


class _Session:
    """One bridge that stays connected to its server."""

    def __init__(self, start: ProgramCall) -> None:
        self.lock = threading.Lock()
        self._start = start
        self._stack = contextlib.ExitStack()
        self._keeper: Keeper | None = None
        self._control: socket.socket | None = None
        self._told = b""
        self._last_progress = ""
        self._cancelled = 0.0

    def run(
        self,
        call: ProgramCall,
        calls: OpenCalls,
        sooner: Callable[[], float | None] | None,
        tell: Callable[[str], None] | None,
    ) -> ProgramRun | None:
        """Make one call; None where the server was gone before it was asked for anything."""
        pinned, tool = call.argv[len(_CALL) : len(_CALL) + 2]
        arguments = msgspec.json.decode(call.stdin or b"{}", type=dict[str, object])
        given = call.environment.get(ANSWERS)
        answers = msgspec.json.decode(given, type=tuple[ServerQuestion, ...]) if given else ()
        asked = BridgeCall(pinned, tool, arguments, call.seconds, call.output_bytes, answers)
        fresh = self._keeper is None
        if fresh:
            self._begin()
        assert self._control is not None
        deadline = time.monotonic() + call.seconds + _SPARE_SECONDS
        self._cancelled, self._last_progress = 0.0, ""
        with calls.open(self._cancel):
            if self._cancelled:
                return _stopped("")
            if not self._ask(asked) and not fresh:
                self._end()
                return None
            if self._cancelled:
                # What was told before the call was read is told again.
                os.write(self._stdin(), b"\n")
            outcome = self._answer(tool, deadline, sooner, tell)
        if outcome is None:
            return self._broken(call)
        if outcome.gone or outcome.lost:
            self._end()
        if outcome.gone and not fresh:
            return None
        if outcome.status is None and self._cancelled:
            return _stopped(self._last_progress)
        return _run_of(outcome, self._last_progress)

    def _cancel(self) -> None:
        """Let the call under way be cancelled, and its server told; asked again, end the bridge.

        A signal handler may do this.
        """
        keeper, control = self._keeper, self._control
        if keeper is None or control is None or keeper.stdin is None:
            return
        if self._cancelled:
            hurry(control)
        else:
            self._cancelled = time.monotonic()
            os.write(self._stdin(), b"\n")

    def _stdin(self) -> int:
        """Return where the bridge reads."""
        assert self._keeper is not None and self._keeper.stdin is not None
        return self._keeper.stdin.fileno()

    def _answer(
        self,
        tool: str,
        deadline: float,
        sooner: Callable[[], float | None] | None,
        tell: Callable[[str], None] | None,
    ) -> BridgeOutcome | None:
        """Return the answer to a call, and tell how far it is; None where none comes in time."""
        while (line := self._line(deadline, sooner)) is not None:
            said = msgspec.json.decode(line, type=BridgeOutcome | BridgeProgress)
            if isinstance(said, BridgeOutcome):
                return said
            self._last_progress = _words_of(said)
            if tell is not None:
                tell(f"{tool}: {self._last_progress}")
        return None

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
        self._unread = bytearray()

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
        while (left := deadline - time.monotonic()) > 0:
            # An answer with files is long, and comes in many pieces.
            if (end_of_line := self._unread.find(b"\n")) >= 0:
                line = bytes(self._unread[:end_of_line])
                del self._unread[: end_of_line + 1]
                return line
            if self._cancelled:
                deadline = min(deadline, self._cancelled + _GRACE_SECONDS)
            if sooner is not None and (end := sooner()) is not None:
                deadline = min(deadline, end)
                left = min(left, max(0.0, end - time.monotonic()))
            ready, _, _ = select.select(watched, [], [], min(left, _LOOK_SECONDS))
            for descriptor in ready:
                piece = os.read(descriptor, _PIECE)
                if not piece:
                    watched.discard(descriptor)
                if descriptor == keeper.stdout.fileno():
                    self._unread += piece
                elif descriptor == control.fileno():
                    self._told += piece
            if control.fileno() not in watched and b"\n" not in self._unread:
                return None
        return None

    def _broken(self, call: ProgramCall) -> ProgramRun:
        """Return what became of a call that was not answered, and end the bridge."""
        told, program = self._told.decode(), call.argv[0]
        self._end()
        outcome, _, number = told.partition(" ")
        if outcome == "failed":
            raise cannot_start(program, os.strerror(int(number)))
        status, said = -signal.SIGKILL if told else None, self._last_progress.encode()
        return ProgramRun(status=status, stdout=b"", stderr=said, outgrew=outcome == "outgrew")


def _words_of(progress: BridgeProgress) -> str:
    """Return how far a call is, in one line."""
    done = f"{progress.done or 0:g}" + (f" of {progress.total:g}" if progress.total else "")
    message = " ".join(terminal_text(progress.message or "").split())
    return f"{done}: {message}" if message else done


def _stopped(last_progress: str) -> ProgramRun:
    """Return the run of a call that somebody stopped, which no limit of its own did."""
    return ProgramRun(status=-signal.SIGINT, stdout=b"", stderr=last_progress.encode())


def _run_of(outcome: BridgeOutcome, last_progress: str) -> ProgramRun:
    """Return an answer of the bridge as the run of a program that printed it.

    One that has none printed how far its server said that it was.
    """
    if outcome.lost:
        return ProgramRun(status=-signal.SIGABRT, stdout=b"", stderr=last_progress.encode())
    if outcome.status is None:
        return ProgramRun(status=None, stdout=b"", stderr=last_progress.encode())
    text = outcome.text.encode("utf-8", "replace")
    if outcome.status is ASKED:
        return ProgramRun(status=outcome.status, stdout=text, stderr=b"")
    if outcome.status:
        return ProgramRun(status=outcome.status, stdout=b"", stderr=text, stderr_cut=outcome.cut)
    return ProgramRun(
        status=0,
        stdout=text,
        stderr=b"",
        stdout_cut=outcome.cut,
        found=outcome.found,
        files=outcome.files,
    )
