"""What a real tool is given, and what becomes of its output, its placeholders and its sandbox."""

import contextlib
import json
import os
import subprocess
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mindpipe.io.sandbox import bubblewrap
from support.command import Mind
from support.processes import Nursery

ANSWER = """#!/usr/bin/env python3
import json, pathlib, sys
if json.load(sys.stdin)["messages"][-1]["role"] == "tool":
    print(json.dumps({"text": "Done."}))
else:
    print(pathlib.Path("wish").read_text())
"""
TELL = """#!/usr/bin/env python3
import json, os, resource, stat, sys
kinds = ("CORE", "CPU", "FSIZE", "NOFILE")
told = {
    "argv": sys.argv[1:],
    "stdin": json.load(sys.stdin),
    "environment": dict(os.environ),
    "folder": os.getcwd(),
    "mode": oct(stat.S_IMODE(os.stat(".").st_mode)),
    "limits": [resource.getrlimit(getattr(resource, f"RLIMIT_{kind}"))[0] for kind in kinds],
}
with open(os.environ["OUT"], "a") as out:
    out.write(json.dumps(told) + "\\n")
print(json.dumps({"outcome": "done", "output": "It was told."}))
"""
SCHEMA = {
    "type": "object",
    "required": ["town", "days"],
    "properties": {"town": {"type": "string"}, "days": {"type": "integer"}},
}
TOOL = {
    "name": "tell",
    "description": "Tell what it is given.",
    "command": ["./tell", "{town}", "in {place}", "{days}"],
    "input_schema": SCHEMA,
    "environment": ["OUT", "GREETING", "MISTRAL_API_KEY"],
    "cpu_seconds": 7,
    "memory_bytes": 1 << 29,
    "file_bytes": 1 << 20,
    "open_files": 99,
}
OURS = {
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "IDEMPOTENCY_KEY",
    "MIND_FENCE",
    "MIND_KEPT",
    "MIND_AGENT",
    "MIND_CALL",
}
# So short that it is soon over once its worker has died.
LEASE = "0.05"
TEMPORARY = 75
KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "MISTRAL_API_KEY")


class Place:
    """An agent with one tool, whose model makes the calls that are wished for."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.folder = mind.folder
        self.environment = {
            "OUT": str(self.folder / "out"),
            "GREETING": "hello",
            "MIND_INBOX_LEASE_SECONDS": LEASE,
            "TMPDIR": str(self.folder / "tmp"),
            **dict.fromkeys(KEYS, "sk-canary-0123456789"),
        }
        (self.folder / "tmp").mkdir()
        self.program("answer", ANSWER)
        self.program("tell", TELL)
        mind("init", "--agent", "ava")

    def program(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o700)

    def give(self, **fields: Any) -> None:
        """Give the agent its tool, with some fields changed."""
        (self.folder / "tool.json").write_text(json.dumps({**TOOL, **fields}))
        self.mind("agent", "set", "ava", "--tool", "tool.json")

    def wish(self, **arguments: object) -> None:
        """Have an event for which the model will call the tool with these arguments."""
        wish = {"tool_calls": [{"name": "tell", "arguments": arguments}]}
        (self.folder / "wish").write_text(json.dumps(wish))
        self.mind("inbox", "push", "--agent", "ava", "--text", "Go on.")

    def think(self, *, fail: str = "", **arguments: object) -> int:
        """Let the model call the tool with these arguments; return the status of the cycle."""
        self.wish(**arguments)
        return self.resume(self.mind.failing(fail) if fail else {})

    def resume(self, more: Mapping[str, str] = {}) -> int:
        """Let a worker think; return its status."""
        think = ("think", "--agent", "ava", "--model", "program:./answer")
        ran = self.mind.run(*think, environment={**self.environment, **more})
        while ran.status == TEMPORARY and "another worker" in ran.words:
            ran = self.mind.run(*think, environment={**self.environment, **more})
        assert ran.status <= 0, ran
        return ran.status

    def told(self) -> list[dict[str, Any]]:
        """Return what the tool was given, one entry a run."""
        out = self.folder / "out"
        return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []

    def results(self) -> list[dict[str, Any]]:
        """Return the results in history."""
        messages = self.mind("history", "show", "--agent", "ava").records()
        return [part for one in messages if one["role"] == "tool" for part in one["parts"]]


@pytest.fixture
def place(mind: Mind) -> Place:
    return Place(mind)


def test_a_tool_is_given_what_its_manifest_says_and_nothing_else(place: Place) -> None:
    (place.folder / "models.toml").write_text(
        '[servers.mistral]\nbase_url = "http://127.0.0.1:9"\n'
    )
    place.give()
    assert place.think(town="Köln; rm -rf / $HOME", days=3) == 0
    (told,) = place.told()
    assert told["argv"] == ["Köln; rm -rf / $HOME", "in {place}", "3"]
    assert told["stdin"] == {"town": "Köln; rm -rf / $HOME", "days": 3}
    environment = told["environment"]
    assert set(environment) - {"LC_CTYPE"} == OURS | {"OUT", "GREETING"}
    assert environment["PATH"] == "/usr/local/bin:/usr/bin:/bin"
    assert (environment["LANG"], environment["MIND_AGENT"]) == ("C.UTF-8", "ava")
    assert environment["HOME"] == environment["TMPDIR"] == told["folder"]
    assert Path(told["folder"]).parent == place.folder / "tmp"
    assert told["mode"] == "0o700"
    assert told["limits"] == [0, 7, 1 << 20, 99]
    assert list((place.folder / "tmp").iterdir()) == []


@pytest.mark.heavy
def test_a_tool_that_takes_too_much_memory_is_ended_and_the_answer_says_why(place: Place) -> None:
    place.program("tell", "#!/usr/bin/env python3\nkept = [b'x' * (1 << 30)]\ninput()\n")
    place.give(effect="pure", memory_bytes=64 << 20)
    assert place.think(town="Rome", days=1) == 0
    (result,) = place.results()
    assert result["status"] == "error"
    assert result["text"] == (
        "ended: it took more memory than its manifest's memory_bytes, 67108864"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"town": "-rf", "days": 1}, "$.town: may not begin with -"),
        ({"town": "a\x00b", "days": 1}, "they hold a value that cannot be kept"),
        ({"town": "Rome", "days": -1}, "$.days: may not begin with -"),
        ({"town": "Rome"}, "'days' is a required property"),
    ],
)
def test_an_argument_that_may_not_stand_in_a_command_is_told_and_nothing_runs(
    place: Place, arguments: dict[str, object], words: str
) -> None:
    place.give(command=["./tell", "{town}"], verify=["./tell", "{days}"])
    assert place.think(**arguments) == 0
    (result,) = place.results()
    assert (result["status"], place.told()) == ("invalid", [])
    assert words in result["text"]


@pytest.mark.heavy
def test_verify_is_given_the_same_key_the_same_arguments_and_the_same_words(place: Place) -> None:
    place.give(command=["./tell", "run", "{town}"], verify=["./tell", "verify", "{town}"])
    assert place.think(fail="act.after_effect:kill", town="Rome", days=2) == -9
    assert place.resume() == 0
    ran, verified = place.told()
    assert (ran["argv"], verified["argv"]) == (["run", "Rome"], ["verify", "Rome"])
    assert ran["stdin"] == verified["stdin"] == {"town": "Rome", "days": 2}
    for name in ("IDEMPOTENCY_KEY", "MIND_CALL", "MIND_AGENT"):
        assert ran["environment"][name] == verified["environment"][name]
    assert ran["environment"]["MIND_FENCE"] < verified["environment"]["MIND_FENCE"]
    (result,) = place.results()
    assert (result["status"], result["text"]) == ("ok", "It was told.")


def test_output_that_is_no_text_is_cleaned_and_its_octets_are_kept(place: Place) -> None:
    place.program("tell", "#!/bin/sh\nprintf 'caf\\351 \\033[2J'\n")
    place.give()
    assert place.think(town="Rome", days=1) == 0
    (result,) = place.results()
    assert result["text"] == "caf\ufffd \x1b[2J [not text: cleaned]"
    assert b64decode(result["json"]["base64"]) == b"caf\xe9 \x1b[2J"


@pytest.mark.heavy
def test_output_that_is_cut_inside_a_character_is_still_text(place: Place) -> None:
    place.program("tell", "#!/bin/sh\nprintf 'a\\303\\251\\303\\251'\n")
    place.give(output_bytes=4)
    assert place.think(town="Rome", days=1) == 0
    (result,) = place.results()
    assert (result["text"], result.get("json")) == ("aé [cut: too long]", None)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)")
def test_a_tool_that_asks_for_a_missing_sandbox_does_not_run(place: Place) -> None:
    place.give(sandbox="bubblewrap")
    place.wish(town="Rome", days=1)
    with contextlib.closing(Nursery(place.folder, "support.no_sandbox")) as nursery:
        nursery.run("think", "--agent", "ava", "--model", "program:./answer")
    (result,) = place.results()
    assert (result["status"], place.told()) == ("error", [])
    assert "asks for a sandbox and bubblewrap is not installed" in result["text"]


def shuts_in() -> bool:
    """Tell whether bubblewrap is there and may do what it does; in most containers it may not."""
    program = bubblewrap()
    call = [str(program), "--unshare-all", "--ro-bind", "/", "/", "true"]
    return bool(program) and subprocess.run(call, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not shuts_in(), reason="bubblewrap is not installed, or may not shut in here")
def test_a_tool_in_a_sandbox_sees_its_own_folder_only(place: Place) -> None:
    place.program("tell", f"#!/bin/sh\nls {place.folder} /sys/class/net; ls -a .; touch /usr/x\n")
    place.give(sandbox="bubblewrap")
    assert place.think(town="Rome", days=1) == 0
    (result,) = place.results()
    assert "mind.db" not in result["text"]
    assert "Read-only file system" in result["text"]
