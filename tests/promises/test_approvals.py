"""Promises 27 and 28: a decision holds, is used once and in time, and nobody waits for one."""

import contextlib
import json
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import NothingToDoError, RefusedError
from mindpipe.core.events import NewEvent
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.records.journal import Ticket, TicketState
from mindpipe.engine.tables import journal
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.io.clock import make_clock
from red import approval_without_hash, wait_without_limit
from support.approvals import EFFECTS, Asking, tool
from support.broken_builds import broken
from support.command import Mind, make_private
from support.fakes import FixedClock
from support.life import AGENT, KilledError
from support.proofs import proved, turned_red
from support.server_stores import make_at
from support.validation import faults_of

DAY = 24 * 3600.0
# Where a worker dies, and how often an approved call of each effect class has run in the end.
DEATHS = {
    "ticket_run.before_running": {"idempotent": 1, "keyed": 1, "unsafe": 1},
    "ticket_run.after_running": {"idempotent": 1, "keyed": 1, "unsafe": 0},
    "act.after_effect": {"idempotent": 2, "keyed": 2, "unsafe": 1},
    "ticket_run.before_outcome": {"idempotent": 2, "keyed": 2, "unsafe": 1},
    "ticket_run.after_outcome": {"idempotent": 1, "keyed": 1, "unsafe": 1},
}
DOUBTFUL = {"ticket_run.after_running", "act.after_effect", "ticket_run.before_outcome"}


def drain(life: Asking) -> int:
    """Let workers come until nothing is due; return how many cycles they lived."""
    lived = 0
    with contextlib.suppress(NothingToDoError):
        while True:
            life.think(life.model)
            lived += 1
    return lived


@pytest.mark.heavy
def test_an_approved_call_runs_once_wherever_its_worker_dies(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", *(tool(effect, effect=effect) for effect in EFFECTS))
    for point, runs in DEATHS.items():
        for effect in EFFECTS:
            life.sink.runs.clear()
            ticket = life.ask(effect)
            assert (life.state(ticket), life.sink.runs) == ("pending", [])
            life.approve(ticket)
            with pytest.raises(KilledError):
                life.think(life.model, dies=(point, 1))
            drain(life)
            doubtful = effect == "unsafe" and point in DOUBTFUL
            ended = "unknown" if doubtful else "executed"
            assert (life.state(ticket), life.told(ticket)) == (ended, [ended]), (point, effect)
            assert life.sink.times(effect) == runs[effect], (point, effect)
            assert len(life.sink.keys(effect)) <= 1
            with pytest.raises(RefusedError):
                life.approve(ticket)
    assert all(state == "ticketed" for effect in EFFECTS for state, _ in life.results(effect))
    assert faults_of(life.where) == []
    proved(27, deaths=len(DEATHS) * len(EFFECTS), run_twice_under_another_key=0)


def mutations(args: str) -> Iterator[str]:
    """Yield some arguments with each byte of theirs changed in turn."""
    for place, letter in enumerate(args):
        yield f"{args[:place]}{'7' if letter != '7' else '8'}{args[place + 1 :]}"


def run_mutated(life: Asking, ticket: Ticket) -> int:
    """Let the agent run an approved ticket with each byte of its arguments changed in turn."""
    stored = str(life.value(f"SELECT args FROM ticket WHERE id='{ticket.id}'"))
    for number, args in enumerate(mutations(stored), 1):
        with life.open() as store, store.write() as rows:
            change = "UPDATE ticket SET args=:args, state='approved' WHERE id=:id"
            rows.run(change, {"args": args, "id": ticket.id})
        life.think(life.model) if number == 1 else drain(life)
    return len(stored)


@pytest.mark.heavy
def test_arguments_that_were_changed_never_run(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", tool("unsafe"))
    ticket = life.ask("unsafe")
    life.approve(ticket)
    mutated = run_mutated(life, ticket)
    assert (life.sink.heard, life.state(ticket)) == ([], "cancelled")
    assert life.told(ticket) == ["cancelled"]
    again = life.ask("unsafe")
    with life.open() as store, store.write() as rows:
        rows.run("UPDATE ticket SET args='{}' WHERE id=:id", {"id": again.id})
    with pytest.raises(RefusedError, match="not those that were asked for"):
        life.approve(again)
    assert life.state(again) == "pending"
    assert mutated > 10
    proved(27, bytes_changed=mutated, changed_calls_run=0)


@pytest.mark.heavy
def test_a_build_without_the_hash_runs_arguments_that_nobody_saw(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", tool("unsafe"))
    ticket = life.ask("unsafe")
    life.approve(ticket)
    with broken(approval_without_hash.PATCHES):
        run_mutated(life, ticket)
    unseen = [args for args in life.sink.heard if args != ticket.args]
    assert len(unseen) > 10
    turned_red(27, "approval_without_hash", changed_calls_run=len(unseen))


def test_an_answer_that_comes_too_late_is_no(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", tool("unsafe"))
    late, unused, denied = (life.ask("unsafe") for _ in range(3))
    life.approve(unused)
    life.deny(denied)
    life.clock.pass_time(DAY)
    with pytest.raises(RefusedError, match="expired"):
        life.approve(late)
    drain(life)
    assert [life.state(one) for one in (late, unused, denied)] == ["expired", "expired", "denied"]
    assert [life.told(one) for one in (late, unused, denied)] == [
        ["expired"],
        ["expired"],
        ["denied"],
    ]
    assert life.sink.runs == []
    in_time = life.ask("unsafe")
    life.clock.pass_time(DAY - 1)
    life.approve(in_time)
    drain(life)
    assert life.sink.times("unsafe") == 1
    proved(27, too_late=2, too_late_and_run=0)


MODEL = """#!/bin/sh
end=$(tail -c 6000)
case "$end" in
*'Ticket t_'*) echo '{"text": "Heard."}' ;;
*'"role":"tool"'*) echo '{"text": "Asked."}' ;;
*) echo '{"tool_calls": [{"name": "pay", "arguments": {"amount": 5}}]}' ;;
esac
"""


def settle_in(folder: Path) -> None:
    """Make a store with an agent whose only tool is asked about, and an event for it."""
    scripts = {"answer": MODEL, "pay": f"#!/bin/sh\ncat >> {folder}/paid\necho >> {folder}/paid\n"}
    for name, script in scripts.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o700)
    clock, chance = make_clock(None), make_chance(None)
    pay = tool("pay", command=(str(folder / "pay"),))
    with contextlib.closing(make_at(folder / "mind.db", clock, chance)) as store:
        agents.new(store, clock, chance, name=AGENT, change=AgentChange(tools=(pay,)))
        event = NewEvent(agent=AGENT, text="Pay.")
        push_events(store, clock, chance, events=[event], bounds=Bounds())


@pytest.mark.heavy
def test_real_processes_die_around_a_decision_and_around_its_run(tmp_path: Path) -> None:
    folder = make_private(tmp_path / "life")
    settle_in(folder)
    mind = Mind(folder, {"MIND_INBOX_LEASE_SECONDS": "0.001"})
    think = ("think", "--agent", AGENT, "--model", "program:./answer")
    mind(*think)
    ticket = mind("ticket", "list").record()
    approve = ("ticket", "approve", ticket["id"], "--hash", ticket["sha256"], "--by", "husam")
    for point in ("decide.before_commit", "decide.after_commit"):
        died = mind.run(*approve, environment=mind.failing(f"{point}:kill"))
        assert (died.status, died.stdout) == (-signal.SIGKILL, b"")
    assert mind.run(*approve).status == 4
    died = mind.run(*think, environment=mind.failing("ticket_run.before_running:kill"))
    assert died.status == -signal.SIGKILL
    assert mind(*think).record()["summary"] == "Heard."
    shown = mind("ticket", "show", ticket["id"]).record()
    assert (shown["state"], shown["person"]) == ("executed", "husam")
    assert [json.loads(line) for line in (folder / "paid").read_text().split()] == [{"amount": 5}]
    proved(27, processes_killed=3, runs=1)


@dataclass
class Patient(FixedClock):
    """A clock that tells how long somebody waited on it, and ends it after an hour."""

    waited: float = 0.0

    def pause(self, seconds: float) -> None:
        """Let the time pass at once."""
        self.waited += seconds
        if self.waited > 3600:
            raise KilledError("waited for an hour")
        super().pause(seconds)


def pending(life: Asking, count: int, like: Ticket) -> None:
    """Open tickets that nobody decides."""
    with life.open() as store, store.write() as rows:
        for number in range(count):
            made = {name: getattr(like, name) for name in like.__struct_fields__}
            journal.save_ticket(
                rows, Ticket(**{**made, "id": f"t_{number}", "call": f"c_{number}"})
            )


WAITS = ToolManifest(name="wait", description="Waits.", command=("wait",), approval="wait")


def test_a_thousand_pending_tickets_keep_no_event_waiting(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", tool("unsafe"), WAITS)
    life.clock = Patient()
    pending(life, 999, life.ask("unsafe"))
    assert life.value("SELECT count(*) FROM ticket WHERE state='pending'") == 1000
    life.push("Hello")
    assert life.think(life.model).summary == "Heard."
    assert life.clock.waited == 0
    life.push("play wait")
    life.push("Hello again")
    assert life.think(life.model).outcome == "done"
    assert 59 < life.clock.waited <= 60
    assert life.rows("SELECT DISTINCT state FROM event") == [("done",)]
    assert life.results("wait")[0][0] == "ticketed"
    assert {one.state for one in life.all_tickets()} == {TicketState.PENDING}
    proved(28, pending=1000, cycles=1, seconds_waited=0, longest_wait=60)


def test_a_build_that_waits_without_limit_never_gets_to_the_next_event(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", WAITS)
    life.clock = Patient()
    life.push("play wait")
    with broken(wait_without_limit.PATCHES), pytest.raises(KilledError, match="an hour"):
        life.think(life.model)
    assert life.value("SELECT count(*) FROM event WHERE state='done'") == 0
    turned_red(28, "wait_without_limit", seconds_waited=int(life.clock.waited))
