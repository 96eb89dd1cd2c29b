"""Choice of built-in tools: what an agent keeps, what of it is offered, and what it costs."""

import json
import sqlite3
from typing import Any

import msgspec
import pytest

from mindpipe.agents.builtin_tools import NAMES, PRESETS
from mindpipe.engine.tools.specs import BUILT_IN, BY_NAME
from mindpipe.providers.tokens import RsBpeTokens
from support.command import Mind

ANSWER = """#!/usr/bin/env python3
import json, pathlib, sys
request = sys.stdin.read()
pathlib.Path("request").write_text(request)
wish = pathlib.Path("wish")
if json.loads(request)["messages"][-1]["role"] != "tool" and wish.exists():
    print(wish.read_text())
else:
    print(json.dumps({"text": "Done."}))
"""


class Ava:
    """An agent, and what its model is sent."""

    def __init__(self, mind: Mind) -> None:
        mind = Mind(mind.folder, {**mind.environment, "MIND_AGENTS_TOOLS": "chat"})
        self.mind = mind
        mind("init")
        mind("agent", "new", "ava")
        (mind.folder / "answer").write_text(ANSWER)
        (mind.folder / "answer").chmod(0o700)

    def sent(self) -> dict[str, Any]:
        """Return the request of one more cycle."""
        self.mind("inbox", "push", "--agent", "ava", "--text", "Go on.")
        assert self.mind("think", "--agent", "ava", "--model", "program:./answer").status == 0
        request: dict[str, Any] = json.loads((self.mind.folder / "request").read_text())
        return request

    def offered(self) -> list[str]:
        return [tool["name"] for tool in self.sent()["tools"]]

    def call(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """Let the model call a tool; return the result."""
        wish = self.mind.folder / "wish"
        wish.write_text(json.dumps({"tool_calls": [{"name": tool, "arguments": arguments}]}))
        self.sent()
        wish.unlink()
        messages = self.mind("history", "show", "--agent", "ava").records()
        return [part for one in messages if one["role"] == "tool" for part in one["parts"]][-1]

    def join(self) -> None:
        """Let the agent be in a space, where it can speak."""
        self.mind("space", "new", "home")
        self.mind("space", "join", "home", "ava")


@pytest.fixture
def ava(mind: Mind) -> Ava:
    return Ava(mind)


def test_the_names_are_those_of_the_tools() -> None:
    assert tuple(tool.name for tool in BUILT_IN) == NAMES
    assert all(set(names) <= set(NAMES) for names in PRESETS.values())
    assert set(PRESETS["minimal"]) < set(PRESETS["chat"]) < set(PRESETS["full"])


@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base"])
def test_what_a_new_agent_is_offered_costs_at_most_a_thousand_tokens(tokenizer: Any) -> None:
    # report_task comes with a task that somebody gave the agent.
    named = [name for name in PRESETS["chat"] if name != "report_task"]
    told = msgspec.json.encode([BY_NAME[name].spec(named) for name in named])
    assert 700 < RsBpeTokens(tokenizer).count(told.decode()) <= 1_000


@pytest.mark.heavy
def test_a_tool_is_offered_once_it_can_be_used(ava: Ava) -> None:
    assert ava.offered() == ["recall", "set_memory", "set_plan", "skip", "done"]
    said = json.dumps(ava.sent(), ensure_ascii=False)
    unkept = [name for name in NAMES if "_" in name and name not in PRESETS["chat"]]
    assert not [name for name in unkept if name in said]
    assert "send_message" not in said
    ava.join()
    in_space = ["enter_space", "send_message", "read_messages", *ava.offered()[3:]]
    assert ava.offered() == in_space
    assert "send_message to communicate" in json.dumps(ava.sent())
    assert ava.call("set_plan", title="Look", after="2h")["status"] == "ok"
    assert ava.offered() == [*in_space[:6], "delete_plan", *in_space[6:]]
    # The list stays what it was: another one would begin a new segment.
    (plan,) = ava.mind("plan", "list", "--agent", "ava").records()
    assert ava.call("delete_plan", id=plan["id"])["status"] == "ok"
    assert "delete_plan" in ava.offered()
    ava.mind("agent", "new", "bea")
    ava.mind("task", "add", "--agent", "bea", "--worker", "ava", "Look.")
    ava.mind("act", "--agent", "bea")
    assert "report_task" in ava.offered()


@pytest.mark.heavy
def test_a_tool_that_was_taken_away_is_neither_told_of_nor_done(ava: Ava) -> None:
    ava.join()
    ava.mind("agent", "set", "ava", "--tools", "full", "--without-tool", "send_*")
    refused = ava.call("send_message", text="Hello.", space="home")
    assert refused["status"] == "invalid"
    assert "send_message" not in refused["text"].partition("There is")[2]
    assert "send_message" not in json.dumps(ava.sent()["tools"])
    proposed = ava.call("propose", kind="message", tool="send_message", confidence=1.0)
    assert proposed["status"] == "error"
    assert "cannot be proposed" in proposed["text"]
    assert ava.mind("space", "read", "home").records() == []
    ava.mind("agent", "set", "ava", "--with-tool", "send_message")
    assert ava.call("send_message", text="Hello.", space="home")["status"] == "ok"


def test_a_name_that_is_no_tool_is_refused(ava: Ava) -> None:
    ran = ava.mind.run("agent", "set", "ava", "--with-tool", "set_memry")
    assert (ran.status, "did you mean set_memory?" in ran.words) == (2, True)
    ran = ava.mind.run("agent", "set", "ava", "--with-tool", "skip", "--without-tool", "skip")
    assert (ran.status, "skip is to be given and to be taken away" in ran.words) == (2, True)


def test_an_agent_of_which_nobody_chose_the_tools_has_them_all(ava: Ava) -> None:
    with sqlite3.connect(ava.mind.folder / "mind.db") as store:
        store.execute("UPDATE agent SET body = json_remove(body, '$.builtin_tools')")
    store.close()
    assert ava.offered() == list(NAMES)
