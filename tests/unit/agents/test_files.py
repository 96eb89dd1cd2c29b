"""An agent in a JSON file: how little is enough, and what is refused."""

import pytest

from mindpipe.agents.records import Agent, AgentFile, Goal, GoalState, Note
from mindpipe.agents.settings import read_agent_file
from mindpipe.core.errors import BadInputError
from mindpipe.core.records import to_json
from support.tables import each_row

FULL = AgentFile(
    agent=Agent(name="ava", title="Ava", instructions="Be kind."),
    goals=(Goal(id="g_1", agent="ava", text="Help.", state=GoalState.LONG_TERM),),
    notes=(Note(agent="ava", key="sarah", value="prefers charts"),),
    plans=({"title": "Daily"},),
    spaces=({"name": "family"},),
)


def read(document: bytes) -> AgentFile:
    return read_agent_file(document, source="ava.json")


def test_what_is_written_is_read_back_equal() -> None:
    assert read(to_json(FULL)) == FULL


@each_row(
    "document",
    [
        b'{"agent": {"name": "ava", "title": "Ava", "instructions": "Be kind."}}',
        to_json(FULL.agent),
    ],
)
def test_the_agent_alone_is_enough(document: bytes) -> None:
    assert read(document) == AgentFile(agent=FULL.agent)


def test_goals_and_notes_need_only_their_words() -> None:
    found = read(b'{"agent":{"name":"a"},"goals":[{"text":"x"}],"notes":[{"key":"k","value":"v"}]}')
    assert found.goals == (Goal(text="x"),)
    assert found.notes == (Note(key="k", value="v"),)


@each_row(
    ("document", "faults"),
    [
        (b"[]", ["ava.json: $: expected an object"]),
        (b"{}", ["ava.json: $.agent: missing"]),
        (b'{"agent": {"name": "../x"}}', ["ava.json: $.agent.name: expected str matching"]),
        (b'{"agent": {"name": "a..b"}}', ["ava.json: $.agent.name: "]),
        (
            b'{"agent": {"name": "ava", "batch": 0, "modle": 1}, "goals": [{}]}',
            [
                "ava.json: $.agent.batch: expected int >= 1, got 0",
                "ava.json: $.agent.modle: unknown field; did you mean model?",
                "ava.json: $.goals[0].text: missing",
            ],
        ),
    ],
)
def test_every_fault_is_named(document: bytes, faults: list[str]) -> None:
    with pytest.raises(BadInputError) as raised:
        read(document)
    found = [problem.line_of_text() for problem in raised.value.problems]
    assert len(found) == len(faults)
    for line, fault in zip(found, faults, strict=True):
        assert line.startswith(fault)


def test_a_tool_may_not_have_a_built_in_name() -> None:
    tool = {"name": "done", "description": "End.", "command": ["end"]}
    document = to_json({"agent": {"name": "ava", "tools": [tool]}})
    assert read(document).agent.tools[0].name == "done"
    with pytest.raises(BadInputError) as raised:
        read_agent_file(document, source="ava.json", reserved={"done"})
    assert [problem.line_of_text() for problem in raised.value.problems] == [
        "ava.json: $.agent.tools[0].name: done is a built-in tool; give this one another name"
    ]
