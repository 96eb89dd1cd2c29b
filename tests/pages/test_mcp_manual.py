"""What mind-mcp(7) shows can be used as it stands: its JSON blocks, its hooks, its commands."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from mindpipe_cli.manual.mcp_manual import ANY, HOOKS, HTTP, STDIO
from support.command import ROOT, Mind, make_private, mind_first

MANUAL = (ROOT / "man" / "mind-mcp.7").read_text()
MESSAGE = {"role": "user", "content": "My sister Mia plays the cello."}
TURN = {"type": "user", "uuid": "u1", "timestamp": "2026-05-01T09:00:00Z", "message": MESSAGE}


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    mind = Mind(make_private(tmp_path / "life"))
    mind("init", "--agent", "ava")
    return mind


def test_the_blocks_of_the_page_are_those_that_are_tried() -> None:
    plain = MANUAL.replace("\\-", "-").replace("\\(dq", '"')
    for block in (STDIO, HTTP, HOOKS):
        first = json.dumps(json.loads(block))[2:10]
        assert first in plain


def test_what_an_mcp_json_starts_serves(mind: Mind) -> None:
    (server,) = json.loads(STDIO)["mcpServers"].values()
    (mind.folder / "mind.db").rename(mind.folder / "other.db")
    where = {name: str(mind.folder / "other.db") for name in server["env"]}
    hello = {"capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    asked = {"protocolVersion": "2025-06-18", **hello}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked})
    done = subprocess.run(
        [mind.program.parent / server["command"], *server["args"]],
        input=line.encode() + b"\n",
        capture_output=True,
        env={**mind_first(mind.program, mind._environment(None)), **where},
        cwd=mind.folder,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "mindpipe"


def test_hooks_keep_a_session_and_recall_it_before_a_prompt(mind: Mind) -> None:
    hooks = {name: found[0]["hooks"][0] for name, found in json.loads(HOOKS)["hooks"].items()}
    transcript = mind.folder / "session.jsonl"
    transcript.write_text(json.dumps(TURN) + "\n")
    ended = json.dumps({"hook_event_name": "SessionEnd", "transcript_path": str(transcript)})
    asked = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": "What does Mia play?"})
    # HOME is the folder, so that ~/mind.db is its store.
    assert mind.shell(hooks["UserPromptSubmit"]["command"], stdin=asked.encode()).text == ""
    for _ in range(2):
        mind.shell(hooks["SessionEnd"]["command"], stdin=ended.encode())
    assert len(mind("history", "show", "--agent", "ava", "--json").records()) == 2
    told = mind.shell(hooks["UserPromptSubmit"]["command"], stdin=asked.encode()).text
    assert '"My sister Mia plays the cello." (message, user' in told


def test_any_program_does_the_same(mind: Mind) -> None:
    (mind.folder / "session.jsonl").write_text(json.dumps(MESSAGE) + "\n")
    recall, keep = ANY.splitlines()
    kept = mind.shell(keep)
    assert kept.status == 0, kept.words
    told = mind.shell(re.sub('"[^"]*"', '"the cello"', recall, count=1))
    assert "plays the cello" in told.text
