"""Put a `mind` on the PATH that starts within milliseconds: a fork of one that has loaded all.

It is a process of its own with the arguments, environment, folder, streams, limits and signals of
whoever called it; what it is not is a fresh interpreter. So tests of the start itself, of memory
and of terminals start the installed program, and the nightly tier runs every golden case with it.

Run as a program this is the parent: it accepts doormen until its stdin is closed.
"""

import contextlib
import ctypes
import gc
import importlib
import os
import pkgutil
import resource
import selectors
import signal
import socket
import struct
import subprocess
import sys
import time
import traceback
from pathlib import Path

DOORMAN = Path(__file__).with_name("fork_client.py")
_USED = (
    "getpass",
    "httpx2",
    "jsonschema",
    "mcp",
    "rich.console",
    "rich.live",
    "rich.progress",
    "tiktoken",
    "yaml",
)
_LAZY = (("openai", "OpenAI"), ("anthropic", "Anthropic"))
_HUGE = 2 << 20
_MADV_HUGEPAGE, _MADV_COLLAPSE = 14, 25
_CREDENTIALS = struct.Struct("3i")
_LIMITS = (
    resource.RLIMIT_AS,
    resource.RLIMIT_CPU,
    resource.RLIMIT_DATA,
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_NOFILE,
)


class Forking:
    """Such a `mind` in a folder, and the parent of its processes."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "mind"
        self.program.write_text(f"#!{sys.executable} -IS\n{DOORMAN.read_text()}")
        self.program.chmod(0o755)
        self._parent = subprocess.Popen(
            [sys.executable, __file__, str(folder / "door")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"LANG": "C.UTF-8", "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert self._parent.stdout
        assert self._parent.stdout.readline() == b"ready\n"

    def close(self) -> None:
        """End the parent; its children end by themselves."""
        self._parent.communicate()


class _Parent:
    """Fork for every doorman, and tell it how its child ended."""

    def __init__(self, door: str) -> None:
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._door.bind(door)
        self._door.listen(64)
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(self._door, selectors.EVENT_READ)
        self._waiting.register(sys.stdin.fileno(), selectors.EVENT_READ)

    def serve(self) -> None:
        """Go on until nobody is there any more who could call."""
        while True:
            for key, _ in self._waiting.select():
                if key.fileobj is self._door:
                    self._welcome(self._door.accept()[0])
                elif key.data is None:
                    return
                else:
                    self._hear(key)

    def _welcome(self, doorman: socket.socket) -> None:
        """Give birth for one doorman."""
        _, streams, _, _ = socket.recv_fds(doorman, 1, 3)
        if len(streams) < 3:
            doorman.close()
            return
        caller, _, _ = _CREDENTIALS.unpack(
            doorman.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        )
        pid = os.fork()
        if pid == 0:
            _live(Path(f"/proc/{caller}"), caller, streams)
        for stream in streams:
            os.close(stream)
        handle = os.pidfd_open(pid)
        family = (doorman, handle, pid)
        self._waiting.register(doorman, selectors.EVENT_READ, family)
        self._waiting.register(handle, selectors.EVENT_READ, family)

    def _hear(self, key: selectors.SelectorKey) -> None:
        """Pass on a signal, end a child whose doorman is dead, or tell that a child has ended."""
        doorman, handle, pid = key.data
        if key.fileobj is doorman and (said := doorman.recv(1)):
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, said[0])
            return
        if key.fileobj is doorman:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        self._waiting.unregister(doorman)
        self._waiting.unregister(handle)
        with contextlib.suppress(OSError):
            doorman.sendall(str(status).encode())
        doorman.close()
        os.close(handle)


def _live(proc: Path, caller: int, streams: list[int]) -> None:
    """Be the `mind` process that the caller stands for; does not return."""
    arguments, environment, ignored = _read(proc)
    folder = os.open(proc / "cwd", os.O_RDONLY | os.O_DIRECTORY)
    os.fchdir(folder)
    limits = [(which, resource.prlimit(caller, which)) for which in _LIMITS]
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, 1024)
    os.environ.clear()
    os.environb.update(environment)
    time.tzset()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if ignored >> (number - 1) & 1:
            signal.signal(number, signal.SIG_IGN)
    for which, limit in limits:
        resource.setrlimit(which, limit)
    sys.argv = ["mind", *map(os.fsdecode, arguments)]
    _be_mind()


def _read(proc: Path) -> tuple[list[bytes], dict[bytes, bytes], int]:
    """Return a doorman's arguments, its environment, and the set of signals that it ignores."""
    # The interpreter, -IS and the doorman's file stand before what was asked.
    arguments = proc.joinpath("cmdline").read_bytes().split(b"\0")[3:-1]
    pairs = proc.joinpath("environ").read_bytes().split(b"\0")[:-1]
    environment = dict(pair.split(b"=", 1) for pair in pairs)
    ignored = proc.joinpath("status").read_text().partition("SigIgn:\t")[2].partition("\n")[0]
    return arguments, environment, int(ignored, 16)


def _be_mind() -> None:
    """Run the command line as the installed program does."""
    from mindpipe_cli.main import main

    status = 1
    try:
        main()
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

    What cannot be imported is left to the child that needs it. The table of tokens is read too.
    """
    for name in (*_modules("mindpipe"), *_modules("mindpipe_cli"), *_USED):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for owner, name in _LAZY:
        getattr(importlib.import_module(owner), name)
    importlib.import_module("mindpipe.model_access").make_tokens("o200k_base").count("warm")
    gc.collect()
    gc.freeze()
    _take_huge_pages()


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
