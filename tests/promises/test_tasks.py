"""Promise 42: delegated work is recovered or handed to a person, wherever anybody dies."""

import json
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import FencedError, RefusedError
from mindpipe.decisions.bands import DecisionRules
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import deliverer
from mindpipe.store.verbs.store import CHANGES
from mindpipe.tasks.records import Report
from mindpipe.tasks.verbs import task
from red import task_key_with_retry
from support.broken_builds import broken
from support.life import KilledError
from support.proofs import proved, turned_red
from support.tasks import HEARTBEAT, SUM, Tasking

SENDING = ("task.before_send", "task.after_send", "task.after_start")
WORKING = (
    "task.before_begin",
    "task.after_begin",
    "task.after_report",
    "task.before_outcome",
    "task.after_outcome",
)
HALF = Report(progress=0.4, checkpoint={"at": 4})
MORE = Report(progress=0.6, checkpoint={"at": 6})
DONE = Report(result="42")


def finish(life: Tasking) -> None:
    """Let everybody who was started work, and the loop go on, until nothing is left to do."""
    for _ in range(9):
        while life.staff.waiting:
            try:
                life.work()
            except FencedError:
                continue
        life.act()
        life.clock.pass_time(HEARTBEAT + 1)


@pytest.mark.heavy
def test_no_task_is_left_without_an_owner_wherever_anybody_dies(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    for point in (*SENDING, *WORKING):
        life.effects.clear()
        made = life.add()
        if point in SENDING:
            with pytest.raises(KilledError):
                life.act(dies=(point, 1))
        else:
            life.act()
            with pytest.raises(KilledError):
                life.work(dies=(point, 1))
        life.recover()
        assert life.ownerless() == [], point
        finish(life)
        assert (life.task(made).state, life.task(made).result) == ("done", "42"), point
        assert life.heard_of(made) == ["done"], point
        assert len(set(life.effects)) == 1, point
        assert len(life.effects) == (2 if point in WORKING[2:4] else 1), point
    proved(42, deaths=len((*SENDING, *WORKING)), without_owner=0, done_under_two_keys=0)


def test_the_loop_itself_may_die_while_it_recovers(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    for point in SENDING:
        made = life.add()
        life.act()
        life.work(MORE, DONE, killed=True)
        with pytest.raises(KilledError):
            life.recover(dies=(point, 1))
        life.recover()
        assert life.ownerless() == [], point
        finish(life)
        assert (life.task(made).state, life.heard_of(made)) == ("done", ["done"]), point
    for point in ("task.before_escalate", "task.after_send"):
        made = life.add(if_lost="escalate")
        life.act()
        life.work(MORE, DONE, killed=True)
        with pytest.raises(KilledError):
            life.recover(dies=(point, 1))
        life.recover()
        assert (life.task(made).state, life.heard_of(made)) == ("escalated", ["escalated"])
        assert life.ownerless() == [], point
    assert life.value("SELECT count(*) FROM ticket WHERE state='open'") == 2
    proved(42, deaths_in_recovery=5)


def test_a_build_whose_key_names_the_retry_does_work_twice(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    with broken(task_key_with_retry.PATCHES):
        life.add()
        life.act()
        life.work(MORE, DONE, killed=True)
        life.recover()
        life.work()
    assert len(set(life.effects)) == 2
    turned_red(42, "task_key_with_retry", done_under_two_keys=len(set(life.effects)))


def test_more_than_half_is_gone_on_with_and_less_begun_again(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    for said, from_ in ((HALF, None), (MORE, {"at": 6})):
        life.begun_from.clear()
        made = life.add()
        life.act()
        life.work(said, DONE, killed=True)
        life.act()
        life.work()
        assert life.begun_from == [None, from_]
        assert (life.task(made).state, life.task(made).retry_count) == ("done", 1)


def test_after_the_last_retry_a_person_has_it_and_can_send_it_again(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    life.rules = DecisionRules(escalate=("ring",))
    made = life.add()
    life.act()
    for _ in range(4):
        life.work(MORE, DONE, killed=True)
        life.act()
    found = life.task(made)
    assert (found.state, found.sends, found.retry_count) == ("escalated", 4, 3)
    assert "tried 4 times" in str(found.error)
    assert life.value(f"SELECT priority FROM event WHERE key='{made}:escalated:4'") == 1
    assert life.value(f"SELECT kind FROM ticket WHERE id='{found.ticket}'") == "escalation"
    assert life.sink.times("ring") == 1
    life.send_again(made)
    life.work()
    assert (life.task(made).state, len(set(life.effects))) == ("done", 1)
    with pytest.raises(RefusedError, match="ended"):
        life.send_again(made)


def test_a_worker_that_was_replaced_is_not_heard_any_more(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    made = life.add()
    life.act()
    old = life.staff.waiting[0]
    life.clock.pass_time(HEARTBEAT + 1)
    life.act()
    assert [one.sends for one in life.staff.waiting] == [1, 2]
    with pytest.raises(FencedError):
        life.work()
    assert life.task(made).worker is None
    life.silent()
    life.clock.pass_time(HEARTBEAT + 1)
    life.act()
    assert life.task(made).sends == 3
    life.work()
    assert (life.task(made).state, old.sends, life.task(made).retry_count) == ("done", 1, 2)


def test_a_worker_that_lives_and_speaks_is_let_alone(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    made = life.add(due_seconds=7200.0)
    life.act()
    life.silent()
    life.clock.pass_time(HEARTBEAT - 1)
    assert (life.act().sent, life.recover()) == ((), [])
    assert (life.task(made).state, life.staff.waiting) == ("running", [])


def test_late_work_is_waited_for_or_handed_over_and_its_result_still_counts(
    tmp_path: Path,
) -> None:
    life = Tasking(tmp_path / "life")
    waits, asks = life.add(if_late="wait", due_seconds=60), life.add(due_seconds=60)
    life.act()
    life.clock.pass_time(60)
    acted = life.act()
    assert (acted.late, acted.handed_over) == ((waits,), (asks,))
    assert life.task(asks).worker is None
    life.work()
    assert (life.task(waits).state, life.heard_of(waits)) == ("done", ["done"])
    with pytest.raises(FencedError):
        life.work()
    under_way = life.add(due_seconds=60)
    life.act()
    me = life.silent()
    life.clock.pass_time(60)
    assert life.act().handed_over == (under_way,)
    assert life.task(under_way).worker == me
    with life.open() as store:
        deliver = deliverer(store, life.clock, life.chance, bounds=Bounds())
        task.end(store, life.clock, deliver, task=under_way, sends=1, report=DONE)
    assert life.heard_of(under_way) == ["escalated", "done"]


def test_work_without_a_result_goes_by_its_policy(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    for policy, from_, state in (
        ("finish", {"at": 4}, "done"),
        ("restart", None, "done"),
        ("escalate", None, "escalated"),
    ):
        life.begun_from.clear()
        made = life.add(if_partial=policy)
        life.act()
        life.work(HALF, Report())
        assert (life.task(made).state, life.task(made).partial) == ("lost", True)
        life.act()
        if state == "done":
            life.work()
            assert life.begun_from == [None, from_]
        assert life.task(made).state == state


def test_no_program_works_unasked_on_what_strangers_wrote(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    made = life.add(sources=("mail/eve",), input={"bill": 7})
    assert life.act().handed_over == (made,)
    assert "mail/eve" in str(life.task(made).error)
    assert (life.staff.waiting, life.ownerless()) == ([], [])
    ticket = life.ticket_of(made)
    assert (ticket.kind, ticket.tool, ticket.sources) == ("delegation", SUM, ("mail/eve",))
    assert ticket.args == {
        "task": made,
        "kind": "work",
        "text": "Add up.",
        "input": {"bill": 7},
        "program": "/bin/sum",
    }
    with pytest.raises(RefusedError, match=f"waits for approval .mind ticket show {ticket.id}"):
        life.send_again(made)
    for wrong in ("", str(ticket.sha256)[:7], "0" * 64):
        with pytest.raises(RefusedError, match="not its hash"):
            life.approve_task(made, sha256=wrong)
    with pytest.raises(RefusedError, match="runs as it is or not at all"):
        life.approve_task(made, arguments={"task": made})
    assert (life.act().sent, life.staff.waiting) == ((), [])
    life.approve_task(made)
    assert life.act().sent == (made,)
    life.work()
    assert (life.task(made).state, life.ticket_of(made).state) == ("done", "resolved")
    assert (life.ticket_of(made).person, life.ticket_of(made).result) == (
        "husam",
        f"{made} is sent.",
    )
    with pytest.raises(RefusedError, match="decided once"):
        life.approve_task(made)
    sources = life.value(f"SELECT sender FROM event WHERE key='{made}:done:1'")
    assert sources == life.task(made).to


def test_a_task_that_is_not_what_a_person_let_go_is_asked_about_again(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    for changes_program in (False, True):
        made = life.add(sources=("mail/eve",))
        life.act()
        before = life.ticket_of(made)
        life.approve_task(made)
        if changes_program:
            life.staff.programs[SUM] = "/bin/harm"
        else:
            with life.open() as store, store.write() as rows:
                told = "replace(body, 'Add up.', 'Give away.')"
                rows.run(f"UPDATE task SET body={told} WHERE id=:id", {"id": made})
        assert life.act().handed_over == (made,)
        assert (life.staff.waiting, life.ticket_of(made).id != before.id) == ([], True)


@pytest.mark.parametrize(
    "ending",
    ["denied", "expired", "unused", pytest.param("restored", marks=pytest.mark.of_a_file)],
)
def test_a_task_that_nobody_lets_go_in_time_fails_and_is_told(tmp_path: Path, ending: str) -> None:
    life = Tasking(tmp_path / "life")
    made = life.add(sources=("mail/eve",))
    life.act()
    ticket = life.ticket_of(made)
    if ending == "denied":
        life.deny_task(made)
    elif ending == "restored":
        with life.open() as store, store.write() as rows:
            rows.run(next(one.sql for one in CHANGES if one.table == "ticket"))
        life.act()
    else:
        if ending == "unused":
            life.approve_task(made)
        life.clock.pass_time(86400)
        life.act()
    why = {
        "denied": "denied by husam: No.",
        "expired": "nobody approved it in time",
        "unused": "not sent in time",
        "restored": "cancelled",
    }
    found = life.task(made)
    assert found.state == "failed"
    assert why[ending] in str(found.error)
    assert (life.staff.waiting, life.heard_of(made)) == ([], ["escalated", "failed"])
    with pytest.raises(RefusedError):
        life.send_again(made)
    with pytest.raises(RefusedError):
        life.approve_task(ticket.args["task"])


def test_an_agent_that_is_given_what_strangers_wrote_is_tainted_by_it(tmp_path: Path) -> None:
    life = Tasking(tmp_path / "life")
    with life.open() as store:
        change = AgentChange(trust=("task/ava",))
        agents.new(store, life.clock, life.chance, name="bea", change=change)
    made = life.add(to="bea", sources=("mail/eve",))
    assert life.act().sent == (made,)
    sources = life.value(f"SELECT sources FROM event WHERE agent='bea' AND key='{made}:send:1'")
    assert json.loads(str(sources)) == ["mail/eve"]
