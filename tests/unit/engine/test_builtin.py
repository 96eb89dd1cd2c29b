import importlib
import inspect

import msgspec
from jsonschema import Draft202012Validator

from mindpipe.agents.records import Agent
from mindpipe.core.text import safe_name
from mindpipe.core.tools import Effect, ToolManifest
from mindpipe.engine.tools.calls import fault_by_type
from mindpipe.engine.tools.dispatch import MODULES
from mindpipe.engine.tools.specs import BUILT_IN, BY_NAME, specs, tools_of
from support.tables import each_row

SEED = {
    "memory": {"set_memory", "get_memory", "delete_memory"},
    "goals": {"set_goal", "get_goals", "delete_goal"},
    "plans": {"set_plan", "get_plans", "delete_plan"},
    "spaces": {"enter_space", "leave_space", "send_message", "read_messages"},
    "runs": {"get_my_runs"},
    "decisions": {"propose"},
    "tasks": {"delegate", "get_tasks", "report_task"},
    "itself": {"peek_inbox", "search_history", "read_history", "recall", "skip", "done"},
}


def test_the_built_in_tools_are_those_a_mind_lives_with() -> None:
    assert set(BY_NAME) == set().union(*SEED.values())
    assert len(BY_NAME) == len(BUILT_IN)


@each_row("name", sorted(BY_NAME))
def test_each_stands_under_its_name_in_the_module_that_the_table_says(name: str) -> None:
    module = importlib.import_module(f"mindpipe.engine.tools.{MODULES[name]}")
    _, arguments = inspect.signature(getattr(module, name)).parameters.values()
    assert arguments.annotation is BY_NAME[name].arguments


@each_row("name", sorted(BY_NAME))
def test_a_model_is_told_of_each_by_a_plain_schema(name: str) -> None:
    spec = BY_NAME[name].spec(BY_NAME)
    assert safe_name(spec.name) == name
    assert spec.description.endswith(".")
    assert spec.input_schema["type"] == "object"
    Draft202012Validator.check_schema(spec.input_schema)
    # Else each cycle would see other tools than those of its head, and begin a segment.
    assert msgspec.json.decode(msgspec.json.encode(spec), type=type(spec)) == spec


@each_row(
    ("tool", "args", "named"),
    [
        ("leave_space", {}, None),
        ("skip", {}, None),
        ("skip", {"reason": "nothing to add"}, None),
        ("done", {"summary": "Answered."}, None),
        ("done", {}, "summary"),
        ("done", {"summary": ""}, "summary"),
        ("done", {"summary": " \n"}, "summary"),
        ("set_memory", {"key": "tea", "value": "green"}, None),
        ("set_memory", {"key": "", "value": "green"}, "key"),
        ("set_memory", {"key": "k" * 129, "value": "green"}, "key"),
        ("set_memory", {"key": "tea", "value": ""}, "value"),
        ("search_history", {"query": ""}, "query"),
        ("search_history", {"query": "tea", "limit": 101}, "limit"),
        ("read_history", {"cycle": 3, "seq": 7, "call": "c_1", "offset": 10_000}, None),
        ("read_history", {}, "cycle"),
        ("read_history", {"cycle": 0}, "cycle"),
        ("read_history", {"cycle": 1, "offset": -1}, "offset"),
        ("read_history", {"cycle": 1, "limit": 50_001}, "limit"),
        ("read_messages", {"limit": 201}, "limit"),
        ("read_messages", {"offset": -1}, "offset"),
        ("set_plan", {"title": ""}, "title"),
        ("set_goal", {"state": "done", "id": "g_1"}, None),
        ("delete_plan", {}, "id"),
        ("enter_space", {"space": ["family"]}, "space"),
    ],
)
def test_arguments_are_checked_before_anything_runs(
    tool: str, args: dict[str, object], named: str | None
) -> None:
    fault = fault_by_type(args, BY_NAME[tool].arguments)
    assert (fault is None) == (named is None)
    assert named is None or (fault is not None and named in fault)


def test_an_agents_own_tools_come_after_the_built_in_ones() -> None:
    own = ToolManifest(
        name="weather",
        description="Say how it is outside.",
        command=("./weather",),
        effect="pure",
        input_schema={"type": "object", "required": ["city"]},
    )
    agent = Agent(name="ava", tools=(own,))
    told = [spec.name for spec in specs(agent, BY_NAME)]
    assert told == [*[tool.name for tool in BUILT_IN], "weather"]
    tools = tools_of(agent)
    assert list(tools) == told
    assert tools["weather"].effect is Effect.PURE
    assert "'city'" in (tools["weather"].fault({}) or "")
    assert {tools[name].effect for name in BY_NAME} == {Effect.STORE}
