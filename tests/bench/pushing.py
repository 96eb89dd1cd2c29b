"""How fast events go into an inbox: many from one pipe, and from many pushers at once."""

import statistics
import subprocess
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from figures import Figure
from measuring import MIND, PYTHON, Command, environment, interleaved, median, mind, peak

PART = "inbox"
PUSHERS = 8
_BARE = """
    import sys

    import apsw

    connection = apsw.Connection("bare.db")
    for statement in (
        "PRAGMA journal_mode=WAL",
        "PRAGMA synchronous=FULL",
        "CREATE TABLE line(octets BLOB)",
        "BEGIN IMMEDIATE",
    ):
        connection.execute(statement).fetchall()
    lines = ((line,) for line in sys.stdin.buffer)
    connection.executemany("INSERT INTO line VALUES(?)", lines)
    connection.execute("COMMIT")
    connection.close()
"""


def figures(folder: Path, *, events: int, rounds: int) -> list[Figure]:
    """Measure one push of many events beside a bare insert of the same lines."""
    (folder / "bare.py").write_text(textwrap.dedent(_BARE))
    lines = folder / "events.jsonl"
    with lines.open("w") as file:
        file.writelines(
            f'{{"source":"sensor","sender":"s{n % 50}","text":"reading {n} is in"}}\n'
            for n in range(events)
        )
    push = [MIND, "inbox", "push", "--agent", "ava", "--max-open", str(2 * events)]
    commands = {
        "bare": Command(
            argv=[PYTHON, "bare.py"],
            folder=folder,
            stdin=lines,
            pipe=True,
            before=lambda: _remove(folder, "bare.db"),
        ),
        "push": Command(
            argv=push, folder=folder, stdin=lines, pipe=True, before=lambda: _new_store(folder)
        ),
    }
    spent = interleaved(commands, rounds=rounds, title=f"inbox: {events:,} events")
    pairs = zip(spent["bare"], spent["push"], strict=True)
    ratio = statistics.median(bare.seconds / push.seconds for bare, push in pairs)
    what = f"push of {events:,} events"
    return [
        Figure(part=PART, what=what, value=ratio, unit="x rate of a bare insert", least=0.35),
        Figure(part=PART, what=what, value=events / median(spent["push"]), unit="events/s"),
        Figure(part=PART, what=what, value=peak(spent["push"]), unit="MB resident", most=150),
    ]


def pushers(folder: Path, *, pushes: int, lines: int) -> list[Figure]:
    """Let eight pushers push at once, each line after line, and count what is there afterwards."""
    _new_store(folder)

    def push_all(name: int) -> list[str]:
        return [fault for number in range(pushes) if (fault := _push(folder, name, number, lines))]

    begun = time.perf_counter()
    with ThreadPoolExecutor(PUSHERS) as pool:
        faults = [fault for found in pool.map(push_all, range(PUSHERS)) for fault in found]
    seconds = time.perf_counter() - begun
    stored = mind(folder, "inbox", "list", "--agent", "ava", "--limit", str(10**6)).count(b"\n")
    expected = (PUSHERS * pushes - len(faults)) * lines
    what = f"{PUSHERS} pushers, {pushes} pushes each"
    locked = sum("locked" in fault or "busy" in fault for fault in faults)
    return [
        Figure(part=PART, what=what, value=expected - stored, unit="events lost", most=0),
        Figure(part=PART, what=what, value=len(faults), unit="pushes failed", most=0),
        Figure(part=PART, what=what, value=locked, unit='said "locked"', most=0),
        Figure(part=PART, what=what, value=PUSHERS * pushes / seconds, unit="pushes/s"),
    ]


def _push(folder: Path, name: int, number: int, lines: int) -> str:
    """Push some lines and return what went wrong, or nothing."""
    text = "".join(f'{{"text":"{name} {number} {line}"}}\n' for line in range(lines))
    done = subprocess.run(
        [MIND, "inbox", "push", "--agent", "ava"],
        input=text.encode(),
        capture_output=True,
        cwd=folder,
        env=environment(folder),
        check=False,
    )
    whole = done.returncode == 0 and done.stdout.count(b"\n") == lines
    return "" if whole else f"{done.returncode}: {done.stderr.decode()}"


def _new_store(folder: Path) -> None:
    """Make an empty store with one agent."""
    _remove(folder, "mind.db")
    mind(folder, "init", "--agent", "ava")


def _remove(folder: Path, name: str) -> None:
    """Remove a database and what stands beside it."""
    for file in folder.glob(f"{name}*"):
        file.unlink()
