"""Promise 55: under kills each wait ends once, by what was waited for, or its time-out is told."""

import collections
import contextlib
import itertools
import json
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import NothingToDoError
from mindpipe.history.verbs import log
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewSpaceEntity
from red import late_replies_forgotten, waits_ended_by_anybody
from support.broken_builds import broken
from support.command import Mind, end_leases, looked_into
from support.histories import PROGRAM
from support.life import AGENT, KilledError
from support.processes import Nursery
from support.proofs import proved, turned_red
from support.questions import AFTER, PLAYS, Asking
from support.scripted_model import Scripted
from support.server_stores import where_at
from support.validation import faults_of

SEED = int(os.environ.get("MIND_WAITS_SEED", "20261122"))
# What a worker passes that asks, or that goes on and looks at its runs.
POINTS = (
    *("claim.before_commit", "claim.after_commit", "reserve.after_commit"),
    *("ask.before_send", "ask.after_reply", "record.before_commit", "record.after_commit"),
    *("store_tool.before_commit", "store_tool.after_commit"),
    *("turn.before_commit", "turn.after_commit"),
)
PLAY = {"ask": PLAYS["ask"], "look": PLAYS["look"]}


@pytest.fixture
def life(tmp_path: Path) -> Asking:
    """Return an agent in two spaces with a friend."""
    return Asking(tmp_path / "life")


def lives(life: Asking, dies: str | None = None) -> None:
    """Let a worker die at a point, if one is named, and others go on until nothing is due."""
    model = Scripted(PROGRAM, PLAY, otherwise=PLAYS["look"] + AFTER)
    with contextlib.suppress(NothingToDoError):
        if dies is not None:
            with pytest.raises(KilledError):
                life.think(model, dies=(dies, 1))
            assert faults_of(life.where) == []
        while True:
            life.think(model)


@pytest.fixture
def crowd(life: Asking) -> Asking:
    """Return the same life, as a timeline, with two more people in the family's space."""
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(style="timeline"))
        for name in ("bea", "cem"):
            who = NewSpaceEntity(name=name, kind="human", title=name.title())
            spaces.join(store, life.clock, life.chance, space="family", who=who)
    return life


def settled(life: Asking) -> None:
    """Let the agent live until nothing is due, now and when every time is over."""
    lives(life)
    life.clock.pass_time(1000)
    lives(life)


def waits(life: Asking) -> list[tuple[str, str | None]]:
    """Return how each wait stands, and what ended it."""
    return life.rows("SELECT state, by FROM run_wait ORDER BY seq")


def check(life: Asking, ended: str) -> None:
    """Check that the one run ended after its one wait, which ended once, in a way."""
    (run,) = life.runs()
    assert (run.state.value, [wait.state.value for wait in run.waits]) == ("done", [ended])
    outcomes = dict(life.rows("SELECT cycle, outcome FROM cycle"))
    assert [outcomes[cycle] for cycle in run.cycles].count("done") == 2
    assert {state for (state,) in life.rows("SELECT state FROM event")} == {"done"}
    assert len(life.posts()) == 1
    assert faults_of(life.where) == []


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_dies_while_it_asks_and_the_run_waits_once(life: Asking, point: str) -> None:
    life.push("play ask")
    lives(life, dies=point)
    assert waits(life) == [("open", None)]
    life.say("play look")
    settled(life)
    check(life, "replied")
    proved(55, kills=1, waits=1, ended_twice=0)


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_dies_when_a_reply_has_come_and_the_run_goes_on_once(
    life: Asking, point: str
) -> None:
    life.push("play ask")
    lives(life)
    reply = life.say("play look")
    lives(life, dies=point)
    settled(life)
    assert waits(life) == [("replied", reply.id)]
    check(life, "replied")
    told = life.rows("SELECT outcome FROM event WHERE source = 'wait'")
    assert told == [("skipped",)]
    proved(55, kills=1, waits=1, ended_twice=0)


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_dies_when_the_time_is_over_and_the_agent_is_told_once(
    life: Asking, point: str
) -> None:
    life.push("play ask")
    lives(life)
    life.clock.pass_time(301)
    lives(life, dies=point)
    settled(life)
    check(life, "timed_out")
    assert life.rows("SELECT outcome FROM event WHERE source = 'wait'") == [("handled",)]
    proved(55, kills=1, waits=1, ended_twice=0)


def chatter_about(crowd: Asking, dies: str | None = None) -> str:
    """Let an agent ask in a crowd that talks of other things; return the post that asks."""
    crowd.say("play ask")
    lives(crowd)
    (asked,) = crowd.posts()
    crowd.say("Anybody for lunch?", by="bea")
    crowd.say("Not today.", by="cem")
    lives(crowd, dies=dies)
    return asked.id


@pytest.mark.heavy
@pytest.mark.parametrize("point", POINTS)
def test_no_chatter_ends_a_wait_whoever_dies_of_it(crowd: Asking, point: str) -> None:
    asked = chatter_about(crowd, dies=point)
    assert waits(crowd) == [("open", None)]
    reply = crowd.say("play look", by="cem", reply_to=asked)
    settled(crowd)
    assert waits(crowd) == [("replied", reply.id)]
    proved(55, kills=1, waits=1, ended_twice=0, ended_by_chatter=0)


def late(crowd: Asking, dies: str | None = None) -> str:
    """Let a reply come when the time of its wait is over; return what its cycle was told."""
    asked = chatter_about(crowd)
    crowd.clock.pass_time(1000)
    lives(crowd)
    assert waits(crowd) == [("timed_out", None)]
    crowd.say("Yes, do.", by="bea", reply_to=asked)
    lives(crowd, dies=dies)
    settled(crowd)
    assert waits(crowd) == [("timed_out", None)]
    with crowd.open() as store:
        last = crowd.runs()[-1].cycles[-1]
        return log.window(store, agent=AGENT, ranges=[(last, last)]).segment.head.system


@pytest.mark.heavy
@pytest.mark.parametrize("point", POINTS)
def test_a_late_reply_goes_on_with_what_was_asked_whoever_dies_of_it(
    crowd: Asking, point: str
) -> None:
    told = late(crowd, dies=point)
    assert 'waitedFor: a reply to your "Shall I?"' in told
    assert "startedBy:" in told
    assert faults_of(crowd.where) == []
    proved(55, kills=1, waits=1, ended_twice=0, late_replies_lost=0)


def test_a_build_in_which_anybody_ends_a_wait_takes_chatter_for_the_reply(crowd: Asking) -> None:
    with broken(waits_ended_by_anybody.PATCHES):
        chatter_about(crowd)
    ((state, by),) = waits(crowd)
    assert (state, by is None) == ("replied", False)
    turned_red(55, "waits_ended_by_anybody", ended_by_chatter=1)


def test_a_build_that_forgets_late_replies_does_not_say_what_was_asked(crowd: Asking) -> None:
    with broken(late_replies_forgotten.PATCHES):
        assert "waitedFor: a reply to your" not in late(crowd)
    turned_red(55, "late_replies_forgotten", late_replies_lost=1)


def test_whoever_replies_dies_and_the_wait_goes_on_until_the_reply_is_there(life: Asking) -> None:
    life.push("play ask")
    lives(life)
    with pytest.raises(KilledError):
        life.say("Half said.", dies=("reply.before_commit", 1))
    assert (waits(life), life.due()) == ([("open", None)], 0)
    reply = life.say("play look")
    assert waits(life) == [("replied", reply.id)]
    settled(life)
    check(life, "replied")


MODEL = """#!/bin/sh
end=$(tail -c 4000)
case "${{end##*'"role":"'}}" in
tool*) echo '{{"text": "Seen."}}' ;;
*) echo '{calls}' ;;
esac
"""
ASK = {"name": "send_message", "arguments": {"text": "And?", "space": "den", "wait": True}}
SPACES = ("den", "yard")


@dataclass
class Storm:
    """Friends who speak, and two workers of the one agent who asks back, all of whom die."""

    mind: Mind
    nursery: Nursery
    kills: int
    died: collections.Counter[str] = field(default_factory=collections.Counter)
    errors: list[str] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def done(self) -> bool:
        """Tell whether enough died."""
        return bool(self.errors) or sum(self.died.values()) >= self.kills

    def lane(self, name: str, command: Callable[[random.Random], list[str]]) -> None:
        """Start one process after the other, of which most die."""
        chance = random.Random(f"{SEED}/{name}")
        points = ("reply.before_commit", "push.after_commit") if name == "friend" else POINTS
        while not self.done():
            out = self.mind.folder / f"{name}{next(self.numbers)}"
            point = chance.choice(points)
            failing = self.mind.failing(f"{point}:kill") if chance.random() < 0.6 else {}
            born = self.nursery.start(command(chance), out, failing)
            if not failing and not born.ended(chance.uniform(0.01, 0.6)):
                born.kill(signal.SIGKILL)
            status = born.status()
            if status == -signal.SIGKILL:
                self.died[name] += 1
                # The other worker of the agent may live; to it this is as if it had slept.
                end_leases(self.mind.folder, "ava")
            elif status not in {0, 3, 75}:
                self.errors.append(f"{status}: {born.words()}")

    def drain(self, agent: str) -> None:
        """Let the agent live until nothing is due, now and long after."""
        now: tuple[str, ...] = ()
        for _ in range(max(400, 20 * self.kills)):
            status = self._think(agent, *now)
            if status == 3 and now:
                now = (now[0], f"{int(now[1][:4]) + 1}{now[1][4:]}")
                if now[1] > "2110":
                    return
            elif status == 3:
                now = ("--now", "2100-01-01T00:00:00Z")
        raise AssertionError("the inbox is not worked off")

    def _think(self, agent: str, *now: str) -> int:
        """Live one cycle undisturbed and return the status."""
        born = self.nursery.start(
            think(agent, *now), self.mind.folder / f"d{next(self.numbers)}", {}
        )
        status = born.status()
        assert status in {0, 3, 75}, born.words()
        return status


def think(agent: str, *now: str) -> list[str]:
    """Return the command line of one cycle."""
    return ["think", "--agent", agent, "--model", "program:./answer", *now]


def rows(folder: Path, sql: str) -> list[tuple]:
    """Return the rows of a query."""
    with looked_into(folder) as store:
        return list(store.execute(sql))


@pytest.mark.heavy
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)")
@pytest.mark.parametrize("kills", [12, pytest.param(400, marks=pytest.mark.long)])
def test_a_storm_of_kills_ends_every_wait_once(kills: int, mind: Mind) -> None:
    folder = mind.folder
    (folder / "answer").write_text(MODEL.format(calls=json.dumps({"tool_calls": [ASK]})))
    (folder / "answer").chmod(0o700)
    with contextlib.closing(Nursery(folder)) as nursery:
        nursery.run("init")
        nursery.run("agent", "new", "ava", "--batch", "3")
        for space in SPACES:
            nursery.run("space", "new", space)
            nursery.run("space", "join", space, "ava")
            nursery.run("space", "join", space, "husam", "--kind", "human")
        storm = Storm(mind, nursery, kills)

        def speak(chance: random.Random) -> list[str]:
            return ["space", "post", chance.choice(SPACES), "--as", "husam", "Hello"]

        commands = {"friend": speak, "one": lambda _: think("ava"), "other": lambda _: think("ava")}
        lanes = [threading.Thread(target=storm.lane, args=one) for one in commands.items()]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        assert storm.errors == []
        storm.drain("ava")
    check_storm(folder)
    proved(
        55,
        kills=sum(storm.died.values()),
        waits=rows(folder, "SELECT count(*) FROM run_wait")[0][0],
        ended_twice=0,
    )
    sys.stdout.write(f"seed {SEED}: killed {dict(storm.died)}\n")


def check_storm(folder: Path) -> None:
    """Check every run, wait, event and history of a storm."""
    assert set(rows(folder, "SELECT DISTINCT state FROM agent_run")) <= {("done",), ("failed",)}
    states = collections.Counter(rows(folder, "SELECT state FROM run_wait"))
    assert set(states) == {("replied",), ("timed_out",)}
    by = rows(folder, "SELECT by FROM run_wait WHERE by IS NOT NULL")
    assert len(by) == len(set(by)) == states["replied",]
    told = rows(folder, "SELECT count(*) FROM event WHERE source = 'wait' AND outcome = 'handled'")
    assert told == [(states["timed_out",],)]
    unfinished = (
        "SELECT count(*) FROM event WHERE state NOT IN ('done', 'dead') UNION ALL "
        "SELECT count(*) FROM cycle WHERE state = 'open' UNION ALL "
        "SELECT count(*) FROM post WHERE state = 'held'"
    )
    assert rows(folder, unfinished) == [(0,), (0,), (0,)]
    waits = (
        "SELECT (SELECT count(*) FROM run_wait WHERE run = r.id) + 1, "
        "(SELECT count(*) FROM agent_run_cycle l JOIN cycle c USING(agent, cycle) "
        "WHERE l.run = r.id AND c.outcome = 'done') FROM agent_run r WHERE state = 'done'"
    )
    assert [one for one in rows(folder, waits) if one[0] != one[1]] == []
    asked = "SELECT count(*) FROM post WHERE waits = 1 AND state = 'visible'"
    assert rows(folder, asked) == rows(folder, "SELECT count(*) FROM run_wait")
    assert faults_of(where_at(folder / "mind.db")) == []
