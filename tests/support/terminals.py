"""Run programs on terminals of their own, and read all that these are sent."""

import os
import pty
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.command import Mind, clean_environment
from support.patience import LONGEST


@dataclass
class Screen:
    """What a terminal was sent by commands, on stdout and on stderr, and how they ended."""

    stdout: str
    stderr: str
    status: int = 0


class Reading(threading.Thread):
    """Read what a terminal is sent until nobody has it open any more."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(daemon=True)
        self.octets = bytearray()
        self._descriptor = descriptor
        self.start()

    def run(self) -> None:
        while True:
            try:
                piece = os.read(self._descriptor, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            self.octets += piece
        os.close(self._descriptor)

    def text(self) -> str:
        self.join(LONGEST)
        assert not self.is_alive(), "the terminal is still open"
        return self.octets.decode("utf-8", "replace")


def terminal() -> tuple[Reading, int]:
    """Open a terminal that shows what it is sent as it is; the caller closes the descriptor."""
    ours, theirs = pty.openpty()
    modes = termios.tcgetattr(theirs)
    modes[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, modes)
    return Reading(ours), theirs


# What opens a terminal first, in a session of its own, has it as its own: there Ctrl-C reaches it.
_TAKE_TERMINAL = 'exec "$@" <"$0" >"$0" 2>&1'


@dataclass
class Typing:
    """A process on a terminal of its own: `keyboard` is the descriptor on which it is typed at."""

    keyboard: int
    process: subprocess.Popen[bytes]

    def types(self, keys: str) -> None:
        """Press some keys."""
        os.write(self.keyboard, keys.encode())


@contextmanager
def typing_at(
    command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> Iterator[Typing]:
    """Start a program on a terminal of its own; kill it at the end, if it is still there."""
    hands, keys = pty.openpty()
    process = subprocess.Popen(
        ["sh", "-c", _TAKE_TERMINAL, os.ttyname(keys), *command],
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    try:
        yield Typing(hands, process)
    finally:
        process.kill()
        process.wait()
        os.close(keys)
        os.close(hands)


def on_terminals(
    mind: Mind,
    program: Sequence[str],
    stdin: bytes = b"",
    *,
    columns: int = 100,
    typed: str | None = None,
) -> Screen:
    """Run a program whose stdout and stderr are terminals that know colours, so wide.

    With `typed` stdin is one too, on which that is typed.
    """
    (out, first), (err, second) = terminal(), terminal()
    hands, keys = pty.openpty()
    os.write(hands, (typed or "").encode())
    environment = {**clean_environment(mind.folder), "TERM": "xterm-256color", **mind.environment}
    try:
        ended = subprocess.run(
            program,
            **({"input": stdin} if typed is None else {"stdin": keys}),
            stdout=first,
            stderr=second,
            env={**environment, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": str(columns)},
            cwd=mind.folder,
            check=False,
            timeout=LONGEST,
        )
    finally:
        os.close(first)
        os.close(second)
        os.close(hands)
        os.close(keys)
    return Screen(out.text(), err.text(), ended.returncode)
