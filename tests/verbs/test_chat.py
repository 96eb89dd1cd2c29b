"""Somebody talks with an agent on a terminal: several lines, an answer that is stopped, history."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.command import BIN, Mind, clean_environment, make_private
from support.patience import LONGEST, until
from support.terminals import Reading, Typing, typing_at

pytestmark = pytest.mark.heavy

ANSWER = """#!/usr/bin/env python3
import json, pathlib, sys, time
messages = json.load(sys.stdin)["messages"]
asked = messages[-1]
if asked["role"] == "tool":
    print(json.dumps({"text": "Done."}))
    sys.exit()
text = str([one for one in messages if one["cycle"] == asked["cycle"]])
if "quince" in text and "medlar" not in text:
    pathlib.Path("MARKER").touch()
    time.sleep(3600)
heard = [word for word in ("quince", "medlar", "plum", "damson") if word in text]
print(json.dumps({"tool_calls": [
    {"name": "send_message", "arguments": {"text": "heard " + " ".join(heard)}}
]}))
"""


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    folder = make_private(tmp_path / "life")
    program = folder / "answer"
    program.write_text(ANSWER.replace("MARKER", str(tmp_path / "asked")))
    program.chmod(0o700)
    return Mind(folder)


VOICE = """#!/usr/bin/env python3
import json, pathlib, sys, time
if "quince" in sys.stdin.read():
    pathlib.Path("MARKER").touch()
    time.sleep(3600)
print(json.dumps({"text": "I hear."}))
"""


@contextmanager
def chat(mind: Mind, *options: str) -> Iterator[tuple[Typing, Reading]]:
    """Begin a conversation on a terminal; yield who types there, and what it shows."""
    environment = {**clean_environment(mind.folder), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    line = [str(BIN / "mind"), "chat", "--as", "husam", *options]
    with typing_at(line, mind.folder, environment) as typing:
        yield typing, Reading(os.dup(typing.keyboard))


def test_turns_are_said_in_a_space_and_an_answer_can_be_stopped(mind: Mind, tmp_path: Path) -> None:
    with chat(mind, "--model", "program:./answer") as (typing, shown):
        until(lambda: b"husam>" in shown.octets, "the prompt")
        typing.types("plum\x1b\rdamson\r")
        until(lambda: b"heard plum damson" in shown.octets, "the first answer")
        typing.types("quince\r")
        until((tmp_path / "asked").exists, "the second question at the model")
        typing.types("\x03")
        until(lambda: b"stopped." in shown.octets, "the end of the second answer")
        typing.types("medlar\r")
        until(lambda: b"heard quince medlar" in shown.octets, "the third answer")
        typing.types("/quit\r")
        assert typing.process.wait(LONGEST) == 0
    posts = list(map(json.loads, mind("space", "read", "mind-husam").text.splitlines()))
    assert [(post["sender"], post["text"]) for post in posts] == [
        ("husam", "plum\ndamson"),
        ("mind", "heard plum damson"),
        ("husam", "quince"),
        ("husam", "medlar"),
        ("mind", "heard quince medlar"),
    ]
    kept = (mind.folder / ".local" / "state" / "mindpipe" / "chat_history").read_text()
    assert "+plum" in kept
    assert "+damson" in kept


def test_an_answer_of_a_person_can_be_stopped(mind: Mind, tmp_path: Path) -> None:
    voice = mind.folder / "voice"
    voice.write_text(VOICE.replace("MARKER", str(tmp_path / "asked")))
    voice.chmod(0o700)
    mind("init")
    mind("simulate", "new", "--name", "Mara", "--store", "mind.db")
    options = ("--person", "mara", "--model", "program:./voice")
    with chat(mind, *options) as (typing, shown):
        until(lambda: b"husam>" in shown.octets, "the prompt")
        typing.types("quince\r")
        until((tmp_path / "asked").exists, "what was said at the model")
        typing.types("\x03")
        until(lambda: b"stopped." in shown.octets, "the end of the first answer")
        typing.types("/help\r")
        until(lambda: b"Alt-Enter" in shown.octets, "the help")
        typing.types("medlar\r")
        until(lambda: b"Mara: I hear." in shown.octets, "the second answer")
        typing.types("/quit\r")
        assert typing.process.wait(LONGEST) == 0


def test_tab_completes_commands_their_values_and_files(mind: Mind) -> None:
    mind("init")
    mind("agent", "new", "rosalind", "--model", "program:./answer")
    mind("space", "new", "greenhouse")
    (mind.folder / "photograph.txt").write_text("Here.")
    with chat(mind, "--agent", "rosalind") as (typing, shown):
        until(lambda: b"husam>" in shown.octets, "the prompt")
        # One thing alone fits each, so that it is put in at once.
        for begun, rest, then, end in (
            ("/attach photo", b"graph.txt", "\r", b"[file photograph.txt"),
            ("/space members green", b"house", " --csv\r", b"name,title,kind"),
        ):
            typing.types(f"{begun}\t")
            until(lambda rest=rest: rest in shown.octets, "what was completed")
            typing.types(then)
            until(lambda end=end: end in shown.octets, "what came of it")
        typing.types("/quit\r")
        assert typing.process.wait(LONGEST) == 0
