"""What becomes of calls that a person is asked about, and of doubts, as the agent sees it."""

import contextlib
import json
import threading
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.ports import ProgramCall, ProgramRun
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.cycle.approved_calls import run_approved
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.store.verbs.store import CHANGES
from support.approvals import Asking, one_call, tool
from support.fakes import FixedClock
from support.histories import PROGRAM
from support.life import AGENT, KilledError, with_holder
from support.patience import LONGEST
from support.scripted_model import Scripted, call, calls
from support.validation import faults_of

PAY = tool("pay")
WAITS = tool("wait", approval="wait")


class Deciding(FixedClock):
    """A clock on which somebody decides at the first look."""

    def __init__(self, decide: object) -> None:
        super().__init__()
        self.decide = decide
        self.waited = 0.0

    def pause(self, seconds: float) -> None:
        super().pause(seconds)
        self.waited += seconds
        decide, self.decide = self.decide, lambda: None
        decide()


def events(life: Asking) -> list[tuple]:
    return life.rows("SELECT type, text FROM event WHERE source='ticket' ORDER BY seq")


def test_a_call_is_answered_at_once_and_its_outcome_is_an_event(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY)
    ticket = life.ask("pay")
    words = f"Queued for approval as ticket {ticket.id}. Nothing has run. "
    assert life.results("pay") == [("ticketed", f"{words}You will get the outcome as an event.")]
    assert life.sink.runs == []
    life.approve(ticket)
    report = life.think(life.model)
    assert (report.outcome, report.summary) == ("done", "Heard.")
    assert life.sink.heard == [{"amount": 5, "to": "Ada"}]
    told = f"Ticket {ticket.id}: pay ran. Output: did it"
    assert events(life) == [("tool_result", told)]
    assert [one.result for one in life.all_tickets()] == ["did it"]
    assert faults_of(life.path) == []


def test_a_denied_call_never_runs(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY)
    ticket = life.ask("pay")
    life.deny(ticket)
    assert life.think(life.model).summary == "Heard."
    assert (life.sink.runs, life.state(ticket)) == ([], "denied")
    assert events(life) == [("decision", f"Ticket {ticket.id}: pay was denied. Nothing has run.")]
    with pytest.raises(RefusedError, match="decided once"):
        life.approve(ticket)


def test_a_wrong_hash_a_changed_tool_and_another_kind_are_refused(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY)
    ticket = life.ask("pay")
    with pytest.raises(RefusedError, match="not its hash"):
        life.approve(ticket, sha256="0" * 64)
    with life.open() as store:
        change = AgentChange(tools=(tool("pay", command=("other",)),))
        agents.set_(store, name=AGENT, change=change)
    with pytest.raises(RefusedError, match="was changed since"):
        life.approve(ticket)
    with pytest.raises(RefusedError, match="use mind ticket approve or deny"):
        life.settle(ticket, "was-done")
    assert life.state(ticket) == "pending"


def test_a_tool_that_is_changed_after_the_approval_does_not_run(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY)
    ticket = life.ask("pay")
    life.approve(ticket)
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(without_tools=("pay",)))
    life.think(life.model)
    assert (life.sink.runs, life.told(ticket)) == ([], ["cancelled"])


def test_an_approval_whose_time_ends_while_another_call_runs_does_not_run(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY, tool("slow"))
    slow = life.ask("slow")
    life.clock.pass_time(60)
    pay = life.ask("pay")
    for ticket in (slow, pay):
        life.approve(ticket)
    run = life.sink.run

    def a_day_long(call: ProgramCall) -> ProgramRun:
        life.clock.instant = str(pay.expires)
        return run(call)

    life.sink.run = a_day_long
    life.think(life.model)
    assert (life.state(slow), life.told(slow)) == ("executed", ["executed"])
    assert (life.sink.times("pay"), life.told(pay)) == (0, ["expired"])


def test_a_paused_agent_runs_nothing(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY)
    ticket = life.ask("pay")
    life.approve(ticket)
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(paused="Wait."))
    with pytest.raises(RefusedError, match="paused"):
        life.think(life.model)
    assert (life.sink.runs, life.state(ticket)) == ([], "approved")


def test_what_a_tool_reads_taints_the_event_that_tells_of_it(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", tool("fetch", labels=("reads_untrusted",)), PAY)
    # What it heard from outside is in its request from then on, and so in what it asks for.
    for name, sources in (("pay", []), ("fetch", ["tool:fetch"]), ("pay", ["tool:fetch"])):
        life.approve(life.ask(name))
        life.think(life.model)
        found = life.value(
            "SELECT sources FROM event WHERE source='ticket' ORDER BY seq DESC LIMIT 1"
        )
        assert json.loads(str(found or "[]")) == sources


def test_an_approval_within_the_wait_is_answered_in_the_turn(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", WAITS)
    life.clock = Deciding(lambda: life.approve(life.all_tickets()[-1]))
    ticket = life.ask("wait")
    assert life.results("wait") == [("done", "did it")]
    assert (life.state(ticket), life.sink.times("wait")) == ("executed", 1)
    assert (events(life), life.clock.waited) == ([], 0.25)
    assert faults_of(life.path) == []


def test_a_call_that_a_person_edits_within_the_wait_runs_so_after_a_crash_too(
    tmp_path: Path,
) -> None:
    life = Asking(tmp_path / "life", tool("wait", approval="wait", effect="keyed"))
    life.clock = Deciding(lambda: life.approve(life.all_tickets()[-1], arguments={"amount": 3}))
    life.push("play wait")
    with pytest.raises(KilledError):
        life.think(life.model, dies=("act.before_done", 1))
    assert life.think(life.model).outcome == "done"
    assert life.sink.heard == [{"amount": 3}, {"amount": 3}]
    ((state, told),) = life.results("wait")
    assert (state, told) == ("done", 'husam changed the arguments to {"amount":3}. did it')
    assert life.value("SELECT args FROM call WHERE tool='wait'") == '{"amount":5,"to":"Ada"}'
    assert faults_of(life.path) == []


def test_an_approval_that_ends_within_the_wait_does_not_run(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", WAITS)

    def approve_too_late() -> None:
        (ticket,) = life.all_tickets()
        life.approve(ticket)
        life.clock.instant = str(ticket.expires)

    life.clock = Deciding(approve_too_late)
    ticket = life.ask("wait")
    assert (life.sink.runs, life.state(ticket)) == ([], "expired")
    ((state, words),) = life.results("wait")
    assert (state, words) == ("refused", "Expired. Nothing has run.")


def test_a_stop_does_not_wait_for_all_approved_calls(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY)
    asked = [life.ask("pay"), life.ask("pay")]
    for ticket in asked:
        life.approve(ticket)

    def stop() -> None:
        if life.sink.runs:
            raise KilledError

    with life.open() as store, pytest.raises(KilledError):
        deps = with_holder(life.dependencies(store, life.model), check=stop)
        run_approved(deps, agent=AGENT)
    assert sorted(life.state(ticket) for ticket in asked) == ["approved", "executed"]


def test_a_denial_within_the_wait_is_answered_in_the_turn(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", WAITS)
    life.clock = Deciding(lambda: life.deny(life.all_tickets()[-1]))
    life.ask("wait")
    assert life.results("wait") == [("refused", "Denied. Nothing has run.")]
    assert (events(life), life.sink.runs) == ([], [])


def test_a_wait_that_is_over_becomes_an_ordinary_ticket(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", tool("wait", approval="wait", wait_seconds=2.0))
    life.clock = Deciding(lambda: None)
    ticket = life.ask("wait")
    assert (life.results("wait")[0][0], life.clock.waited) == ("ticketed", 2.0)
    life.approve(ticket)
    life.think(life.model)
    assert (life.sink.times("wait"), life.told(ticket)) == (1, ["executed"])


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("decision", ["none", "approve", "deny"])
def test_a_wait_that_is_broken_off_becomes_an_ordinary_ticket(
    decision: str, tmp_path: Path
) -> None:
    life = Asking(tmp_path / "life", WAITS)
    life.clock = Deciding(interrupt)
    with pytest.raises(KeyboardInterrupt):
        life.ask("wait")
    (ticket,) = life.all_tickets()
    assert (life.state(ticket), life.results("wait")) == ("pending", [("planned", None)])
    if decision != "none":
        life.approve(ticket) if decision == "approve" else life.deny(ticket)
    assert life.think(life.model).outcome == "done"
    expected = {"none": ("ticketed", 0), "approve": ("done", 1), "deny": ("refused", 0)}
    assert (life.results("wait")[0][0], life.sink.times("wait")) == expected[decision]
    assert (events(life), life.clock.waited) == ([], 0.25)
    assert faults_of(life.path) == []


@pytest.mark.parametrize(
    ("effect", "runs", "ended"), [("unsafe", 1, "unknown"), ("keyed", 2, "executed")]
)
def test_a_worker_dies_while_it_runs_what_it_waited_for(
    effect: str, runs: int, ended: str, tmp_path: Path
) -> None:
    life = Asking(tmp_path / "life", tool("wait", approval="wait", effect=effect))
    life.clock = Deciding(lambda: life.approve(life.all_tickets()[-1]))
    life.push("play wait")
    with pytest.raises(KilledError):
        life.think(life.model, dies=("act.before_done", 1))
    (ticket,) = life.all_tickets()
    assert life.state(ticket) == "running"
    assert life.think(life.model).outcome == "done"
    assert life.state(ticket) == ended
    assert (life.sink.times("wait"), len(life.sink.keys("wait"))) == (runs, 1)
    assert life.results("wait")[0][0] == {"executed": "done"}.get(ended, ended)
    assert len(life.all_tickets()) == 1
    assert faults_of(life.path) == []


def doubtful(folder: Path, *, folded: bool) -> Asking:
    """Return a life with a doubt about a call, whose turn is folded or not."""
    unsafe = ToolManifest(name="pay", description="Pays.", command=("pay",))
    life = Asking(folder, unsafe)
    life.push("play pay")
    for point in ("act.after_effect", "ticket.after_commit"):
        with pytest.raises(KilledError):
            life.think(life.model, dies=(point, 1))
    if folded:
        life.think(life.model)
    return life


@pytest.mark.parametrize(
    ("found", "state", "text"),
    [
        ("was-done", "done", "It went through."),
        ("was-not-done", "failed", "It went through."),
        ("dismissed", "unknown", None),
    ],
)
def test_a_doubt_settled_before_the_fold_answers_its_call(
    found: str, state: str, text: str | None, tmp_path: Path
) -> None:
    life = doubtful(tmp_path / "life", folded=False)
    (ticket,) = life.all_tickets()
    life.settle(ticket, found, "It went through.")
    ((now, said),) = life.results("pay")
    assert now == state
    assert text is None or said == text
    assert life.think(life.model).outcome == "done"
    assert life.told(ticket) == [found.replace("-", "_")]
    assert faults_of(life.path) == []


def test_what_woke_the_agent_stands_first_though_something_more_urgent_joined(
    tmp_path: Path,
) -> None:
    life = doubtful(tmp_path / "life", folded=False)
    # What was tried twice would take nothing along.
    with life.open() as store, store.write() as rows:
        rows.run("UPDATE event SET attempts=0")
    life.push("And now?", priority=0)
    life.think(life.model)
    (ticket,) = life.all_tickets()
    with life.open() as store:
        shown = tickets.show(store, life.clock, ticket=ticket.id)
    assert [(one.text, one.woke) for one in shown.led_by] == [
        ("play pay", True),
        ("And now?", False),
    ]


def test_a_doubt_settled_after_the_fold_is_only_an_event(tmp_path: Path) -> None:
    life = doubtful(tmp_path / "life", folded=True)
    (ticket,) = life.all_tickets()
    before = life.rows("SELECT * FROM message")
    life.settle(ticket, "was-done")
    assert life.results("pay")[0][0] == "unknown"
    assert life.rows("SELECT * FROM message") == before
    assert events(life) == [("decision", f"Ticket {ticket.id}: pay was done. husam says so.")]
    with pytest.raises(RefusedError):
        life.settle(ticket, "dismissed")


def test_an_unknown_approval_is_settled_by_a_person(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY)
    ticket = life.ask("pay")
    life.approve(ticket)
    with pytest.raises(KilledError):
        life.think(life.model, dies=("ticket_run.before_outcome", 1))
    life.think(life.model)
    with pytest.raises(RefusedError, match="say was-done, was-not-done"):
        life.settle(ticket, "dismissed")
    life.settle(ticket, "was-not-done", "The bank says no.")
    assert life.told(ticket) == ["unknown", "failed"]
    assert life.sink.times("pay") == 1


def test_verify_tells_what_became_of_an_approved_call(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", tool("pay", verify=("verify",)))
    said = b'{"outcome": "done", "output": "Paid on Monday."}'
    life.sink.ends["verify"] = ProgramRun(status=0, stdout=said, stderr=b"")
    ticket = life.ask("pay")
    life.approve(ticket)
    with pytest.raises(KilledError):
        life.think(life.model, dies=("ticket_run.before_outcome", 1))
    life.think(life.model)
    assert (life.state(ticket), life.told(ticket)) == ("executed", ["executed"])
    assert [one.result for one in life.all_tickets()] == ["Paid on Monday."]


def test_no_such_ticket_names_the_nearest(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY)
    ticket = life.ask("pay")
    unknown = type(ticket)(**{**_fields(ticket), "id": f"{ticket.id[:-1]}_"})
    with pytest.raises(UsageError, match=f"did you mean {ticket.id}"):
        life.deny(unknown)


def _fields(ticket: object) -> dict[str, object]:
    return {name: getattr(ticket, name) for name in ticket.__struct_fields__}


class Meeting:
    """Programs that end only when as many of them run as should be side by side."""

    def __init__(self, together: int) -> None:
        self.barrier = threading.Barrier(together)
        self.runs: list[str] = []

    def run(self, call: ProgramCall) -> ProgramRun:
        with contextlib.suppress(threading.BrokenBarrierError):
            self.barrier.wait(LONGEST)
        assert not self.barrier.broken
        self.runs.append(json.loads(call.stdin)["name"])
        return ProgramRun(status=0, stdout=call.stdin, stderr=b"")


PURE = ToolManifest(name="look", description="Looks.", command=("look",), effect="pure")


def looks(count: int) -> Scripted:
    wanted = [call("look", name=f"n{number}") for number in range(count)]
    play = (calls(*wanted), calls(call("done", summary="Seen.")))
    return Scripted(PROGRAM, {"look": play})


def test_four_pure_calls_run_side_by_side_and_are_answered_in_order(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PURE)
    life.sink = Meeting(4)
    life.push("play look")
    assert life.think(looks(8)).outcome == "done"
    assert sorted(life.sink.runs) == [f"n{number}" for number in range(8)]
    assert life.results("look") == [("done", f'{{"name":"n{number}"}}') for number in range(8)]
    assert faults_of(life.path) == []


@pytest.mark.parametrize("point", ["act.after_started", "act.after_effect", "act.before_done"])
@pytest.mark.parametrize("passage", [1, 3])
def test_pure_calls_whose_worker_dies_run_again(point: str, passage: int, tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PURE)
    life.push("play look")
    with pytest.raises(KilledError):
        life.think(looks(3), dies=(point, passage))
    assert life.think(looks(3)).outcome == "done"
    assert [state for state, _ in life.results("look")] == ["done"] * 3
    assert {args["name"] for args in life.sink.heard} == {"n0", "n1", "n2"}
    assert faults_of(life.path) == []


def test_a_pure_call_that_is_asked_about_does_not_hold_up_the_others(tmp_path: Path) -> None:
    asked = tool("asked", effect="pure")
    life = Asking(tmp_path / "life", PURE, asked)
    wanted = [call("look", name="n0"), call("asked", name="n1"), call("look", name="n2")]
    play = (calls(*wanted), calls(call("done", summary="Seen.")))
    life.push("play look")
    assert life.think(Scripted(PROGRAM, {"look": play})).outcome == "done"
    assert [state for state, _ in life.results("look")] == ["done", "done"]
    assert [state for state, _ in life.results("asked")] == ["ticketed"]


def test_a_failing_cycle_cancels_what_its_turn_waited_for(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", WAITS)
    life.clock = Deciding(interrupt)
    with pytest.raises(KeyboardInterrupt):
        life.ask("wait")
    (ticket,) = life.all_tickets()
    with life.open() as store, store.write() as rows:
        rows.run("UPDATE event SET attempts=5")
    life.push("play other")
    life.model = Scripted(PROGRAM, {"other": one_call("wait")})
    with contextlib.suppress(Exception):
        life.think(life.model)
    assert (life.state(ticket), life.told(ticket)) == ("cancelled", [])
    assert life.results("wait")[0][0] == "skipped"
    assert faults_of(life.path) == []


def test_a_restored_store_ends_what_was_under_way_and_tells_of_it(tmp_path: Path) -> None:
    life = Asking(tmp_path / "life", PAY)
    waiting, ready, running = (life.ask("pay") for _ in range(3))
    life.approve(running)
    with pytest.raises(KilledError):
        life.think(life.model, dies=("ticket_run.after_running", 1))
    life.approve(ready)
    (restored,) = (change.sql for change in CHANGES if change.table == "ticket")
    with life.open() as store, store.write() as rows:
        rows.run(restored)
    life.think(life.model)
    assert [life.told(one) for one in (waiting, ready, running)] == [
        ["cancelled"],
        ["cancelled"],
        ["unknown"],
    ]
    assert life.sink.runs == []
