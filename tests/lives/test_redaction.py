"""Secrets do not come into a life, by whichever door, and what is sent is what is kept."""

import contextlib
import gzip
import json
import zlib
from base64 import b64decode

import pytest

from support.command import Mind

KNOWN = "known-7f2c-own-secret"
ISSUED = "glpat-0123456789abcdefWXYZ"
SAID = f"Use {KNOWN}, or else {ISSUED}."
CLEAN = "Use [redacted], or else [redacted]."
CLAUDE_CODE = {
    "type": "user",
    "uuid": "5f0b2a55-1111-4222-8333-944455556666",
    "parentUuid": None,
    "sessionId": "5f0b2a55-aaaa-4bbb-8ccc-dddd55556666",
    "timestamp": "2026-11-20T10:00:00.000Z",
    "message": {"role": "user", "content": SAID},
}
MODEL = """#!/usr/bin/env python3
import json, pathlib, sys
asked = sys.stdin.read()
with pathlib.Path("asked.jsonl").open("a") as file:
    file.write(asked)
said = "Use known-7f2c-own-secret."
if "tool" in [one["role"] for one in json.loads(asked)["messages"]]:
    print(json.dumps({"text": said}))
else:
    print(json.dumps({"tool_calls": [{"name": "look", "arguments": {"at": said}}]}))
"""
TOOL = """#!/bin/sh
cat
echo " known-7f2c-own-secret glpat-0123456789abcdefWXYZ"
"""


def written(mind: Mind, name: str, text: str) -> str:
    """Write a program or a file, and return its name."""
    path = mind.folder / name
    path.write_text(text)
    path.chmod(0o700)
    return f"./{name}"


def octets(mind: Mind) -> bytes:
    """Return the store, and all that its life file holds, what is packed in it unpacked."""
    mind("life", "export", "ava", "--output", "ava.life")
    found = gzip.decompress((mind.folder / "ava.life").read_bytes())
    rows = [json.loads(line) for line in found.splitlines() if line.startswith(b"[")]
    for cell in (cell for row in rows for cell in row if isinstance(cell, str)):
        with contextlib.suppress(ValueError):
            found += (inner := b64decode(cell, validate=True))
            with contextlib.suppress(zlib.error):
                found += zlib.decompress(inner)
    return found + (mind.folder / "mind.db").read_bytes()


@pytest.mark.heavy
def test_no_door_lets_a_secret_into_a_life(mind: Mind) -> None:
    model, tool = written(mind, "model", MODEL), written(mind, "look", TOOL)
    manifest = {"name": "look", "description": "Look.", "command": [tool], "effect": "pure"}
    schema = {"type": "object", "properties": {"at": {"type": "string"}}}
    written(mind, "look.json", json.dumps({**manifest, "input_schema": schema}))
    written(mind, "note.txt", SAID)
    mind.environment["OWN_API_KEY"] = KNOWN
    mind("init", "--agent", "ava")
    mind("agent", "set", "ava", "--tool", "look.json", "--model", f"program:{model}")
    mind("space", "new", "home")
    mind("space", "join", "home", "jo", "--kind", "human")
    mind("space", "join", "home", "ava")
    doors = [
        mind(
            "inbox", "push", "--agent", "ava", stdin=json.dumps({"text": SAID, "body": {"a": SAID}})
        ),
        mind("inbox", "push", "--agent", "ava", stdin=b'{"text":"%s\xff"}' % SAID.encode()),
        mind("inbox", "push", "--agent", "ava", "--text", "A file.", "--attach", "note.txt"),
        mind("space", "post", "home", "--as", "jo", SAID),
        mind("memory", "add", "--agent", "ava", stdin=json.dumps({"text": SAID})),
        mind("agent", "set", "ava", "--instructions", SAID),
        mind("agent", "new", "eva", "--instructions", SAID),
        mind("note", "set", "--agent", "ava", "k", SAID),
        mind("goal", "add", "--agent", "ava", SAID),
        mind("plan", "add", "--agent", "ava", SAID, SAID, "--after", "2h"),
        mind("lesson", "add", "--agent", "ava", stdin=json.dumps({"text": SAID})),
        mind(
            "history",
            "import",
            "--agent",
            "ava",
            "--format",
            "claude-code",
            stdin=json.dumps(CLAUDE_CODE),
        ),
        mind("think", "--agent", "ava"),
    ]
    for one in doors:
        assert "[redacted] stands for it" in one.words
        assert KNOWN not in one.text
    found = octets(mind)
    assert KNOWN.encode() not in found
    assert ISSUED.encode() not in found
    asked = (mind.folder / "asked.jsonl").read_text()
    assert CLEAN in asked
    assert KNOWN not in asked
    replayed = mind("life", "replay", "ava.life")
    assert json.loads(replayed.text)["equal"] is True
    assert not mind("life", "verify", "ava.life").words


def test_the_same_event_under_a_key_is_one_with_its_secret_taken_out(mind: Mind) -> None:
    mind.environment["OWN_API_KEY"] = KNOWN
    mind("init", "--agent", "ava")
    push = ("inbox", "push", "--agent", "ava", "--key", "k", "--text", SAID)
    assert not json.loads(mind(*push).text).get("duplicate")
    assert json.loads(mind(*push).text)["duplicate"]


@pytest.mark.parametrize("value", ["ollama", "no-key-required", "/run/secrets/key-0123456789"])
def test_what_a_variable_holds_that_is_no_secret_stays(mind: Mind, value: str) -> None:
    mind.environment["LOCAL_API_KEY"] = value
    mind("init", "--agent", "ava")
    mind("inbox", "push", "--agent", "ava", "--text", f"We run it with {value} here.")
    assert value in mind("inbox", "list", "--agent", "ava").text


def test_what_a_model_lets_a_person_think_has_no_secret_in_it(mind: Mind) -> None:
    model = written(mind, "voice", f'#!/bin/sh\necho \'{{"text": "My key is {ISSUED}."}}\'\n')
    mind("init")
    mind("simulate", "new", "--store", "mind.db", "--name", "Mara")
    mind("simulate", "run", "--store", "mind.db", "--until", "2h", "--model", f"program:{model}")
    store = (mind.folder / "mind.db").read_bytes()
    assert b"My key is [redacted]." in store
    assert ISSUED.encode() not in store
