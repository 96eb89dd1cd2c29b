"""What attacks: programs that outgrow their limits, and text that forges what a terminal shows.

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

import msgspec

from mindpipe.core.ports import Limits, ProgramCall, ProgramRun

SECONDS = 4.0
"""How long those may run that are ended at their deadline: they have to start before it."""
PATIENCE = 60.0
OUTPUT_BYTES = 65536
LIMITS = Limits(cpu_seconds=60, memory_bytes=256 << 20, file_bytes=1 << 20, open_files=32)

Judge = Callable[[ProgramRun], bool]


class Hostile(NamedTuple):
    """A program, whether it is ended at its deadline, what must be true of its run, its CPU time.

    Most say `off` once they do what they are hostile in.
    """

    argv: tuple[str, ...]
    late: bool = False
    fits: Judge = lambda run: run.stdout == b"off\n"
    limits: Limits = LIMITS


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
MEMORY = """
import time
kept = []
for piece in range(400):
    kept.append(b"x" * (1 << 20))
time.sleep(10)
print("off", flush=True)
"""
# What is only reserved, of private or shared memory or of a file, is nobody's.
RESERVED = """
import mmap
private = mmap.mmap(-1, 1 << 33)
private[:1 << 20] = b"x" * (1 << 20)
with open("large", "w+b") as large:
    large.truncate(1 << 20)
    file = mmap.mmap(large.fileno(), 0)
    print("off" if sum(map(len, (private, file))) > 1 << 33 else "")
"""
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
    "memory": Hostile(python(MEMORY), fits=lambda run: run.outgrew and not run.stdout),
    "memory of a child": Hostile(
        sh(f"{sys.executable} -IS -c '{MEMORY}' & wait"),
        fits=lambda run: run.outgrew and run.status == -signal.SIGKILL and not run.stdout,
    ),
    "memory that is only reserved": Hostile(python(RESERVED)),
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
# Only it is bounded in CPU time: where pages are slow to come, the others need more than a second.
BURNER = Hostile(
    sh("while :; do :; done"),
    fits=lambda run: run.status in (-24, -9),
    limits=msgspec.structs.replace(LIMITS, cpu_seconds=1),
)


def ended_by_force(run: ProgramRun) -> bool:
    """Tell whether a program did not come to its end."""
    return run.status == -signal.SIGKILL


# The keeper is the parent of a program, and the watcher that of the keeper.
KEEPERS = "k=$PPID; w=$(cut -d ' ' -f 4 /proc/$k/stat); "
# It goes on once what it left has a session of its own, however long that takes.
_APART = "& c=$!; until [ \"$(cut -d ' ' -f 6 /proc/$c/stat)\" = $c ]; do :; done) ; "
STAYING = f"(setsid sleep 60 {_APART}"
BARE = f'(env -i setsid /bin/sh -c "sleep 60; : $MARK" {_APART}'
AGAINST_KEEPERS = {
    "kills its keeper": Hostile(sh("kill -9 $PPID; exec sleep 60"), fits=ended_by_force),
    "kills its keeper and leaves a session": Hostile(
        sh(f"{STAYING}kill -9 $PPID; exec sleep 60"), fits=ended_by_force
    ),
    "kills its keeper and leaves one without a mark": Hostile(
        sh(f"{BARE}kill -9 $PPID; exec sleep 60"), fits=ended_by_force
    ),
    "stops its keeper": Hostile(sh(f"{STAYING}kill -STOP $PPID; sleep 60"), fits=ended_by_force),
    "kills keeper and watcher": Hostile(
        sh(f"{KEEPERS}{STAYING}kill -9 $w $k; exec sleep 60"), fits=ended_by_force
    ),
    "kills the watcher": Hostile(
        sh(f"{KEEPERS}{STAYING}kill -9 $w; exec sleep 60"), fits=ended_by_force
    ),
    "stops the watcher": Hostile(sh(f"{KEEPERS}{STAYING}kill -STOP $w; echo off")),
}


class Marked:
    """Count the processes that came of our programs by a variable that all of them inherit.

    One that throws its environment away has it among its arguments.
    """

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
            limits=hostile.limits,
        )

    def living(self) -> list[int]:
        """Return the marked processes that have not ended."""
        mark = self._mark.encode()
        return [int(folder.name) for folder in _processes() if mark in _words(folder)]

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


def _words(folder: Path) -> bytes:
    """Return environment and arguments of a process; one that ended has none."""
    try:
        return (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes()
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


SEQUENCES: dict[str, str] = {
    "colour": "\x1b[38;5;201m",
    "true colour": "\x1b[48;2;1;2;3m",
    "conceal": "\x1b[8m",
    "clear screen": "\x1b[2J",
    "clear scrollback": "\x1b[3J",
    "home": "\x1b[H",
    "place": "\x1b[7;11H",
    "up": "\x1b[7A",
    "down": "\x1b[7B",
    "right": "\x1b[7C",
    "left": "\x1b[7D",
    "erase to start": "\x1b[1K",
    "delete lines": "\x1b[7M",
    "insert characters": "\x1b[7@",
    "scroll region": "\x1b[2;9r",
    "other screen": "\x1b[?1049h",
    "mouse": "\x1b[?1000h",
    "paste mode": "\x1b[?2004h",
    "hide cursor": "\x1b[?25l",
    "report": "\x1b[6n",
    "attributes": "\x1b[c",
    "window": "\x1b[21t",
    "CSI with intermediate": "\x1b[0 q",
    "CSI as C1": "\x9b31;1m",
    "save": "\x1b7",
    "restore": "\x1b8",
    "reset": "\x1bc",
    "index": "\x1bD",
    "reverse index": "\x1bM",
    "charset": "\x1b(0",
    "alignment": "\x1b#8",
    "title": "\x1b]0;forged\x07",
    "title with ST": "\x1b]2;forged\x1b\\",
    "link": "\x1b]8;;http://x.example/\x1b\\there\x1b]8;;\x1b\\",
    "clipboard": "\x1b]52;c;Zm9yZ2Vk\x07",
    "palette": "\x1b]4;1;rgb:ff/00/00\x1b\\",
    "notification": "\x1b]9;forged\x07",
    "OSC as C1": "\x9d0;forged\x9c",
    "DCS": "\x1bP$q m\x1b\\",
    "sixel": "\x1bPq#0;2;0;0;0\x1b\\",
    "DCS as C1": "\x90+q6e\x9c",
    "APC": "\x1b_Gi=1;AAAA\x1b\\",
    "PM": "\x1b^forged\x1b\\",
    "SOS": "\x1bXforged\x1b\\",
    "unfinished OSC": "\x1b]0;never ends",
    "bell": "\x07",
    "backspace": "\x08\x08\x08",
    "carriage return": "\rforged",
    "vertical tab": "\x0b",
    "form feed": "\x0c",
    "shift out": "\x0e",
    "XOFF": "\x13",
    "substitute": "\x1a",
    "lone escape": "\x1b",
    "DEL": "\x7f",
    "NEL": "\x85",
    "right to left override": "\u202e",
    "embedding": "\u202a",
    "isolate": "\u2067",
    "pop": "\u2069",
    "mark": "\u200f",
    "arabic letter mark": "\u061c",
    "zero width space": "\u200b",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "line separator": "\u2028",
    "annotation": "\ufff9",
    "tags": "\U000e0001\U000e0049\U000e007f",
    "hidden variation": "\U000e0100\U000e01ef",
}
WORDS = " ".join(f"{place}({sequence})" for place, sequence in enumerate(SEQUENCES.values()))
"""All of them in one text, each between brackets and after its number."""
