"""Real programs that try to outlive or outgrow their limits, and a witness who counts survivors.

Every one is bounded by itself: left alone it ends within a minute, and none is ever more than 64.
"""

import contextlib
import os
import secrets
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.ports import Limits, ProgramCall, ProgramRun

SECONDS = 1.0
PATIENCE = 60.0
OUTPUT_BYTES = 65536
LIMITS = Limits(cpu_seconds=1, memory_bytes=256 << 20, file_bytes=1 << 20, open_files=32)

Judge = Callable[[ProgramRun], bool]


class Hostile(NamedTuple):
    """A program, whether it is ended at its deadline, and what else must be true of its run.

    Most say `off` once they do what they are hostile in.
    """

    argv: tuple[str, ...]
    late: bool = False
    fits: Judge = lambda run: run.stdout == b"off\n"


def sh(script: str) -> tuple[str, ...]:
    """Return a shell script as an argument vector."""
    return ("/bin/sh", "-c", script)


def python(script: str) -> tuple[str, ...]:
    """Return a Python script as an argument vector."""
    return (sys.executable, "-I", "-S", "-c", script)


DAEMON = """
import os, time
if os.fork():
    os.wait()
    os._exit(0)
os.setsid()
print("off", flush=True)
if os.fork():
    os._exit(0)
os.closerange(0, 64)
time.sleep(60)
"""
BOMB = """
import os, time
print("off", flush=True)
for depth in range(5):
    os.fork() or os.setsid()
time.sleep(60)
"""
# Whoever looks for it finds only where it was: each one forks and ends, in a session of its own.
RUNAWAY = """
import os, time
print("off", flush=True)
if os.fork() == 0:
    os.closerange(0, 64)
    for step in range(20000):
        if os.fork():
            os._exit(0)
        os.setsid()
    time.sleep(60)
"""
FILES = """
import os
opened = 0
try:
    while opened < 1000:
        os.open("/dev/null", os.O_RDONLY)
        opened += 1
finally:
    print(opened)
"""
MEMORY = "import os\nkept = []\nfor piece in range(400): kept.append(bytearray(1 << 20))"
EVERY = bytes(range(256))

HOSTILE = {
    "deaf to SIGTERM": Hostile(sh("trap '' TERM; echo off; while :; do sleep 60; done"), late=True),
    "child in a session of its own": Hostile(sh("setsid sleep 60 & echo off; sleep 60"), late=True),
    "child that stays behind": Hostile(sh("setsid sleep 60 & sleep 60 & echo off")),
    "daemon": Hostile(python(DAEMON)),
    "bomb": Hostile(python(BOMB), late=True),
    "runaway": Hostile(python(RUNAWAY)),
    "stops itself": Hostile(sh("echo off; kill -STOP $$"), late=True),
    "endless output": Hostile(
        sh("yes out & yes err >&2 & wait"),
        late=True,
        fits=lambda run: run.stdout_cut and run.stderr_cut,
    ),
    "runs on without its output": Hostile(sh("echo off; exec >&- 2>&-; sleep 60"), late=True),
    "never reads": Hostile(
        sh("exec <&-; echo unread"), fits=lambda run: (run.status, run.stdout) == (0, b"unread\n")
    ),
    "memory": Hostile(python(MEMORY), fits=lambda run: b"MemoryError" in run.stderr),
    "file": Hostile(
        sh("exec head -c 9000000 /dev/zero > large"),
        fits=lambda run: run.status == -signal.SIGXFSZ,
    ),
    "open files": Hostile(python(FILES), fits=lambda run: 0 < int(run.stdout) < 32),
    "no core": Hostile(sh("ulimit -c"), fits=lambda run: run.stdout == b"0\n"),
    "octets": Hostile(
        python("import os; os.write(1, bytes(range(256)))"), fits=lambda run: run.stdout == EVERY
    ),
    "escapes": Hostile(
        sh("printf '\\033[2J\\033]0;x\\007'"),
        fits=lambda run: run.stdout == b"\x1b[2J\x1b]0;x\x07",
    ),
}
# It needs a second of its own, more than the others get.
BURNER = Hostile(sh("while :; do :; done"), fits=lambda run: run.status in (-24, -9))

# Where it is a child of its keeper, it ends with it.
PATRICIDE = Hostile(
    sh("kill -9 $PPID; exec sleep 60"), fits=lambda run: run.status == -signal.SIGKILL
)


class Marked:
    """Count the processes that came of our programs by a variable that all of them inherit."""

    def __init__(self) -> None:
        self._mark = secrets.token_hex(8)

    def call(self, hostile: Hostile) -> ProgramCall:
        """Return the call of a hostile program with the mark in its environment."""
        return ProgramCall(
            argv=hostile.argv,
            stdin=b"x" * (1 << 20),
            seconds=SECONDS if hostile.late else PATIENCE,
            output_bytes=OUTPUT_BYTES,
            environment={"MARK": self._mark},
            limits=LIMITS,
        )

    def living(self) -> list[int]:
        """Return the marked processes that have not ended."""
        mark = f"MARK={self._mark}".encode()
        return [int(folder.name) for folder in _processes() if mark in _environment(folder)]

    def dying(self, seconds: float = 10.0) -> bool:
        """Wait for those that were killed already; tell whether all of them ended."""
        for pid in self.living():
            with contextlib.suppress(ProcessLookupError):
                handle = os.pidfd_open(pid)
                ended = select.select([handle], [], [], seconds)[0]
                os.close(handle)
                if not ended:
                    return False
        return True

    def kill(self) -> None:
        """Kill what is left, so that a test that fails leaves nobody behind."""
        while found := self.living():
            for pid in found:
                os.kill(pid, signal.SIGKILL)


def _processes() -> Iterator[Path]:
    return (folder for folder in Path("/proc").iterdir() if folder.name.isdecimal())


def _environment(folder: Path) -> bytes:
    """Return the environment of a process; one that ended has none."""
    try:
        return (folder / "environ").read_bytes()
    except OSError:
        return b""


@contextlib.contextmanager
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """Keep a child of this process that is no program of a tool."""
    with subprocess.Popen(["sleep", "60"]) as child:
        try:
            yield child
        finally:
            child.kill()
