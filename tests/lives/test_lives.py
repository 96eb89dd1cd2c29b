import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from support.command import ROOT, clean_environment, forked_mind, make_private, mind_first

pytestmark = pytest.mark.heavy

DEMO = ROOT / "fixtures" / "demo"
FAMILY = ROOT / "fixtures" / "lives" / "family"


def ended(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command,
        cwd=folder,
        # As a reader has it: a new agent has the usual tools.
        env={
            **mind_first(forked_mind(), clean_environment(folder)),
            "TMPDIR": str(folder),
            "MIND_AGENTS_TOOLS": "chat",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path


class Lived(NamedTuple):
    """Where the script lived the life twice, and what it said."""

    folder: Path
    words: str


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    folder = make_private(tmp_path_factory.mktemp("lived"))
    done = ended(["sh", str(FAMILY / "live.sh"), str(folder / "life")], folder)
    return Lived(folder / "life", done.stdout)


def test_the_script_ends_with_the_same_history_over_store_and_files(lived: Lived) -> None:
    assert "both lives ended with the same history: " in lived.words
    rows = (lived.folder / "store.jsonl").read_text().splitlines()
    assert len(rows) == 21
    assert rows == (lived.folder / "files.jsonl").read_text().splitlines()


def test_the_makefile_ends_as_the_script_does(folder: Path, lived: Lived) -> None:
    makefile = str(FAMILY / "Makefile")
    ended(["make", "-s", "-f", makefile, f"OUT={folder / 'made'}", "same"], folder)
    made = (folder / "made" / "files.jsonl").read_bytes()
    assert made == (lived.folder / "files.jsonl").read_bytes()


REPLYING = """#!/usr/bin/env python3
import json, sys
asked = json.load(sys.stdin)["messages"]
said = [json.loads(line)["reply"]["parts"] for line in open("turns.jsonl")]
parts = said[sum(message["role"] == "assistant" for message in asked)]
calls = [{"name": one["tool"], "arguments": one["args"]} for one in parts if one["type"] == "call"]
words = "".join(one["text"] for one in parts if one["type"] == "text")
print(json.dumps({key: one for key, one in (("text", words), ("tool_calls", calls)) if one}))
"""


def record_the_demo(folder: Path) -> None:
    """Ask for the recorded replies again, so that their requests are those of today."""
    demo = folder / "demo"
    shutil.copytree(DEMO, demo)
    (demo / "answer").write_text(REPLYING)
    (demo / "answer").chmod(0o700)
    script = (demo / "run").read_text()
    script = script.replace('cp "$here/turns.jsonl" .', 'cp "$here/turns.jsonl" "$here/answer" .')
    script = script.replace("run think", f"run think --record {demo}/new --model program:./answer")
    (demo / "run").write_text(script)
    ended(["sh", str(demo / "run")], folder)
    shutil.copy(demo / "new", DEMO / "turns.jsonl")


def test_the_demo_tells_a_whole_life(folder: Path, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--populate"):
        record_the_demo(folder)
    told = ended(["sh", str(DEMO / "run")], folder).stdout
    for words in (
        "Hi Husam!",
        "Here is the report, Ahmad: revenue is up 4 %.",
        "Yes, I sent Ahmad the report.",
        "Told Husam that the report went to Ahmad.",
        "NOW: 2026-02-18T15:06:00Z",
        '"type":"tool_use"',
        '"tool_calls"',
        "ANTHROPIC_API_KEY",
        "\ncortisol_nmol_l  ▁",
        "07:45 food, 08:20 drug",
        "Your body is highly activated — heart pounding, alert, on edge.",
        "You feel lonely. You miss being around people.",
        "Now it is the task at the board, and I take it line by line.",
        "After “they have chosen somebody else” the mood fell sharply from good to very low",
    ):
        assert words in told
