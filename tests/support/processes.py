"""Start `mind` as a real process within milliseconds: a fork of one that has loaded everything.

Its parent is a child of the fork server: it reads one JSON object per line, forks, and answers with
the child's pid, or waits for a child and answers with its status.
"""

import atexit
import faulthandler
import functools
import importlib
import json
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from support.command import clean_environment, fork_server
from support.patience import LONGEST

_STUCK = 2 * LONGEST
_WORD = 5.0
"""Seconds that a process has to say where it stands."""
_SAY_WHERE = signal.SIGUSR2


class Parent:
    """A process whose children are `mind` processes, of a broken build if one is named."""

    def __init__(self, build: str = "") -> None:
        self._lock = threading.Lock()
        (asked, asks), (answers, answered) = os.pipe(), os.pipe()
        self._life = fork_server().ask({"build": build}, (asked, answered, sys.stderr.fileno()))
        os.close(asked)
        os.close(answered)
        self._asks, self._answers = os.fdopen(asks, "w"), os.fdopen(answers)

    def close(self) -> None:
        """End the parent; its children end by themselves."""
        self._asks.close()
        self._answers.close()
        self._life.recv(16)
        self._life.close()

    def ask(self, wish: dict[str, Any]) -> int:
        """Return the pid of a new child, or the status of one that has ended."""
        with self._lock:
            self._asks.write(json.dumps(wish) + "\n")
            self._asks.flush()
            return int(self._answers.readline())


@functools.cache
def unchanged() -> Parent:
    """Return the parent whose children run the program as it is, for all tests of this process."""
    parent = Parent()
    atexit.register(parent.close)
    return parent


class Nursery:
    """`mind` processes of one folder; safe to use from several threads.

    `patches` names a module of tests/red, or one elsewhere by its whole name, whose PATCHES hold in
    every child. `environment` is what all of them have beside a clean one.
    """

    def __init__(
        self, folder: Path, patches: str = "", environment: Mapping[str, str] | None = None
    ) -> None:
        self._folder = folder
        self._environment = environment or {}
        self._own = Parent(patches) if patches else None
        self._parent = self._own or unchanged()

    def close(self) -> None:
        """End the parent if it is nobody else's; its children end by themselves."""
        if self._own is not None:
            self._own.close()

    def start(
        self,
        arguments: Sequence[str],
        out: Path,
        environment: Mapping[str, str],
        *,
        stdin: str = os.devnull,
    ) -> "Newborn":
        """Start `mind` with these arguments; its stdout and stderr go to `out` and `out`.err."""
        wish = {
            "arguments": list(arguments),
            "folder": str(self._folder),
            "stdin": stdin,
            "out": str(out),
            "environment": {**_real(self._folder), **self._environment, **environment},
        }
        return Newborn(self, self._parent.ask(wish), out)

    def run(self, *arguments: str) -> list[Any]:
        """Run `mind` to its end and return its records; fail the test if it fails."""
        with tempfile.TemporaryDirectory() as folder:
            born = self.start(arguments, Path(folder) / "out", {})
            assert born.status() == 0, born.words()
            return born.records()

    def status(self, pid: int) -> int:
        """Wait for a child; return its exit status, negative for a signal."""
        return self._parent.ask({"pid": pid})


def _real(folder: Path) -> dict[str, str]:
    """Return an environment in which time goes on, chance is chance, and litter stays in reach."""
    fixed = clean_environment(folder)
    # Where its store is is nothing that stands still.
    kept = ("MIND_STORE",)
    real = {
        name: value for name, value in fixed.items() if name in kept or not name.startswith("MIND_")
    }
    return {**real, "TMPDIR": str(folder)}


class Newborn:
    """One `mind` process."""

    def __init__(self, nursery: Nursery, pid: int, out: Path) -> None:
        self._nursery = nursery
        self._out = out
        self.pid = pid
        # The parent reaps it only when it is asked to, so the pid is not used again before that.
        self._handle = os.pidfd_open(pid)

    @property
    def handle(self) -> int:
        """Return a descriptor that can be read once it has ended."""
        return self._handle

    def kill(self, number: int) -> None:
        """Send a signal."""
        os.kill(self.pid, number)

    def ended(self, seconds: float | None = None) -> bool:
        """Wait for its end, at most so long; tell whether it came."""
        import select

        return bool(select.select([self._handle], [], [], seconds)[0])

    def status(self) -> int:
        """Wait for its end and return its exit status, negative for a signal; ask once.

        One that does not end is killed, and fails the test with where each thread of it stood.
        """
        if self.ended(_STUCK):
            os.close(self._handle)
            return self._nursery.status(self.pid)
        self.kill(_SAY_WHERE)
        self.ended(_WORD)
        self.kill(signal.SIGKILL)
        os.close(self._handle)
        self._nursery.status(self.pid)
        # On a terminal there is nothing to be read again.
        told = self._out.with_name(self._out.name + ".err")
        raise AssertionError(
            f"not ended in {_STUCK:.0f} s: {self.words() if told.is_file() else ''}"
        )

    def stopped(self) -> bool:
        """Tell whether SIGSTOP has stopped it."""
        stat = Path(f"/proc/{self.pid}/stat").read_text()
        return stat.rpartition(")")[2].split()[0] == "T"

    def records(self) -> list[Any]:
        """Return the whole lines that it printed; one that died at birth printed none."""
        octets = self._out.read_bytes() if self._out.exists() else b""
        return [json.loads(line) for line in octets.splitlines(keepends=True) if line[-1:] == b"\n"]

    def words(self) -> str:
        """Return what it said on stderr."""
        return self._out.with_name(self._out.name + ".err").read_text()


def serve(build: str) -> None:
    """Fork and reap as stdin asks until nobody asks any more; does not return."""
    status = 1
    try:
        if build:
            place = build if "." in build else f"red.{build}"
            for owner, name, part in importlib.import_module(place).PATCHES:
                setattr(owner, name, part)
        with os.fdopen(0) as asks, os.fdopen(1, "w") as answers:
            for line in asks:
                answers.write(f"{_answer(json.loads(line))}\n")
                answers.flush()
        status = 0
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(status)


def _answer(wish: dict[str, Any]) -> int:
    """Return the pid of a new child, or the status of one that has ended."""
    if "pid" in wish:
        return os.waitstatus_to_exitcode(os.waitpid(wish["pid"], 0)[1])
    pid = os.fork()
    if pid == 0:
        _live(wish)
    return pid


def _live(wish: dict[str, Any]) -> None:
    """Be a `mind` process; does not return."""
    from mindpipe_cli.main import main

    os.chdir(wish["folder"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    streams = (
        (wish["stdin"], os.O_RDONLY),
        (wish["out"], flags),
        (wish["out"] + ".err", flags),
    )
    for number, (name, how) in enumerate(streams):
        os.dup2(os.open(name, how, 0o600), number)
    faulthandler.register(_SAY_WHERE, file=2)
    sys.argv = ["mind", *wish["arguments"]]
    status = 1
    try:
        main()
    except SystemExit as end:
        status = int(end.code or 0)
    except Exception:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
