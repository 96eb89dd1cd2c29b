"""Changes of an agent's settings, and values it could not live with."""

import pytest

from mindpipe.agents.records import Agent, AgentChange
from mindpipe.agents.settings import changed
from mindpipe.core.errors import UsageError
from mindpipe.core.tools import ToolManifest
from support.tables import each_row

AVA = Agent(name="ava", title="Ava", model="replay:x")


def tool(name: str, description: str = "") -> ToolManifest:
    return ToolManifest(name=name, description=description, command=("run",))


def test_nothing_given_changes_nothing() -> None:
    assert changed(AVA, AgentChange()) == AVA


def test_what_is_given_changes_and_null_takes_away() -> None:
    found = changed(AVA, AgentChange(title=" Ava B. ", model=None, batch=3, temperature=0.5))
    assert found == Agent(name="ava", title="Ava B.", batch=3, temperature=0.5)


@each_row(
    ("change", "fault"),
    [
        (AgentChange(batch=0), "batch: expected int >= 1, got 0."),
        (AgentChange(min_recent_cycles=-1), "min_recent_cycles: expected int >= 0, got -1."),
        (AgentChange(temperature=2.5), "temperature: expected float <= 2.0, got 2.5."),
        (AgentChange(batch=0, max_turns=0), "batch: .*; max_turns: "),
        (AgentChange(title=""), "title is empty"),
        (AgentChange(model=" "), "model is empty"),
        (AgentChange(title="a\nb"), "title must be one line"),
        (AgentChange(title="x" * 201), "title is 201 characters long"),
        (AgentChange(instructions="a\x00"), "instructions is not UTF-8 text, or holds a NUL"),
        (AgentChange(without_tools=("saw",)), 'agent ava has no tool "saw"; it has none.'),
        (AgentChange(tools=(tool("saw"), tool("saw"))), "two of the given tools are named saw"),
    ],
)
def test_values_that_cannot_be_are_refused(change: AgentChange, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        changed(AVA, change)


def test_tools_are_replaced_by_name_taken_away_and_added() -> None:
    first = changed(AVA, AgentChange(tools=(tool("saw"), tool("file"), tool("axe"))))
    found = changed(
        first, AgentChange(tools=(tool("file", "New."), tool("nail")), without_tools=("saw",))
    )
    assert found.tools == (tool("file", "New."), tool("axe"), tool("nail"))


def test_a_reason_to_rest_becomes_one_line_whatever_it_was() -> None:
    found = changed(AVA, AgentChange(paused="HTTP 402\n\x1b[31mno\x00 credit \ud800" + "x" * 600))
    assert found.paused is not None
    assert found.paused.startswith("HTTP 402 no\ufffd credit \ufffdxxx")
    assert len(found.paused) == 500


def test_description_and_instructions_may_be_emptied() -> None:
    told = changed(AVA, AgentChange(instructions="Be kind.\nAnd brief.", description="Helps."))
    assert changed(told, AgentChange(instructions="", description="")) == AVA
