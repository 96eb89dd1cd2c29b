"""Promises 27 and 47 for what agents propose: done once, as it was shown, and told."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import RefusedError
from mindpipe.core.ports import ProgramRun
from mindpipe.decisions.bands import DecisionRules
from red import decision_without_hash
from support.broken_builds import broken
from support.decisions import SURE, UNSURE, Deciding, tool
from support.life import AGENT, KilledError
from support.proofs import proved, turned_red

EFFECTS = ("idempotent", "keyed", "unsafe")
# Where a worker dies while it acts, and how often an action of each effect class has run then.
RUNS = {
    "settle.before_commit": (1, 1, 1),
    "settle.after_commit": (1, 1, 1),
    "ticket_run.before_running": (1, 1, 1),
    "ticket_run.after_running": (1, 1, 0),
    "act.after_effect": (2, 2, 1),
    "ticket_run.before_outcome": (2, 2, 1),
    "ticket_run.after_outcome": (1, 1, 1),
}
DOUBTFUL = {"ticket_run.after_running", "act.after_effect", "ticket_run.before_outcome"}
STORE_POINTS = ("store_tool.before_commit", "store_tool.after_commit")
JUDGING = ("judge.before_commit", "judge.after_commit")
DECIDING = ("decision.before_commit", "decision.after_commit")
CALLING = {"escalate.before_call": 0, "escalate.after_call": 1}


@pytest.mark.heavy
def test_a_decision_is_done_once_wherever_its_worker_dies(tmp_path: Path) -> None:
    life = Deciding(tmp_path / "life", *(tool(effect, effect=effect) for effect in EFFECTS))
    for point, times in RUNS.items():
        for effect, runs in zip(EFFECTS, times, strict=True):
            life.sink.runs.clear()
            made = life.propose(effect)
            life.decide()
            with pytest.raises(KilledError):
                life.act(dies=(point, 1))
            life.go_on()
            ended = "unknown" if effect == "unsafe" and point in DOUBTFUL else "applied"
            assert (life.state(made), life.told(made)) == (ended, [ended]), (point, effect)
            assert (life.sink.times(effect), len(life.sink.keys(effect))) == (runs, runs > 0)
    proved(27, decision_deaths=len(RUNS) * len(EFFECTS), decisions_done_under_another_key=0)


def test_a_built_in_tool_is_done_exactly_once_wherever_its_worker_dies(tmp_path: Path) -> None:
    life = Deciding(tmp_path / "life")
    for number, point in enumerate(STORE_POINTS, 1):
        made = life.propose("send_message", arguments={"text": f"Hi {number}", "space": "family"})
        life.decide()
        with pytest.raises(KilledError):
            life.act(dies=(point, 1))
        life.go_on()
        assert (life.state(made), life.told(made)) == ("applied", ["applied"])
        assert life.rows("SELECT text, state FROM post ORDER BY seq")[-1] == (
            f"Hi {number}",
            "visible",
        )
        assert life.value("SELECT count(*) FROM post") == number


@pytest.mark.parametrize("point", JUDGING)
def test_what_is_judged_is_judged_and_told_once(tmp_path: Path, point: str) -> None:
    life = Deciding(tmp_path / "life")
    sure, low = life.propose("set_goal", arguments={"text": "Win"}), life.propose("set_goal", 0.1)
    with pytest.raises(KilledError):
        life.decide(dies=(point, 1))
    life.go_on()
    assert (life.state(sure), life.state(low)) == ("applied", "returned")
    assert (life.told(sure), life.told(low)) == (["applied"], ["returned"])
    assert life.value("SELECT count(*) FROM goal") == 1


def test_a_persons_word_holds_or_was_never_given(tmp_path: Path) -> None:
    life = Deciding(tmp_path / "life", tool("pay"))
    for point in DECIDING:
        yes, no = life.propose("pay", UNSURE), life.propose("pay", UNSURE)
        life.go_on()
        life.sink.runs.clear()
        for step, one in ((life.approve, yes), (life.reject, no)):
            with pytest.raises(KilledError):
                step(one, dies=(point, 1))
        given = point == "decision.after_commit"
        if not given:
            assert (life.state(yes), life.state(no)) == ("waiting", "waiting")
            life.approve(yes)
            life.reject(no)
        for step, one in ((life.approve, yes), (life.reject, yes), (life.approve, no)):
            with pytest.raises(RefusedError):
                step(one)
        life.go_on()
        assert (life.state(yes), life.state(no)) == ("applied", "rejected")
        assert (life.told(yes), life.told(no)) == (["applied"], ["rejected"])
        assert life.sink.times("pay") == 1


def test_a_person_is_called_once_for_each_matter_or_finds_a_ticket(tmp_path: Path) -> None:
    life = Deciding(tmp_path / "life")
    life.rules = DecisionRules(escalate=("ring",))
    for point, rung in CALLING.items():
        life.sink.runs.clear()
        made = life.propose("set_goal", UNSURE, arguments={"text": "Win"}, importance=0.9)
        life.decide()
        with pytest.raises(KilledError):
            life.act(dies=(point, 1))
        life.go_on()
        assert life.sink.times("ring") == rung
        assert life.value(f"SELECT state FROM escalation WHERE key='{made}'") == "unknown"
        assert life.state(made) == "waiting"
    assert life.value("SELECT count(*) FROM ticket WHERE kind='escalation'") == len(CALLING)
    made = life.propose("set_goal", UNSURE, arguments={"text": "Win"}, importance=0.9)
    life.go_on()
    assert life.value(f"SELECT state FROM escalation WHERE key='{made}'") == "called"
    proved(27, calls_died_in=len(CALLING), persons_called_twice=0)


def test_a_call_that_fails_leaves_a_ticket_and_is_made_again_under_its_key(tmp_path: Path) -> None:
    life = Deciding(tmp_path / "life")
    life.rules = DecisionRules(escalate=("ring",))
    life.sink.ends["ring"] = ProgramRun(status=1, stdout=b"", stderr=b"engaged")
    life.propose("set_goal", UNSURE, arguments={"text": "Win"}, importance=0.9)
    life.go_on()
    assert life.sink.times("ring") == 1
    assert "engaged" in str(life.value("SELECT reason FROM ticket WHERE kind='escalation'"))
    life.clock.pass_time(60)
    life.go_on()
    assert life.sink.times("ring") == 2
    del life.sink.ends["ring"]
    for seconds in (119, 1, 86400 - 1000):
        life.clock.pass_time(seconds)
        life.go_on()
    assert (life.sink.times("ring"), len(life.sink.keys("ring"))) == (3, 1)
    assert life.value("SELECT count(*) FROM ticket WHERE kind='escalation'") == 1


def test_no_proposal_does_more_than_the_agent_itself_may(tmp_path: Path) -> None:
    sends = tool("send", effect="keyed", labels=("sends_out",))
    life = Deciding(tmp_path / "life", tool("pay"), sends, tool("ask", approval="always"))
    held = [life.propose(name, SURE, sources=("mail/eve",)) for name in ("pay", "send")]
    held.append(life.propose("ask", SURE))
    free = life.propose("pay", SURE)
    life.go_on()
    assert [life.state(one) for one in held] == ["waiting"] * 3
    assert "mail/eve" in str(life.shown(held[0]).why)
    assert (life.state(free), life.sink.times("pay")) == ("applied", 1)
    life.approve(held[0])
    life.act()
    assert life.state(held[0]) == "applied"
    sources = life.value(f"SELECT sources FROM event WHERE key='{held[0]}:applied'")
    assert "mail/eve" in str(sources)


TOOLS = ("pay", "refund")
BILL = {"to": "Ada Lovelace of London"}
REFUND = {"to": "Bob Babbage of Bristol"}


def two_to_decide(life: Deciding) -> dict[str, Callable[[], object]]:
    """Propose what waits and what can be undone; return how a person decides what was shown."""
    undo = {"tool": "refund", "arguments": REFUND}
    waits = life.propose("pay", UNSURE, arguments=BILL)
    done = life.propose("set_goal", 0.8, arguments={"text": "Win"}, undo=undo)
    life.go_on()
    sha256, undo_sha256 = life.shown(waits).sha256, life.shown(done).undo_sha256
    return {
        waits: lambda: life.approve(waits, sha256=sha256),
        done: lambda: life.undo(done, sha256=undo_sha256),
    }


def changed(text: str) -> Iterator[str]:
    """Yield a text with each letter of it changed in turn."""
    for place, letter in enumerate(text):
        if letter.isalpha():
            yield f"{text[:place]}{'x' if letter != 'x' else 'y'}{text[place + 1 :]}"


def decide_changed(life: Deciding, *, refused: bool) -> int:
    """Let a person decide what was changed after it was shown; return how often it was tried."""
    tried = 0
    for made, decide in two_to_decide(life).items():
        ((state, body),) = life.rows(f"SELECT state, body FROM decision WHERE id='{made}'")
        shown = "Ada Lovelace of London" if state == "waiting" else "Bob Babbage of Bristol"
        others = [body.replace(shown, other) for other in changed(shown)]
        if refused:
            others += [body.replace(f'"tool":"{name}"', '"tool":"shoot"') for name in TOOLS]
        for other in set(others) - {body}:
            life.put(made, state, other)
            if refused:
                with pytest.raises(RefusedError):
                    decide()
            else:
                decide()
            life.act()
            tried += 1
        life.put(made, state, body)
    return tried


def deciding_life(folder: Path) -> Deciding:
    """Return a life with a tool to pay with, one to take that back, and one to harm with."""
    return Deciding(folder / "life", tool("pay"), tool("refund"), tool("shoot"))


@pytest.mark.heavy
def test_what_was_changed_after_it_was_shown_never_runs(tmp_path: Path) -> None:
    life = deciding_life(tmp_path)
    tried = decide_changed(life, refused=True)
    assert (tried > 35, life.sink.heard) == (True, [])
    for decide in two_to_decide(life).values():
        decide()
    life.act()
    assert sorted(name for name, _ in life.sink.runs) == sorted(TOOLS)
    proved(47, changed=tried, changed_and_run=0)


@pytest.mark.heavy
def test_a_build_without_the_hashes_runs_what_nobody_was_shown(tmp_path: Path) -> None:
    life = deciding_life(tmp_path)
    with broken(decision_without_hash.PATCHES):
        tried = decide_changed(life, refused=False)
    assert len(life.sink.runs) == tried
    turned_red(47, "decision_without_hash", changed_and_run=tried)


def test_a_hash_that_is_made_again_binds_no_undo_that_was_not_proposed(tmp_path: Path) -> None:
    life = deciding_life(tmp_path)
    *_, done = two_to_decide(life)
    ((state, body),) = life.rows(f"SELECT state, body FROM decision WHERE id='{done}'")
    life.put(done, state, body.replace('"tool":"refund"', '"tool":"shoot"'))
    with pytest.raises(RefusedError, match="not what was proposed"):
        life.undo(done, sha256=life.shown(done).undo_sha256)
    assert life.sink.runs == []


def test_a_tool_that_is_changed_after_it_was_shown_does_not_run(tmp_path: Path) -> None:
    life = deciding_life(tmp_path)
    decides = two_to_decide(life)
    automatic = life.propose("pay", SURE, arguments=BILL)
    life.decide()
    tools = tuple(tool(name, command=("shoot",)) for name in TOOLS)
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(tools=tools))
    for decide in decides.values():
        with pytest.raises(RefusedError, match="was changed since it was proposed"):
            decide()
    life.go_on()
    assert (life.state(automatic), life.sink.runs) == ("waiting", [])
    proved(47, tools_changed=len(decides) + 1, changed_and_run=0)


def test_policy_says_of_an_undo_why_it_would_not_run_unasked(tmp_path: Path) -> None:
    free = tool("note", effect="idempotent")
    life = Deciding(tmp_path / "life", free, tool("shoot"))
    undo = {"tool": "shoot", "arguments": {}}
    made = life.propose("note", 0.8, undo=undo, sources=("mail/eve",))
    life.go_on()
    assert "shoot is unsafe, and ava read text of mail/eve" in str(life.shown(made).undo_why)
    assert [name for name, _ in life.sink.runs] == ["note"]
    for sha256 in (None, "", life.shown(made).sha256, str(life.shown(made).undo_sha256)[:7]):
        with pytest.raises(RefusedError, match="not the hash"):
            life.undo(made, sha256=sha256)
    life.go_on()
    assert [name for name, _ in life.sink.runs] == ["note"]
