"""What a loop does a second, what a cycle costs in a long life, and what waiting costs."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from figures import Figure
from living import make_life
from measuring import MIND, Command, mind, progress, spend

PART = "loop"
_IDLE_SECONDS = 20.0
_TICKS = 100.0
_FEW, _TURNS = 600, 3
_FIXED = {"MIND_NOW": "2026-11-21T20:00:00Z", "MIND_SEED": "1"}


def figures(folder: Path, *, events: int, messages: int) -> Iterator[Figure]:
    """Yield cycles a second in overload, the growth of a cycle in long lives, and idle time."""
    short = folder / "short"
    again = _recorded(short, events=events, messages=100)
    drained = _lived(again)
    rate = drained.cycles / drained.seconds
    yield Figure(part=PART, what=f"{events:,} events, replay: model", value=rate, unit="cycles/s")
    yield from _growth(folder, events=min(events, _FEW), messages=messages)
    idle = _idle(short)
    yield Figure(part=PART, what="an idle loop", value=idle * 100, unit="% of a core", most=0.5)


def _growth(folder: Path, *, events: int, messages: int) -> Iterator[Figure]:
    """Yield what a cycle takes in lives of three lengths, start-up left out, lived in turns."""
    lengths = (100, messages // 10, messages)
    commands = [_recorded(folder / f"of-{one}", events=events, messages=one) for one in lengths]
    turns = [[_beyond_start(command) for command in commands] for _ in range(_TURNS)]
    for clock, place in (("on the wall", 0), ("of a core", 1)):
        short, *longer = (min(one[place] for one in turn) for turn in zip(*turns, strict=True))
        what, unit = "a cycle after 100 messages, replay: model", f"ms {clock}"
        yield Figure(part=PART, what=what, value=short * 1000, unit=unit)
        for count, long in zip(lengths[1:], longer, strict=True):
            what, unit = f"a cycle after {count:,} messages", f"x one after 100 {clock}"
            yield Figure(part=PART, what=what, value=long / short, unit=unit, most=1.2)


class _Lived(NamedTuple):
    """What a loop lived: how many cycles, and in how many seconds, on the wall and of a core."""

    cycles: int
    seconds: float
    core: float


def _recorded(life: Path, *, events: int, messages: int) -> Command:
    """Return a run that drains so many events, asked as it was when its turns were recorded.

    Before, one cycle folds what was imported: that is the price of the import, not of a cycle. It
    is lived in both stores, because another model begins another segment.
    """
    make_life(life, messages=messages)
    given = life / "events.jsonl"
    given.write_text("".join(f"{json.dumps({'text': f'event {at}'})}\n" for at in range(events)))
    mind(life, "inbox", "push", "--agent", "ava", "--text", "Is anything late?")
    _copy(life / "mind.db", life / "replay.db")
    progress(f"loop: recording {events:,} events after {messages:,} messages")
    recording = ["--model", "program:./answer", "--record", "turns.jsonl"]
    replaying = ["--model", "replay:turns.jsonl", "--store", "replay.db"]
    run = [MIND, "run", "--agent", "ava", "--once", "--json"]
    push = [MIND, "inbox", "push", "--agent", "ava", given.name]
    commands = (
        [*run, *recording],
        push,
        [*run, *recording],
        [*run, *replaying],
        [*push, *replaying[2:]],
    )
    for argv in commands:
        spend(Command(argv=argv, folder=life, environment=_FIXED))
    _copy(life / "replay.db", life / "before.db")
    return Command(
        argv=[*run, *replaying],
        folder=life,
        environment=_FIXED,
        stdout=life / "reports.jsonl",
        before=lambda: _copy(life / "before.db", life / "replay.db"),
    )


def _copy(store: Path, other: Path) -> None:
    """Copy a store that nobody has open."""
    shutil.copyfile(store, other)
    other.chmod(0o600)


def _lived(command: Command) -> _Lived:
    """Run a loop, start-up included."""
    spent = spend(command)
    assert command.stdout is not None
    return _Lived(len(command.stdout.read_text().splitlines()), spent.seconds, spent.core)


def _beyond_start(command: Command) -> tuple[float, float]:
    """Return what a cycle takes beyond a run that finds nothing, on the wall and of a core."""
    lived = _lived(command)
    nothing = spend(replace(command, before=lambda: None, statuses=frozenset({0, 3})))
    return (lived.seconds - nothing.seconds) / lived.cycles, (
        lived.core - nothing.core
    ) / lived.cycles


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
