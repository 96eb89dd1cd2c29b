"""Ordinary calls of a cycle that `mind decide` judges, and what the agent hears of them."""

import json
from pathlib import Path

import pytest

from mindpipe.agents.builtin_tools import NAMES
from mindpipe.agents.records import Agent
from mindpipe.decisions.bands import Bands, DecisionRules
from mindpipe.engine.tools.specs import specs
from support.approvals import one_call
from support.decisions import Deciding, tool
from support.histories import PROGRAM
from support.life import KilledError
from support.scripted_model import Scripted, call, calls
from support.validation import faults_of

SCHEMA = {
    "type": "object",
    "properties": {"amount": {"type": "integer"}},
    "required": ["amount"],
    "additionalProperties": False,
}
PAY = tool("pay", approval="decide", input_schema=SCHEMA)


def life_of(folder: Path, **about: object) -> Deciding:
    """Return a life that calls pay as sure as it says."""
    life = Deciding(folder / "life", PAY)
    told = {f"decide_{name}": value for name, value in about.items()}
    play = {"pay": one_call("pay", amount=5, **told)}
    life.model = Scripted(PROGRAM, play, otherwise=(calls(call("done", summary="Heard.")),))
    return life


def ask(life: Deciding, **event: object) -> str:
    """Let the agent call pay; return the decision that comes of it."""
    life.push("play pay", **event)
    assert life.think(life.model).outcome == "done"
    return str(life.value("SELECT id FROM decision ORDER BY rowid DESC LIMIT 1"))


@pytest.mark.parametrize(
    ("confidence", "state", "runs"),
    [(0.95, "applied", 1), (0.8, "applied", 1), (0.6, "waiting", 0), (0.3, "returned", 0)],
)
def test_a_call_is_judged_by_the_bands_and_done_by_act(
    tmp_path: Path, confidence: float, state: str, runs: int
) -> None:
    life = life_of(tmp_path, confidence=confidence, importance=0.4, reason="Due.")
    made = ask(life)
    ((asked, answer),) = life.rows("SELECT state, result ->> '$.text' FROM call WHERE tool='pay'")
    assert (asked, life.sink.runs) == ("ticketed", [])
    assert answer == (
        f"This call is decided on as {made}. Nothing has run. You will get the outcome as an event."
    )
    found = life.shown(made).proposal
    assert (found.kind, found.tool, found.arguments) == ("pay", "pay", {"amount": 5})
    assert (found.confidence, found.importance, found.reason) == (confidence, 0.4, "Due.")
    life.go_on()
    assert (life.state(made), life.sink.times("pay")) == (state, runs)
    assert life.sink.heard == [b'{"amount":5}'] * runs
    assert life.told(made) == ([] if state == "waiting" else [state])
    if state == "waiting":
        life.approve(made, sha256=life.shown(made).sha256)
        life.act()
        assert (life.told(made), life.sink.heard) == (["applied"], [b'{"amount":5}'])
    assert faults_of(life.path) == []


def test_what_strangers_said_and_the_bar_of_a_tool_keep_a_sure_call_from_running(
    tmp_path: Path,
) -> None:
    life = life_of(tmp_path, confidence=0.97)
    made = ask(life, source="mail", sender="eve")
    life.go_on()
    assert (life.state(made), life.sink.runs) == ("waiting", [])
    assert "mail/eve" in str(life.shown(made).why)
    other = life_of(tmp_path / "other", confidence=0.97)
    other.rules = DecisionRules(bands=Bands(thresholds={"pay": 0.98}))
    made = ask(other)
    other.go_on()
    assert (other.state(made), other.shown(made).why) == (
        "waiting",
        "confidence 0.97 is below 0.98",
    )


@pytest.mark.parametrize(
    ("about", "fault"),
    [({}, "decide_confidence"), ({"confidence": 2}, "2"), ({"confidence": 1, "undo": 1}, "undo")],
)
def test_a_call_that_does_not_say_how_sure_it_is_becomes_no_decision(
    tmp_path: Path, about: dict[str, object], fault: str
) -> None:
    life = life_of(tmp_path, **about)
    life.push("play pay")
    life.think(life.model)
    ((state, words),) = life.rows("SELECT state, result ->> '$.text' FROM call WHERE tool='pay'")
    assert state == "invalid"
    assert fault in words
    assert life.value("SELECT count(*) FROM decision") == 0


def test_a_worker_that_dies_over_such_a_call_leaves_one_decision(tmp_path: Path) -> None:
    life = life_of(tmp_path, confidence=0.95)
    life.push("play pay")
    with pytest.raises(KilledError):
        life.think(life.model, dies=("ticket.after_commit", 1))
    life.think(life.model)
    life.go_on()
    assert (life.value("SELECT count(*) FROM decision"), life.sink.times("pay")) == (1, 1)


def test_a_model_is_asked_how_sure_it_is_and_the_tool_is_not() -> None:
    told = specs(Agent(name="ava", tools=(PAY, tool("look"))), NAMES)[-2:]
    properties = told[0].input_schema["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == [
        "amount",
        "decide_confidence",
        "decide_importance",
        "decide_reason",
    ]
    assert told[0].input_schema["required"] == ["amount", "decide_confidence"]
    assert "decide_" not in json.dumps([PAY.input_schema, told[1].input_schema])
