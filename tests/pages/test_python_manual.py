"""What mind-python(7) shows can be run: a life of twenty lines, and a plugin."""

import subprocess
import sys
from pathlib import Path

import pytest

from mindpipe.core.version import VERSION
from mindpipe_cli.manual.python_manual import PLUGIN, PYTHON_LIFE
from support.command import Mind

ANSWER = f"""#!{sys.executable}
import json, sys
request = json.load(sys.stdin)
now = request["messages"][-1]["cycle"]
said = [one for one in request["messages"] if one["cycle"] == now]
ends = said[-1]["role"] == "tool"
asked = "When did" in str(said)
call = {{"name": "send_message", "arguments": {{"text": "At nine."}}}}
print(json.dumps({{"text": "Noted."}} if ends or not asked else {{"tool_calls": [call]}}))
"""


def python(mind: Mind, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program of its own in the folder of `mind`."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=mind.folder,
        env=mind.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def answering(mind: Mind) -> Mind:
    """Return `mind` with a model that answers a question in a space, and ends otherwise."""
    answer = mind.folder / "answer"
    answer.write_text(ANSWER)
    answer.chmod(0o700)
    mind.environment["MIND_MODEL"] = "program:./answer"
    return mind


@pytest.mark.heavy
def test_twenty_lines_live_a_cycle(answering: Mind) -> None:
    assert len(PYTHON_LIFE.splitlines()) <= 20
    ran = python(answering, PYTHON_LIFE)
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert lines[0] == "1 done 0"
    assert lines[1] == "ava At nine."
    hits, _, messages = ran.stdout.partition("\nuser (TextPart(")
    assert "\n1 message " in hits
    assert "The lamp went out at nine." in messages
    # The commands see the same life.
    said = answering("history", "cycles", "--agent", "ava", "--store", "life.db").records()
    assert [one["cycle"] for one in said] == [1, 2]


@pytest.mark.heavy
def test_goals_windows_and_the_page_are_at_hand(answering: Mind) -> None:
    program = (
        "import mindpipe\n"
        "with mindpipe.open_store(create=True) as store:\n"
        "    ava = store.new_agent('ava')\n"
        "    goal = ava.add_goal('Keep the lamp lit.', priority=2)\n"
        "    print(ava.set_goal(goal.id, state='done').state, [one.text for one in ava.goals()])\n"
        "    for number in range(3):\n"
        "        ava.push(f'Cake number {number}.')\n"
        "        ava.think()\n"
        "    made = ava.compact(keep_cycles=1)\n"
        "    print(made.action, made.through, made.tokens_after < made.tokens_before)\n"
        "    page = ava.view()\n"
        "    print(page.lower().startswith('<!doctype html>'), page.rstrip().endswith('</html>'))\n"
        "    for wrong in (dict(state='lost'), dict()):\n"
        "        try:\n"
        "            ava.set_goal(goal.id, **wrong)\n"
        "        except mindpipe.core.errors.UsageError as error:\n"
        "            print(error)\n"
    )
    ran = python(answering, program)
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == [
        "done ['Keep the lamp lit.']",
        "apply 3 True",
        "True True",
        '"lost" is no state of a goal; it is one of active, long-term, done, dropped.',
        "nothing to change; give a text, a state or a priority.",
    ]
    (window,) = answering("compact", "list", "--agent", "ava").records()
    assert window["through"] == 3


def test_a_key_makes_a_push_one_event(answering: Mind) -> None:
    program = (
        "import mindpipe\n"
        "with mindpipe.open_store(create=True) as store:\n"
        "    ava = store.new_agent('ava', max_turns=3)\n"
        "    first, second = (ava.push('x', key='k') for _ in range(2))\n"
        "    print(first.id == second.id, ava.settings.max_turns, ava.set(model=None).model)\n"
        "    print([one.name for one in store.agents()], ava.tickets())\n"
        "    print(ava.set(model='program:./answer').model, ava.settings.builtin_tools)\n"
    )
    chosen = Mind(answering.folder, {"MIND_AGENTS_TOOLS": "minimal"})
    ran = python(chosen, program)
    tools = ("send_message", "recall", "set_memory", "skip", "done")
    kept = f"program:{answering.folder}/answer {tools}"
    assert ran.stdout == f"True 3 None\n['ava'] []\n{kept}\n", ran.stderr


@pytest.mark.parametrize(
    ("line", "error", "status"),
    [
        ("open_store('absent.db')", "UnavailableError", 69),
        ("open_store(create=True).agent('eve')", "UsageError", 2),
        ("open_store(create=True).new_agent('ava', colour='red')", "UsageError", 2),
        ("open_store(create=True).new_agent('ava', model='banana')", "UsageError", 2),
        ("open_store(create=True).new_agent('ava').think()", "NothingToDoError", 3),
        ("open_store(5)", "UsageError", 2),
        ("open_store(create=True).agent(4)", "UsageError", 2),
        *(
            (f"open_store(create=True).new_agent('ava').{call}", "UsageError", 2)
            for call in (
                "push(3)",
                "push(None)",
                "push('x', source='')",
                "push('x', source=5)",
                "ask(None)",
                "ask('x', speaker=7)",
                "recall(5)",
                "recall('x', limit=0)",
                "think(model=3)",
                "history(cycle='x')",
            )
        ),
        ("open_store(create=True).new_agent('ava').history(cycle=9)", "UsageError", 2),
    ],
)
def test_what_a_command_ends_with_is_raised(
    answering: Mind, line: str, error: str, status: int
) -> None:
    program = (
        "import mindpipe\nfrom mindpipe.core.errors import MindError\n"
        f"try:\n    mindpipe.{line}\n"
        "except MindError as error:\n    print(type(error).__name__, int(error.status))\n"
    )
    ran = python(answering, program)
    assert ran.stdout == f"{error} {status}\n", ran.stderr


def test_dir_has_the_names_of_the_api(answering: Mind) -> None:
    shown = python(answering, "import mindpipe\nprint(*dir(mindpipe))").stdout.split()
    assert {"OpenAgent", "OpenStore", "open_store", "__version__"} <= set(shown)


def test_the_import_loads_nothing(answering: Mind) -> None:
    program = (
        "import sys; before = set(sys.modules); import mindpipe\n"
        "print(sorted(set(sys.modules) - before))\n"
    )
    assert python(answering, program).stdout == "['mindpipe']\n"


def test_the_plugin_of_the_page_passes_its_suite(mind: Mind) -> None:
    _, _, module = PLUGIN.partition("# mind_lamp.py\n")
    (mind.folder / "mind_lamp.py").write_text(module)
    mind.environment["PYTHONPATH"] = str(Path(mind.folder))
    apart = Mind(mind.folder, mind.environment, forked=False)
    found = apart("plugin", "check", "models", "mind_lamp:model", "any").records()
    assert [one for one in found if not one["passed"]] == []


CLOSED = """
import mindpipe
from mindpipe.core.errors import MindError

store = mindpipe.open_store("life.db", create=True)
ava = store.new_agent("ava")
store.close()
store.close()
asking = (store.agents, ava.tickets, ava.think, lambda: ava.push("Hi"), lambda: ava.recall("Hi"))
for one in (*asking, lambda: list(ava.history()), lambda: ava.ask("Hi"), lambda: ava.settings):
    try:
        print(one())
    except MindError as error:
        print(error)
"""


def test_a_store_that_was_closed_says_so(answering: Mind) -> None:
    ran = python(answering, CLOSED)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert set(ran.stdout.splitlines()) == {"life.db is closed; open it again."}


def test_the_library_has_its_version(answering: Mind) -> None:
    ran = python(answering, "import mindpipe\nprint(mindpipe.__version__)")
    assert ran.stdout == f"{VERSION}\n"


def test_what_is_remembered_is_believed_and_a_ticket_is_approved(answering: Mind) -> None:
    program = """
import mindpipe
from mindpipe.core.errors import MindError
with mindpipe.open_store("mind.db", create=True) as store:
    ava = store.new_agent("ava", model="program:./answer")
    ava.remember("I live in Bremen, near the harbour.", speaker="Jonas")
    print(len(ava.consolidate()), [one.summary for one in ava.beliefs()])
    ava.push("Hello")
    print([one.text for one in ava.inbox()], ava.plans())
    try:
        ava.approve("t_0", sha256="0" * 64)
    except MindError as error:
        print(int(error.status))
"""
    ran = python(answering, program)
    assert ran.stdout == "1 ['Jonas lives in Bremen.']\n['Hello'] []\n2\n", ran.stderr
