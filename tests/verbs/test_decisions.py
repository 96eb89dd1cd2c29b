"""What a person does with what agents propose."""

import hashlib
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.records import to_json
from mindpipe.decisions.records import DecisionState
from mindpipe.decisions.verbs import decision
from mindpipe.engine.tools.dispatch import do
from mindpipe.engine.tools.scope import ToolScope
from support.command import NOW, Mind, make_private
from support.decisions import SURE, UNSURE, Deciding, tool
from support.life import AGENT
from support.terminals import on_terminals

SCHEMA = {"type": "object", "properties": {"amount": {"type": "integer"}}, "required": ["amount"]}
UNDO = {"tool": "refund", "arguments": {"amount": 5}}


def life_of(folder: Path) -> Deciding:
    return Deciding(folder / "life", tool("pay", input_schema=SCHEMA), tool("refund"))


def test_what_runs_is_what_was_proposed_or_what_a_person_put_in_its_place(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    same, other = (life.propose("pay", UNSURE, arguments={"amount": 5}) for _ in range(2))
    life.go_on()
    with pytest.raises(RefusedError, match="not fit"):
        life.approve(other, arguments={"amount": "five"})
    assert life.state(other) == "waiting"
    life.approve(same, arguments={"amount": 5})
    life.approve(other, arguments={"amount": 3})
    life.act()
    assert sorted(life.sink.heard) == [b'{"amount":3}', b'{"amount":5}']
    assert (life.shown(same).edited, life.shown(other).edited) == (None, "husam")
    assert life.shown(other).proposal.arguments == {"amount": 5}
    told = life.value(f"SELECT body FROM event WHERE key='{other}:applied'")
    assert '"arguments":{"amount":3}' in str(told)


def test_the_hash_must_be_the_one_that_was_shown(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    made = life.propose("pay", UNSURE, arguments={"amount": 5})
    life.go_on()
    for sha256 in (None, "", "0" * 64, life.shown(made).sha256[:7]):
        with pytest.raises(RefusedError, match="not the hash"):
            life.approve(made, sha256=sha256)
    life.approve(made, sha256=life.shown(made).sha256)
    assert life.state(made) == "approved"


def test_a_proposal_that_was_changed_at_rest_is_never_run(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    made = life.propose("pay", UNSURE, arguments={"amount": 5})
    life.go_on()
    with life.open() as store, store.write() as rows:
        rows.run("UPDATE decision SET body=replace(body, '\"amount\":5', '\"amount\":7')")
    with pytest.raises(RefusedError, match="not those that were proposed"):
        life.approve(made)
    life.reject(made)
    assert (life.state(made), life.sink.heard) == ("rejected", [])


def test_a_decision_of_before_versions_were_kept_is_approved_by_its_old_hash(
    tmp_path: Path,
) -> None:
    life = life_of(tmp_path)
    done = life.propose("pay", 0.8, arguments={"amount": 5}, undo=UNDO)
    waits = life.propose("pay", UNSURE, arguments={"amount": 6})
    life.go_on()
    for made in (done, waits):
        old = msgspec.structs.replace(
            life.shown(made), tool_sha256=None, undo_tool_sha256=None, undo_sha256=None
        )
        action = msgspec.json.encode(old.proposal.action(), order="deterministic")
        old = msgspec.structs.replace(old, sha256=hashlib.sha256(action).hexdigest())
        life.put(made, old.state.value, to_json(old).decode())
    life.approve(waits, sha256=life.shown(waits).sha256)
    life.undo(done, sha256=life.shown(done).undo_sha256)
    life.act()
    assert sorted(name for name, _ in life.sink.runs) == ["pay", "pay", "refund"]


def test_an_approved_tool_that_is_changed_or_gone_is_not_run(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    made = [life.propose("pay", UNSURE, arguments={"amount": 5}) for _ in range(2)]
    life.go_on()
    life.approve(made[0])
    with life.open() as store:
        change = AgentChange(tools=(tool("pay", description="Another."),))
        agents.set_(store, name=AGENT, change=change)
    life.act()
    assert (life.state(made[0]), life.told(made[0])) == ("rejected", ["rejected"])
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(without_tools=("pay",)))
    with pytest.raises(RefusedError, match="cannot be done"):
        life.approve(made[1])
    assert life.sink.heard == []


def test_what_was_done_is_taken_back_once_and_only_by_what_it_named(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    done = life.propose("pay", 0.8, arguments={"amount": 5}, undo=UNDO)
    final = life.propose("pay", 0.8, arguments={"amount": 6})
    waits = life.propose("pay", UNSURE, arguments={"amount": 7}, undo=UNDO)
    life.go_on()
    assert [life.shown(one).undoable for one in (done, final, waits)] == [True, False, True]
    with life.open() as store:
        shown = [one.id for one in decision.list_(store, life.clock, agent=AGENT)]
    assert shown == [done, waits]
    for one in (final, waits):
        with pytest.raises(RefusedError):
            life.undo(one)
    back = life.undo(done, sha256=life.shown(done).undo_sha256)
    with pytest.raises(RefusedError, match="undoing"):
        life.undo(done)
    life.act()
    assert life.sink.heard == [b'{"amount":5}', b'{"amount":6}', b'{"amount":5}']
    assert [name for name, _ in life.sink.runs] == ["pay", "pay", "refund"]
    assert (life.state(done), life.state(back.id)) == ("undone", "applied")
    assert life.told(done) == ["applied", "undone"]
    with pytest.raises(RefusedError, match="undone"):
        life.undo(done)


def test_all_that_can_still_be_undone_is_listed(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    sure = life.propose("pay", SURE, arguments={"amount": 5}, undo=UNDO)
    asked = life.propose("pay", UNSURE, arguments={"amount": 6}, undo=UNDO)
    final = life.propose("pay", SURE, arguments={"amount": 7})
    life.go_on()
    life.approve(asked)
    life.go_on()
    assert {life.state(one) for one in (sure, asked, final)} == {"applied"}

    def listed() -> list[str]:
        with life.open() as store:
            return [one.id for one in decision.list_(store, life.clock, agent=AGENT)]

    assert listed() == [sure, asked]
    for one in (sure, asked):
        life.undo(one, sha256=life.shown(one).undo_sha256)
    life.act()
    assert listed() == []


def test_what_undoes_it_runs_only_under_the_hash_that_was_shown(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    done = life.propose(
        "pay", 0.8, arguments={"amount": 5}, undo={"tool": "refund", "arguments": {"amount": 6}}
    )
    life.go_on()
    seen = life.shown(done)
    for sha256 in (None, "0" * 64, seen.sha256):
        with pytest.raises(RefusedError, match="not the hash"):
            life.undo(done, sha256=sha256)
    with life.open() as store, store.write() as rows:
        rows.run("UPDATE decision SET body=replace(body, '\"amount\":6', '\"amount\":7')")
    with pytest.raises(RefusedError, match="not the hash"):
        life.undo(done, sha256=seen.undo_sha256)
    life.go_on()
    assert (life.state(done), life.sink.heard) == ("applied", [b'{"amount":5}'])


def test_an_answer_that_comes_too_late_is_no(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    late, unused = (life.propose("pay", UNSURE, arguments={"amount": 5}) for _ in range(2))
    life.go_on()
    life.approve(unused)
    life.clock.pass_time(86400)
    with pytest.raises(RefusedError, match="expired"):
        life.approve(late)
    life.go_on()
    assert [life.state(one) for one in (late, unused)] == ["expired", "expired"]
    assert [life.told(one) for one in (late, unused)] == [["expired"], ["expired"]]
    assert life.sink.heard == []


def test_nothing_is_decided_before_it_is_judged(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    made = life.propose("pay", UNSURE, arguments={"amount": 5})
    for words in ("mind decide judges it first", "mind act does it"):
        with pytest.raises(RefusedError, match=words):
            life.approve(made)
        life.decide()
    with pytest.raises(UsageError, match=r"no decision .*mind decision list"):
        life.approve("d_none")


def test_only_what_can_ever_be_done_is_proposed(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    with life.open() as store:
        desk = ToolScope(
            store=store, clock=life.clock, chance=life.chance, agent=AGENT, cycle=1, call="c_1"
        )
        asked = {"kind": "deed", "tool": "pay", "arguments": {"amount": 5}, "confidence": SURE}
        bad: list[dict[str, object]] = [
            {"tool": "fly"},
            {"tool": "propose"},
            {"tool": "skip"},
            {"arguments": {}},
            {"undo_tool": "pay"},
            {"tool": "set_goal", "arguments": {"state": "lost"}},
        ]
        for change in bad:
            with pytest.raises(UsageError):
                do(desk, "propose", {**asked, **change})
        assert life.value("SELECT count(*) FROM decision") == 0
        found = do(desk, "propose", {**asked, "undo_tool": "refund"})
    made = life.shown(str(found["decisionId"]))
    assert (made.state, made.cycle, made.call) == (DecisionState.PROPOSED, 1, "c_1")
    assert made.proposal.undo is not None


@pytest.mark.parametrize(("typed", "state"), [("y\n", "approved"), ("n\n", "waiting")])
def test_on_a_terminal_a_person_sees_it_whole_and_is_asked(
    tmp_path: Path, typed: str, state: str
) -> None:
    life = Deciding(make_private(tmp_path / "life"), tool("pay"), tool("refund"))
    waits = life.propose("pay", UNSURE, arguments={"amount": 5}, undo=UNDO)
    done = life.propose("pay", 0.8, arguments={"amount": 6}, undo=UNDO)
    life.go_on()
    mind = Mind(life.path.parent)
    store = ("--store", str(life.path), "--now", NOW, "--by", "husam")
    for made, verb, asked in ((waits, "approve", "exactly this"), (done, "undo", "undoes it")):
        assert mind.run("decision", verb, made, *store).status == 2
        words = [str(mind.program), "decision", verb, made, *store]
        screen = on_terminals(mind, words, typed=typed).stderr
        shown = life.shown(made)
        assert all(str(hash_) in screen for hash_ in (shown.sha256, shown.undo_sha256))
        assert '"refund"' in screen
        assert asked in screen
    assert life.state(waits) == state
    assert life.state(done) == ("undoing" if state == "approved" else "applied")
