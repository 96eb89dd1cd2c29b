"""What a loop does a second, what a cycle costs in a long life, and what waiting costs."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from figures import Figure
from measuring import MIND, Command, mind, progress, spend

from living import make_life

PART = "loop"
_IDLE_SECONDS = 20.0
_TICKS = 100.0
_FIXED = {"MIND_NOW": "2026-11-21T20:00:00Z", "MIND_SEED": "1"}


def figures(folder: Path, *, events: int, messages: int) -> Iterator[Figure]:
    """Yield cycles a second in overload, the growth of a cycle in long lives, and idle time."""
    base = _rate(folder / "short", events=events, messages=100)
    yield Figure(part=PART, what=f"{events:,} events, replay: model", value=base, unit="cycles/s")
    for count in (messages // 10, messages):
        rate = _rate(folder / f"of-{count}", events=events, messages=count)
        what = f"a cycle after {count:,} messages"
        yield Figure(part=PART, what=what, value=base / rate, unit="x one after 100", most=1.2)
    idle = _idle(folder / "short")
    yield Figure(part=PART, what="an idle loop", value=idle * 100, unit="% of a core", most=0.5)


def _rate(life: Path, *, events: int, messages: int) -> float:
    """Return how many cycles a second a loop lives that is asked as it was when it was recorded."""
    make_life(life, messages=messages)
    given = life / "events.jsonl"
    given.write_text("".join(f"{json.dumps({'text': f'event {at}'})}\n" for at in range(events)))
    mind(life, "inbox", "push", "--agent", "ava", given.name)
    shutil.copyfile(life / "mind.db", life / "replay.db")
    (life / "replay.db").chmod(0o600)
    run = [MIND, "run", "--agent", "ava", "--once", "--json"]
    progress(f"loop: recording {events:,} events after {messages:,} messages")
    recorded = [*run, "--model", "program:./answer", "--record", "turns.jsonl"]
    spend(Command(argv=recorded, folder=life, environment=_FIXED))
    out = life / "reports.jsonl"
    again = [*run, "--store", "replay.db", "--model", "replay:turns.jsonl"]
    spent = spend(Command(argv=again, folder=life, environment=_FIXED, stdout=out))
    return len(out.read_text().splitlines()) / spent.seconds


def _idle(life: Path) -> float:
    """Return the share of a core that a loop takes while nothing happens."""
    mind(life, "agent", "new", "bea")
    worker = subprocess.Popen(
        [MIND, "run", "--agent", "bea", "--model", "program:./answer"],
        cwd=life,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        time.sleep(3.0)
        before = _ticks(worker.pid)
        time.sleep(_IDLE_SECONDS)
        return (_ticks(worker.pid) - before) / _TICKS / _IDLE_SECONDS
    finally:
        worker.terminate()
        worker.wait()


def _ticks(pid: int) -> int:
    """Return the hundredths of a second that a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
