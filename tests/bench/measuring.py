"""Run real programs, one after the other in turns, and take what each spent."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

BIN = Path(sys.executable).parent
PYTHON = str(BIN / "python")
MIND = str(BIN / "mind")
MEGABYTE = 1 << 20


def _nothing() -> None:
    """Prepare nothing."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """A program to be measured: where it runs, what it reads, and what is done before, unmeasured.

    With `pipe` its input comes from `cat`, as in a pipeline.
    """

    argv: Sequence[str]
    folder: Path
    stdin: Path | None = None
    stdout: Path | None = None
    pipe: bool = False
    statuses: frozenset[int] = frozenset({0})
    environment: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], None] = _nothing


@dataclass(frozen=True)
class Spent:
    """What one run took: seconds on the wall, those of a core, and its largest resident set.

    The set is in bytes; the system counts in what this program had when it started the other, about
    29 MB.
    """

    seconds: float
    core: float
    peak: int


def environment(folder: Path) -> dict[str, str]:
    """Return the whole environment of a measured program; the caller's may not slow it down."""
    return {
        "PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
    }


def spend(command: Command) -> Spent:
    """Run a program once to its end; raises RuntimeError if it does not end as it should."""
    command.before()
    errors = command.folder / "stderr"
    with (
        (command.stdin or Path(os.devnull)).open("rb") as source,
        (command.stdout or Path(os.devnull)).open("wb") as target,
        errors.open("wb") as said,
    ):
        begun = time.perf_counter()
        cat = None
        if command.pipe:
            cat = subprocess.Popen(["cat"], stdin=source, stdout=subprocess.PIPE)
        child = subprocess.Popen(
            command.argv,
            stdin=cat.stdout if cat else source,
            stdout=target,
            stderr=said,
            cwd=command.folder,
            env={**environment(command.folder), **command.environment},
        )
        if cat and cat.stdout:
            cat.stdout.close()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
        if cat:
            cat.wait()
    if child.returncode not in command.statuses:
        words = errors.read_text(errors="replace").strip()
        raise RuntimeError(f"{' '.join(command.argv)} ended with {child.returncode}: {words}")
    return Spent(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def mind(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """Run `mind` unmeasured and return its stdout; raises RuntimeError if it fails."""
    done = subprocess.run(
        [MIND, *arguments],
        input=stdin,
        capture_output=True,
        cwd=folder,
        env=environment(folder),
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"mind {' '.join(arguments)}: {done.stderr.decode()}")
    return done.stdout


def interleaved(
    commands: Mapping[str, Command], *, rounds: int, title: str
) -> dict[str, list[Spent]]:
    """Run all commands in turns, so that a busy moment meets all of them; the first turn is lost.

    It compiles and fills caches.
    """
    spent: dict[str, list[Spent]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        progress(f"{title}: turn {turn} of {rounds}")
        for name, command in commands.items():
            once = spend(command)
            if turn:
                spent[name].append(once)
    return spent


def median(spent: Sequence[Spent]) -> float:
    """Return the median of the seconds."""
    return statistics.median(one.seconds for one in spent)


def median_core(spent: Sequence[Spent]) -> float:
    """Return the median of the seconds of a core."""
    return statistics.median(one.core for one in spent)


def peak(spent: Sequence[Spent]) -> float:
    """Return the largest resident set of all runs, in megabytes."""
    return max(one.peak for one in spent) / MEGABYTE


def progress(words: str) -> None:
    """Say on stderr what is under way: on a terminal on one line, else a line each."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{words}")
    elif " turn " not in words:
        sys.stderr.write(f"{words}\n")
    sys.stderr.flush()
