"""Whatever names the agents, spaces and tasks of a life have, it takes them in one order."""

import json

import pytest

from support.command import Mind

MODEL = """#!/bin/sh
cat > /dev/null
if [ -e said ]; then echo '{"text": "Done."}'; exit; fi
touch said
cat <<'END'
%s
END
"""
NAMES = (("mia", "abe", "zed"), ("zed", "mia", "abe"), ("abe", "zed", "mia"))


def turn(first: str, second: str) -> str:
    """Return a turn that speaks in two spaces, in one of them waiting, and asks both for help."""
    calls = (
        ("send_message", {"space": f"with-{first}", "text": "Hello."}),
        ("send_message", {"space": f"with-{second}", "text": "Hello?", "wait": True}),
        ("delegate", {"to": first, "text": "Add it up."}),
        ("delegate", {"to": second, "text": "Add it up."}),
    )
    named = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return json.dumps({"tool_calls": named})


@pytest.mark.parametrize(("who", "first", "second"), NAMES)
def test_a_turn_speaks_to_and_asks_whom_it_will(
    mind: Mind, who: str, first: str, second: str
) -> None:
    (mind.folder / "answer").write_text(MODEL % turn(first, second))
    (mind.folder / "answer").chmod(0o700)
    mind("init", "--agent", who)
    mind("agent", "set", who, "--model", "program:./answer")
    for name in (first, second):
        mind("agent", "new", name)
        mind("space", "new", f"with-{name}")
        for one in (who, name):
            mind("space", "join", f"with-{name}", one)
    lines = [json.dumps({"agent": name, "text": "Good morning."}) for name in (second, who, first)]
    mind("inbox", "push", stdin="\n".join(lines))
    assert mind("think", "--agent", who).record()["outcome"] == "done"
    mind("act", "--agent", who)
    for name in (first, second):
        heard = mind("inbox", "list", "--agent", name).records()
        assert [one["source"] for one in heard] == ["operator", f"space:with-{name}", "task"]
    for task in mind("task", "list", "--agent", who).records():
        mind("task", "report", task["id"], "--result", "42")
    mind("space", "post", f"with-{second}", "Hello!", "--as", second)
    told = mind("inbox", "list", "--agent", who).records()
    assert sorted(one["source"] for one in told) == sorted(
        ["task", "task", f"space:with-{second}", "wait"]
    )
