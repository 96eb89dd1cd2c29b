"""Put a `mind` on the PATH that starts within milliseconds: a fork of one that has loaded all.

It is a process of its own with the arguments, environment, folder, streams, limits and signals of
whoever called it; what it is not is a fresh interpreter. So tests of the start itself, of memory
and of terminals start the installed program, and the nightly tier runs every golden case with it.

Under the name `python` the same thing runs a program of the tests, which finds its imports there.

Who can speak to its parent asks it without a doorman, which is a program to be started itself. The
parent is one for all workers of a run, since loading takes seconds.

Run as a program this is the parent: it goes on until its stdin is closed and nobody else stays.
"""

import contextlib
import ctypes
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import resource
import runpy
import select
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

DOORMAN = Path(__file__).with_name("fork_client.py")
COMPILED = DOORMAN.with_suffix(".c")
PYTHON = "python"
_USED = (
    "getpass",
    "httpx2",
    "jsonschema",
    "mcp",
    "mcp.server",
    "rich.console",
    "rich.live",
    "rich.progress",
    "tiktoken",
    "yaml",
)
# A fork copies every mapping of memory. These have two thirds of them, or look for pandas, or load
# Ray, which reads its variables then; and few tests need them.
_RARE = (
    "mindpipe.language.parsed",
    "mindpipe.monitoring.checks.cluster",
    "mindpipe.person.life.cluster",
    "mindpipe.person.life.ray_machine",
    "mindpipe.person.stats.tables",
)
_TAKEN_ALONG = ("pandas",)
_LAZY = (("openai", "OpenAI"), ("anthropic", "Anthropic"))
_HUGE = 2 << 20
_MADV_HUGEPAGE, _MADV_COLLAPSE = 14, 25
_STAY, _WISH = b"s", b"w"
_CREDENTIALS = struct.Struct("3i")
_LIMITS = (
    resource.RLIMIT_AS,
    resource.RLIMIT_CPU,
    resource.RLIMIT_DATA,
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_NOFILE,
)


class ForkServer:
    """A parent of `mind` processes, shared by all test processes that are given the same folder."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "mind"
        # In a folder of its own: a PATH with `mind` in it leaves `python` to be the interpreter.
        self.python = folder / "programs" / PYTHON
        self._door = str(folder / "door")
        self._own: subprocess.Popen[bytes] | None = None
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._stay = self._stays()
            if self._stay is None:
                self._own = self._started()

    def run(
        self,
        arguments: Sequence[str],
        *,
        stdin: bytes,
        folder: Path,
        environment: Mapping[str, str],
        seconds: float,
    ) -> tuple[int, bytes, bytes]:
        """Run `mind` to its end; return its status, negative for a signal, and what it wrote.

        Raises:
            TimeoutExpired: it took longer, and was killed.
        """
        inputs, outputs, errors = (os.pipe() for _ in range(3))
        given = (inputs[0], outputs[1], errors[1])
        wish = {
            "arguments": [os.fsdecode(one) for one in arguments],
            "environment": dict(environment),
            "folder": str(folder),
        }
        try:
            life = self.ask(wish, given)
        finally:
            for end in given:
                os.close(end)
        # To close this is to kill the child if it lives.
        with life:
            told = _communicate(inputs[1], (outputs[0], errors[0]), stdin, seconds)
            if told is None:
                raise subprocess.TimeoutExpired(["mind", *arguments], seconds)
            return int(life.recv(16) or b"1"), *told

    def ask(self, wish: dict[str, Any], streams: tuple[int, int, int]) -> socket.socket:
        """Have a child born with these streams; return what ends with its status."""
        life = self._called()
        with os.fdopen(os.memfd_create("wish"), "w+b") as words:
            words.write(json.dumps(wish).encode())
            words.seek(0)
            socket.send_fds(life, [_WISH], (*streams, words.fileno()))
        return life

    def close(self) -> None:
        """Leave the parent; it ends when all have left, its children end by themselves."""
        if self._stay is not None:
            self._stay.close()
        if self._own is not None:
            self._own.communicate()

    def _make_doorman(self) -> None:
        """Build the doorman, or take the one that needs no compiler; give it its other name."""
        self.python.parent.mkdir(exist_ok=True)
        self.python.unlink(missing_ok=True)
        self.python.symlink_to(self.program)
        compiler = shutil.which("cc")
        if compiler:
            build = [compiler, "-O1", "-o", self.program, COMPILED]
            if subprocess.run(build, capture_output=True, check=False).returncode == 0:
                return
        self.program.write_text(f"#!{sys.executable} -IS\n{DOORMAN.read_text()}")
        self.program.chmod(0o755)

    def _called(self) -> socket.socket:
        caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            caller.connect(self._door)
        except OSError:
            caller.close()
            raise
        return caller

    def _stays(self) -> socket.socket | None:
        """Return what keeps a parent that is there, if one is."""
        try:
            stay = self._called()
        except OSError:
            return None
        # One that is about to end still listens, and does not answer.
        with contextlib.suppress(OSError):
            stay.sendall(_STAY)
            if stay.recv(1):
                return stay
        stay.close()
        return None

    def _started(self) -> subprocess.Popen[bytes]:
        """Return a parent that has loaded everything."""
        Path(self._door).unlink(missing_ok=True)
        self._make_doorman()
        started = subprocess.Popen(
            [sys.executable, __file__, self._door],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"LANG": "C.UTF-8", "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert started.stdout
        assert started.stdout.readline() == b"ready\n"
        return started


def _communicate(
    inputs: int, outputs: tuple[int, int], stdin: bytes, seconds: float
) -> tuple[bytes, bytes] | None:
    """Write to one pipe while two others are read to their end; return None if it takes longer."""
    deadline = time.monotonic() + seconds
    said: dict[int, list[bytes]] = {end: [] for end in outputs}
    left = memoryview(stdin)
    with selectors.DefaultSelector() as waiting, contextlib.ExitStack() as ends:
        closing = {end: ends.enter_context(os.fdopen(end, "rb", 0)) for end in outputs}
        closing[inputs] = ends.enter_context(os.fdopen(inputs, "wb", 0))
        for end in outputs:
            waiting.register(end, selectors.EVENT_READ)
        if left:
            waiting.register(inputs, selectors.EVENT_WRITE)
        else:
            closing[inputs].close()
        while waiting.get_map():
            ready = waiting.select(deadline - time.monotonic())
            if not ready:
                return None
            for key, _ in ready:
                if key.fd != inputs:
                    said[key.fd].append(os.read(key.fd, 1 << 16))
                    over = not said[key.fd][-1]
                else:
                    try:
                        left = left[os.write(inputs, left[: select.PIPE_BUF]) :]
                    except BrokenPipeError:
                        left = left[:0]
                    over = not left
                if over:
                    waiting.unregister(key.fd)
                    closing[key.fd].close()
    out, err = (b"".join(said[end]) for end in outputs)
    return out, err


class _Parent:
    """Fork for every caller, and tell it how its child ended."""

    def __init__(self, door: str) -> None:
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._door.bind(door)
        self._door.listen(64)
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(self._door, selectors.EVENT_READ)
        self._waiting.register(sys.stdin.fileno(), selectors.EVENT_READ)
        self._living: set[int] = set()
        self._staying = 1

    def serve(self) -> None:
        """Go on until nobody is there any more who could call."""
        while self._staying:
            for key, _ in self._waiting.select():
                if key.fileobj is self._door:
                    self._welcome(self._door.accept()[0])
                elif key.data is None:
                    self._waiting.unregister(key.fileobj)
                    self._staying -= 1
                else:
                    self._hear(key)

    def _welcome(self, caller: socket.socket) -> None:
        """Give birth for one caller, or note that it stays."""
        said, streams, _, _ = socket.recv_fds(caller, 1, 4)
        if said == _STAY:
            caller.sendall(_STAY)
            self._waiting.register(caller, selectors.EVENT_READ)
            self._staying += 1
            return
        if len(streams) < 3:
            caller.close()
            return
        pid = os.fork()
        if pid == 0:
            _live(caller, said, streams)
        for stream in streams:
            os.close(stream)
        handle = os.pidfd_open(pid)
        self._living.add(pid)
        family = (caller, handle, pid)
        self._waiting.register(caller, selectors.EVENT_READ, family)
        self._waiting.register(handle, selectors.EVENT_READ, family)

    def _hear(self, key: selectors.SelectorKey) -> None:
        """Pass on a signal, end a child whose caller is gone, or tell that a child has ended."""
        caller, handle, pid = key.data
        # Both may be heard of in one look: then the other one has said all there was.
        if pid not in self._living:
            return
        if key.fileobj is caller and (said := caller.recv(1)):
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, said[0])
            return
        if key.fileobj is caller:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        self._living.remove(pid)
        self._waiting.unregister(caller)
        self._waiting.unregister(handle)
        with contextlib.suppress(OSError):
            caller.sendall(str(status).encode())
        caller.close()
        os.close(handle)


def _live(caller: socket.socket, said: bytes, streams: list[int]) -> None:
    """Be the process that the caller wants; does not return."""
    wish = {}
    if said == _WISH:
        with os.fdopen(streams.pop(), "rb") as words:
            wish = json.load(words)
    else:
        pid, _, _ = _CREDENTIALS.unpack(
            caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        )
        _stand_for(pid, said[0])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, 1024)
    if "build" in wish:
        from support.processes import serve

        serve(wish["build"])
    if wish:
        os.chdir(wish["folder"])
        os.environ.clear()
        os.environ.update(wish["environment"])
        time.tzset()
        sys.argv = ["mind", *wish["arguments"]]
    _be(_program if sys.argv[0] == PYTHON else _mind)


def _stand_for(caller: int, own_words: int) -> None:
    """Take over all that a doorman is but its streams; so many words of its command are its own."""
    proc = Path(f"/proc/{caller}")
    words, environment, status = _read(proc)
    ignored = int(status["SigIgn"], 16)
    os.chdir(proc / "cwd")
    os.umask(int(status["Umask"], 8))
    name = words[own_words - 1]
    limits = [(which, resource.prlimit(caller, which)) for which in _LIMITS]
    os.environ.clear()
    os.environb.update(environment)
    time.tzset()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if ignored >> (number - 1) & 1:
            signal.signal(number, signal.SIG_IGN)
    for which, limit in limits:
        resource.setrlimit(which, limit)
    sys.argv = [Path(os.fsdecode(name)).name, *map(os.fsdecode, words[own_words:])]


def _read(proc: Path) -> tuple[list[bytes], dict[bytes, bytes], dict[str, str]]:
    """Return a doorman's command line, its environment, and what the system says of its state."""
    words = proc.joinpath("cmdline").read_bytes().split(b"\0")[:-1]
    pairs = proc.joinpath("environ").read_bytes().split(b"\0")[:-1]
    environment = dict(pair.split(b"=", 1) for pair in pairs)
    status = dict(line.split(":\t", 1) for line in proc.joinpath("status").read_text().splitlines())
    return words, environment, status


def _mind() -> None:
    """Run the command line as the installed program does."""
    from mindpipe_cli.main import main

    main()


def _program() -> None:
    """Run the file that the command line names, as an interpreter does."""
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")


def _be(program: Callable[[], None]) -> None:
    """Run a program to its end; does not return."""
    status = 1
    try:
        program()
        status = 0
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        os._exit(status)


def load() -> None:
    """Import the program and what it imports where that is used, so that no child has to.

    What a process prepares when it first needs it is prepared too. A small life shows the rest:
    what classes, decoders and options keep of their first use.
    """
    # sqlite-utils looks for it, and does without it.
    sys.modules.update(dict.fromkeys(_TAKEN_ALONG))  # type: ignore[arg-type]  # None: not there
    _import(_modules("mindpipe"))
    _prepare()
    _compile_patterns()
    # All of this comes after, to fill the holes that the compiler leaves: what a child makes there
    # would lie on many pages, each of which it has to copy.
    _import([*_modules("mindpipe_cli"), *_USED])
    for name in _TAKEN_ALONG:
        del sys.modules[name]
    for owner, name in _LAZY:
        getattr(importlib.import_module(owner), name)
    _live_once()
    gc.collect()
    gc.freeze()
    _take_huge_pages()


def _import(names: Sequence[str]) -> None:
    """Import modules; what cannot be imported is left to the child that needs it."""
    for name in names:
        if not name.startswith(_RARE):
            with contextlib.suppress(ImportError):
                importlib.import_module(name)


def _prepare() -> None:
    """Read the table of tokens and the words of a voice; make the patterns and the tools."""
    from mindpipe.engine.tools.specs import BUILT_IN, BY_NAME
    from mindpipe.language.records import Utterance
    from mindpipe.language.strict import StrictReader
    from mindpipe.model_access import make_tokens
    from mindpipe.person.voice.language import language

    make_tokens("o200k_base").count("warm")
    language()
    for tool in BUILT_IN:
        tool.spec(BY_NAME)
    # One sentence that begins as what a speaker says of himself does, and one that does not.
    text = "I walked over there on that Monday. Somebody else walked there in May 2020."
    StrictReader().read([Utterance(text, speaker="ada", at="2026-11-21T20:00:00Z")])


def _compile_patterns() -> None:
    """Compile what waits for a text that it may meet, for which most children have some."""
    from mindpipe.core.patterns import LatePattern

    for one in gc.get_objects():
        if type(one) is LatePattern:
            one.compile()


def _live_once() -> None:
    """Run some commands here, none of which leaves a thread or anything of its surroundings."""
    from mindpipe_cli.root import run_command

    with (
        tempfile.TemporaryDirectory() as folder,
        Path(os.devnull).open("w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        store = ("--store", f"{folder}/mind.db")
        for words in (
            "init --agent ava",
            "agent list",
            "inbox push --text Hello",
            "inbox list",
        ):
            assert run_command([*words.split(), *store]) == 0, words
    # Where a child puts what passes is for its own environment to say.
    tempfile.tempdir = None


def _take_huge_pages() -> None:
    """Move what is loaded to huge pages: a fork copies the table of pages, and theirs is short.

    Where the system has none, all stays as it is.
    """
    libc = ctypes.CDLL(None)
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, mode, _, _, inode, *name = line.split()
        if mode != "rw-p" or inode != "0" or name not in ([], ["[heap]"]):
            continue
        first, end = (int(address, 16) for address in span.split("-"))
        first, end = -(-first // _HUGE) * _HUGE, end // _HUGE * _HUGE
        if first < end:
            for advice in (_MADV_HUGEPAGE, _MADV_COLLAPSE):
                libc.madvise(ctypes.c_void_p(first), ctypes.c_size_t(end - first), advice)


def _modules(package: str) -> list[str]:
    """Return the names of all modules of a package."""
    place = importlib.import_module(package).__path__
    return [found.name for found in pkgutil.walk_packages(place, f"{package}.")]


if __name__ == "__main__":
    load()
    parent = _Parent(sys.argv[1])
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    parent.serve()
