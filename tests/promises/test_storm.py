"""Promises 1, 3, 5 and 6 under SIGKILL: pushers and thinkers die all the time, nothing is lost."""

import collections
import contextlib
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from mindpipe.core.errors import CommitUnknownError, TemporaryError
from mindpipe.store.access import open_where
from mindpipe.store.address import Where
from support.command import Mind, end_leases
from support.patience import until
from support.processes import Nursery
from support.proofs import proved, turned_red
from support.validation import Judge, faults_of

# On a server it rages in test_storm_server.py, where that dies, too.
pytestmark = [pytest.mark.heavy, pytest.mark.of_a_file]
SEED = int(os.environ.get("MIND_STORM_SEED", "20261121"))
LANES = 4
SOONEST, LATEST = 0.005, 0.060
# Who waits for events leaves others the processor.
PAUSE = 0.2
NOTHING_DUE, TEMPORARY = 3, 75
UNKNOWN = "cannot say whether it was kept"
"""What is said where a server died in a commit: what has a key is there once or never."""
LONGEST_STORM_PER_KILL, LONGEST_DRAIN_PER_KILL = 9.0, 6.0
LOOK_EVERY = 20
PUSH_POINTS = ("push.before_commit", "push.after_commit", "print.before_flush")
THINK_POINTS = (
    *("claim.before_commit", "claim.after_commit", "reserve.after_commit"),
    *("ask.before_send", "ask.after_reply", "record.before_commit", "record.after_commit"),
    *("act.before_started", "act.after_started", "act.after_effect", "act.before_done"),
    *("act.after_done", "store_tool.before_commit", "store_tool.after_commit"),
    *("turn.before_commit", "turn.after_commit"),
)
POINTS = {"push": PUSH_POINTS, "think": THINK_POINTS}
CALLS = [
    {"name": "send_message", "arguments": {"text": "I am on it."}},
    {"name": "keyed", "arguments": {}},
    {"name": "unsafe", "arguments": {}},
    {"name": "set_goal", "arguments": {"text": "Answer."}},
]
DONE = [{"name": "done", "arguments": {"summary": "Answered."}}]
MODEL = """#!/bin/sh
end=$(tail -c 6000)
case "${{end##*'"role":"'}}" in
tool*) echo '{done}' ;;
*) echo '{calls}' ;;
esac
"""
TOOL = """#!/bin/sh
echo "{name} $IDEMPOTENCY_KEY" >> {sink}
"""


class Fate(NamedTuple):
    """Where a process dies: at a point, or after so many seconds, or not at all."""

    point: str | None
    delay: float | None = None


@dataclass
class Storm:
    """One storm over one store: who died where, what was acknowledged, what is still to be hit."""

    mind: Mind
    nursery: Nursery
    wanted: int
    where: Where
    trouble: Callable[[int], None] = lambda _died: None
    lock: threading.Lock = field(default_factory=threading.Lock)
    pause: threading.Event = field(default_factory=threading.Event)
    idle: set[int] = field(default_factory=set)
    landed: collections.Counter[str] = field(default_factory=collections.Counter)
    died: collections.Counter[str] = field(default_factory=collections.Counter)
    statuses: collections.Counter[int] = field(default_factory=collections.Counter)
    acknowledged: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1, 1_000_000)))

    def _end_leases(self, agent: str) -> None:
        """Let the time of all leases of an agent be over, as soon as its store can be reached."""
        if isinstance(self.where, Path):
            end_leases(self.where.parent, agent)
            return
        where = self.where
        until(lambda: bool(self.errors) or _leases_ended(where, agent), "the end of leases")

    def stir(self) -> None:
        """Make trouble where it is time for that."""
        try:
            self.trouble(sum(self.died.values()))
        except Exception as error:
            self.errors.append(repr(error))

    def done(self, kind: str) -> bool:
        """Tell whether enough pushers, or processes, died, and enough was acknowledged."""
        if self.missing(kind):
            return False
        if kind == "push":
            pushers = self.died["push"] >= self.wanted // 2
            return pushers and len(self.acknowledged) >= self.wanted // 4
        return self.done("push") and sum(self.died.values()) >= self.wanted

    def missing(self, kind: str) -> list[str]:
        """Return the points of pushing or thinking at which nobody has died yet."""
        return [point for point in POINTS[kind] if not self.landed[point]]

    def lane(self, number: int, kind: str) -> None:
        """Start one process after the other, to push or to think, and let most of them die."""
        chance = random.Random(f"{SEED}/{kind}/{number}")
        life = LATEST
        until = time.monotonic() + self.wanted * LONGEST_STORM_PER_KILL
        try:
            while not (self.done("think") or self.errors) and time.monotonic() < until:
                if kind == "push" and self.done("push") and number not in self.idle:
                    self.pause.wait(PAUSE)
                    continue
                arguments = _think(number) if kind == "think" else self._push(number, chance)
                fate = _fate(chance, self.missing(kind) or POINTS[kind], life)
                started = time.monotonic()
                status = self._run(kind, arguments, fate)
                if kind == "think" and status in (-signal.SIGKILL, TEMPORARY):
                    # Nobody else thinks for this agent; whether real time ends a lease is no
                    # matter of storms, and waiting for it would make them as slow as leases are.
                    self._end_leases(f"a{number}")
                if status == 0 and kind == "push":
                    self.idle.discard(number)
                elif status == NOTHING_DUE:
                    self.idle.add(number)
                if fate == Fate(None):
                    life = time.monotonic() - started
        except Exception as error:
            self.errors.append(repr(error))

    def _push(self, number: int, chance: random.Random) -> list[str]:
        """Return the command line of one push."""
        with self.lock:
            name = f"event {next(self.numbers)}"
        if chance.random() < 0.3:
            return ["space", "post", f"s{number}", "--as", "husam", name]
        return ["inbox", "push", "--agent", f"a{number}", "--text", name, "--key", name]

    def _run(self, kind: str, arguments: list[str], fate: Fate) -> int:
        """Run one process to its end or its death; note what it acknowledged, return its status."""
        with self.lock:
            out = self.mind.folder / "out" / str(next(self.numbers))
        failing = self.mind.failing(f"{fate.point}:kill") if fate.point else {}
        born = self.nursery.start(arguments, out, failing)
        if fate.delay is not None and not born.ended(fate.delay):
            born.kill(signal.SIGKILL)
        status = born.status()
        with self.lock:
            self.statuses[status] += 1
            if status == -signal.SIGKILL:
                self.landed[fate.point or "any time"] += 1
                self.died[kind] += 1
            elif status not in {0, 3, 75} and not (status == 74 and UNKNOWN in born.words()):
                self.errors.append(f"{arguments} ended with {status}: {born.words()}")
            if kind == "push":
                self.acknowledged |= {record["id"] for record in born.records()}
        if kind == "think" and status == NOTHING_DUE:
            self.pause.wait(PAUSE)
        return status


def _think(number: int) -> list[str]:
    """Return the command line of one cycle."""
    return ["think", "--agent", f"a{number}", "--model", "program:./answer"]


def _fate(chance: random.Random, points: Sequence[str], life: float) -> Fate:
    """Draw how a process ends that would live so many seconds; most are killed."""
    drawn = chance.random()
    if drawn < 0.4:
        return Fate(chance.choice(points))
    if drawn < 0.75:
        return Fate(None, chance.uniform(SOONEST, max(LATEST, life)))
    return Fate(None)


def settle(folder: Path, nursery: Nursery) -> None:
    """Make the store, four agents with their tools, and a space for each."""
    sink = folder / "sink"
    made = {"answer": MODEL.format(done=_reply(DONE), calls=_reply(CALLS))}
    made |= {name: TOOL.format(name=name, sink=sink) for name in ("keyed", "unsafe")}
    for name, script in made.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o700)
    (folder / "out").mkdir()
    manifests = [
        {"name": name, "description": "A tool.", "command": [str(folder / name)], "effect": name}
        for name in ("keyed", "unsafe")
    ]
    (folder / "tools.json").write_text(json.dumps(manifests))
    nursery.run("init")
    # Were husam not trusted, unsafe tools would wait for a person and hardly ever run.
    settings = ("--tool", "tools.json", "--max-tokens", "1500", "--batch", "3", "--trust", "@husam")
    for number in range(LANES):
        nursery.run("agent", "new", f"a{number}", "--tools", "full", *settings)
        nursery.run("space", "new", f"s{number}")
        nursery.run("space", "join", f"s{number}", f"a{number}")
        nursery.run("space", "join", f"s{number}", "husam", "--kind", "human")


def _reply(calls: list[dict]) -> str:
    return json.dumps({"tool_calls": calls, "stop_reason": "tool_use"})


def _leases_ended(where: Where, agent: str) -> bool:
    """Let the time of all leases of an agent be over; tell whether its store could be reached."""
    with (
        contextlib.suppress(TemporaryError, CommitUnknownError),
        contextlib.closing(open_where(where)) as store,
        store.write(agent) as rows,
    ):
        named = {"agent": agent}
        rows.run("UPDATE agent_lease SET seconds = 0 WHERE agent = :agent", named)
        sql = "UPDATE event SET lease_seconds = 0 WHERE agent = :agent AND state = 'leased'"
        rows.run(sql, named)
        return True
    return False


def rage(storm: Storm) -> int:
    """Let the storm go on until it has done what it should; return how often it was looked at."""
    lanes = [
        threading.Thread(target=storm.lane, args=(number, kind))
        for number in range(LANES)
        for kind in POINTS
    ]
    for lane in lanes:
        lane.start()
    looked, faults = 0, []
    with contextlib.closing(Judge(storm.where)) as judge:
        while any(lane.is_alive() for lane in lanes):
            if sum(storm.died.values()) >= looked * LOOK_EVERY:
                # A server that is away is looked at again.
                with contextlib.suppress(TemporaryError):
                    faults += judge.faults()
                    looked += 1
            if not storm.errors:
                storm.stir()
            for lane in lanes:
                lane.join(0.01)
    assert faults == []
    return looked


def drain(storm: Storm) -> None:
    """Let every agent think until its inbox is empty, undisturbed."""
    until = time.monotonic() + storm.wanted * LONGEST_DRAIN_PER_KILL
    for number in range(LANES):
        while _open_events(storm.where, number):
            assert time.monotonic() < until, "the inbox is not worked off"
            out = storm.mind.folder / "out" / str(next(storm.numbers))
            born = storm.nursery.start(_think(number), out, {})
            assert born.status() in {0, 3, 75}, born.words()


def _open_events(where: Where, number: int) -> int:
    sql = "SELECT count(*) FROM event WHERE agent = :agent AND state IN ('ready', 'leased')"
    return _rows(where, sql, agent=f"a{number}")[0][0]


def _rows(where: Where, sql: str, **values: str) -> list[tuple]:
    with contextlib.closing(open_where(where, read_only=True)) as store, store.read() as rows:
        return list(rows.each(tuple, sql, values or None))


def lost(where: Where, acknowledged: set[str]) -> set[str]:
    """Return what was acknowledged and is not there."""
    sql = "SELECT id FROM event UNION SELECT id FROM post"
    return acknowledged - {made for (made,) in _rows(where, sql)}


def check_events(storm: Storm) -> None:
    """Check promise 1: what was acknowledged is there, and came to its end."""
    found = dict(_rows(storm.where, "SELECT id, state FROM event"))
    assert lost(storm.where, storm.acknowledged) == set()
    assert set(found.values()) <= {"done", "dead"}
    assert list(found.values()).count("done") >= len(found) // 2
    keys = _rows(storm.where, "SELECT key FROM event WHERE key IS NOT NULL")
    assert len(keys) == len(set(keys))


def check_effects(where: Where, folder: Path) -> dict[str, int]:
    """Check promises 3 to 5: rows made are calls answered, keys are kept, doubts are tickets.

    Return what was counted.
    """
    folded = (
        "SELECT count(*) FROM call JOIN turn USING(agent, cycle, turn) "
        "WHERE tool = 'send_message' AND call.state = 'done' AND turn.state = 'folded'"
    )
    goals = "SELECT count(*) FROM call WHERE tool = 'set_goal' AND state = 'done'"
    said = "SELECT count(*) FROM post WHERE sender != 'husam' AND state = 'visible'"
    assert _rows(where, said) == _rows(where, folded)
    assert _rows(where, "SELECT count(*) FROM post WHERE state = 'held'") == [(0,)]
    assert _rows(where, "SELECT count(*) FROM goal") == _rows(where, goals)
    lines = (folder / "sink").read_text().split("\n")[:-1]
    runs = collections.Counter(tuple(line.split(" ")) for line in lines)
    keys = {key for (key,) in _rows(where, "SELECT key FROM call")}
    assert {key for _, key in runs} <= keys
    assert max(times for (tool, _), times in runs.items() if tool == "unsafe") == 1
    done = _rows(where, "SELECT tool, key FROM call WHERE state = 'done' AND effect != 'store'")
    assert set(done) <= set(runs)
    doubts = _rows(where, "SELECT call FROM ticket WHERE kind = 'doubt' AND state = 'open'")
    assert set(doubts) == set(_rows(where, "SELECT id FROM call WHERE state = 'unknown'"))
    return {
        "answers": _rows(where, folded)[0][0] + _rows(where, goals)[0][0],
        "unsafe": sum(tool == "unsafe" for tool, _ in runs),
        "again": sum(times - 1 for times in runs.values()),
        "keys": len(runs),
        "doubts": len(doubts),
    }


def check_protection(where: Where) -> tuple[int, int]:
    """Check that recovery was needed; return how many adoptions and re-attempts there were."""
    claims = dict(_rows(where, "SELECT id, attempts FROM event"))
    cycles = _rows(where, "SELECT events FROM cycle")
    held = collections.Counter(one for (events,) in cycles for one in json.loads(events))
    adoptions = sum(claims[one] > times for one, times in held.items())
    ((lost,),) = _rows(where, "SELECT count(*) FROM ledger WHERE state = 'lost'")
    assert _rows(where, "SELECT count(*) FROM ledger WHERE state = 'reserved'") == [(0,)]
    assert _rows(where, "SELECT count(*) FROM cycle WHERE state = 'open'") == [(0,)]
    assert adoptions > 0
    assert lost > 0
    return adoptions, lost


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)")
@pytest.mark.parametrize("kills", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_a_storm_of_kills_loses_nothing(kills: int, mind: Mind) -> None:
    with contextlib.closing(Nursery(mind.folder)) as nursery:
        settle(mind.folder, nursery)
        where = mind.folder / "mind.db"
        storm = Storm(mind, nursery, kills, where)
        looked = rage(storm)
        sys.stdout.write(f"seed {SEED}: killed {dict(storm.died)} {dict(storm.landed)}\n")
        assert storm.errors == []
        assert (storm.missing("think"), storm.done("think")) == ([], True)
        drain(storm)
        for number in range(LANES):
            nursery.run("history", "verify", "--agent", f"a{number}")
    check_events(storm)
    counted = check_effects(where, mind.folder)
    assert counted["again"] >= (20 if kills >= 1000 else 1)
    assert counted["unsafe"] >= kills // 20
    adoptions, lost = check_protection(where)
    assert faults_of(where) == []
    died = sum(storm.died.values())
    proved(1, kills=died, acknowledged=len(storm.acknowledged), lost=0)
    proved(3, kills=died, keys=counted["keys"], re_attempts=counted["again"], second_effects=0)
    proved(4, unsafe_runs=counted["unsafe"], second_runs=0, doubts_with_ticket=counted["doubts"])
    proved(5, effects=counted["answers"], differing=0)
    assert looked >= died // (2 * LOOK_EVERY)
    proved(6, looks_after_kills=looked, faults=0)
    proved(9, takeovers=adoptions)
    sys.stdout.write(
        f"{len(storm.acknowledged)} acknowledged, {adoptions} adoptions, {lost} re-attempts, "
        f"{looked} looks, statuses {dict(storm.statuses)}\n"
    )


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)")
@pytest.mark.parametrize(("build", "lost_events"), [("", 0), ("receipt_before_commit", 1)])
def test_a_build_that_prints_before_it_commits_loses_what_it_acknowledged(
    build: str, lost_events: int, mind: Mind
) -> None:
    with contextlib.closing(Nursery(mind.folder, build)) as nursery:
        nursery.run("init")
        nursery.run("agent", "new", "ava", "--tools", "full")
        acknowledged = set()
        for point in PUSH_POINTS:
            arguments = ["inbox", "push", "--agent", "ava", "--text", point]
            born = nursery.start(arguments, mind.folder / point, mind.failing(f"{point}:kill"))
            assert born.status() == -signal.SIGKILL
            acknowledged |= {record["id"] for record in born.records()}
    assert len(lost(mind.folder / "mind.db", acknowledged)) == lost_events
    if build:
        turned_red(1, build, lost=lost_events)
