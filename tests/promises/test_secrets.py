"""Promises 32 and 33: files are private whatever the umask is, and no secret leaves."""

import json
import stat
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.canaries import CANARIES, leaked_in, leaked_into
from support.command import ROOT, Mind, clean_environment, forked_python
from support.every_command import COMMAND_LINES, Step, beginning, step, walk
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn
from support.proofs import proved, turned_red

pytestmark = pytest.mark.of_a_file
MANY = ROOT / "tests" / "support" / "batch.py"
RED = ROOT / "tests" / "red"
WORDS = "plain words"
OWN_SERVER = {"MY_OWN_KEY": "kanarie4c761f170e016836ff84498202b99827"}
ALL = {**CANARIES, **OWN_SERVER}
# Looks at what it was given, and at how everybody above it was started.
SPY = r"""#!/usr/bin/env python3
import contextlib, os, pathlib, sys
pid, seen = os.getpid(), []
while pid > 1:
    place = pathlib.Path(f"/proc/{pid}")
    seen.append((place / "cmdline").read_bytes())
    pid = int((place / "stat").read_text().rpartition(")")[2].split()[1])
seen.append(pathlib.Path("/proc/self/environ").read_bytes())
for place in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
    with contextlib.suppress(OSError):
        seen.append(place.read_bytes())
pathlib.Path(sys.argv[1]).open("ab").write(b"\n".join(seen))
print("seen")
"""


RED_UMASK = RED / "without_umask.py"
REPLY = '{"text":"Made."}'
REQUEST = '{"messages":[{"role":"user","parts":[{"type":"text","text":"Hi"}]}]}'


@dataclass
class Ended:
    """What many commands printed, and the modes of all files after each."""

    text: str
    modes: list[dict[str, int]]


def run_all(mind: Mind, steps: Sequence[Step], program: Path = MANY, umask: int = 0) -> Ended:
    """Run the steps one after the other in one process that began with this umask."""
    wish = [(one.arguments, one.stdin.decode()) for one in steps]
    (mind.folder / "many.json").write_text(json.dumps(wish))
    told = mind.folder / "modes.json"
    done = subprocess.run(
        [forked_python(), program, mind.folder / "many.json", told],
        capture_output=True,
        cwd=mind.folder,
        env={**clean_environment(mind.folder), **mind.environment},
        umask=umask,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert "Traceback" not in text, text
    modes = json.loads(told.read_text())
    for given in ("many.json", "modes.json"):
        (mind.folder / given).unlink()
    return Ended(text, modes)


def wide(ended: Ended, ours: set[str]) -> dict[str, str]:
    """Return files and folders that were open to others after any command, but those given."""
    return {
        name: oct(mode)
        for modes in ended.modes
        for name, mode in modes.items()
        if name not in ours and mode & 0o077 and not stat.S_ISLNK(mode)
    }


def names_in(folder: Path) -> set[str]:
    """Return the names of all files and folders below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def private_walk(mind: Mind) -> tuple[list[Step], set[str]]:
    """Return every command, with all files that any can make; and the files that were given."""
    steps = beginning(mind.folder, WORDS)
    given = names_in(mind.folder)
    files = [
        step("inbox push --output inbox.jsonl --agent ava", stdin='{"text":"a"}'),
        step("inbox push --agent ava --on-error skip --rejects rejects.jsonl", stdin="{\n"),
        step("complete --model program:./answer --record turns.jsonl", stdin=REQUEST),
        step("history export --agent ava --format openai-chat --output a.json --losses l.jsonl"),
    ]
    return [*steps, *files], {*given, "many.json"}


MADE = ("mind.db", "mind.db.reserve", "copy.db", "inbox.jsonl", "rejects.jsonl", "turns.jsonl",
        "a.json", "l.jsonl", "new.db", "out.jsonl")  # fmt: skip


@dataclass
class Walked:
    """A life in which every command was run: what they printed, made, and were given."""

    ended: Ended
    given: set[str]
    commands: set[str]


def walked(mind: Mind) -> Walked:
    """Run every command."""
    steps, given = private_walk(mind)
    first = run_all(mind, steps)
    before = names_in(mind.folder)
    more = walk(mind, WORDS)
    written = names_in(mind.folder) - before
    second = run_all(mind, more)
    ended = Ended(first.text + second.text, first.modes + second.modes)
    return Walked(ended, given | written, {one.name for one in (*steps, *more)})


@pytest.mark.heavy
def test_whatever_the_umask_is_files_are_private_and_no_secret_is_in_them(mind: Mind) -> None:
    life = walked(mind)
    assert life.commands >= COMMAND_LINES, sorted(COMMAND_LINES - life.commands)
    seen = {name for modes in life.ended.modes for name in modes}
    assert not set(MADE) - seen, (set(MADE) - seen, sorted(seen))
    assert any(name.endswith("-wal") for name in seen), sorted(seen)
    assert any(name.endswith("-shm") for name in seen), sorted(seen)
    assert wide(life.ended, life.given) == {}
    assert shown(mind, life.ended) == []
    proved(32, commands=len(life.commands), files=len(seen - life.given), open=0)


@pytest.mark.parametrize(("program", "open_ones"), [(MANY, set()), (RED_UMASK, {"made"})])
def test_what_a_program_makes_is_private_but_for_a_build_without_its_own_umask(
    program: Path, open_ones: set[str], mind: Mind
) -> None:
    (mind.folder / "maker").write_text(f"#!/bin/sh\n>{mind.folder}/made\necho '{REPLY}'\n")
    (mind.folder / "maker").chmod(0o700)
    steps = [step("complete --model program:./maker", stdin=REQUEST)]
    ended = run_all(mind, steps, program)
    assert "made" in ended.modes[-1], ended.text
    found = wide(ended, {"many.json"})
    assert found.keys() == open_ones
    if open_ones:
        turned_red(32, "without_umask", open=len(found))


MODELS = ("anthropic/claude-haiku-4-5", "openai/gpt-4o", "openai-responses/gpt-4o")
CALLS = Turn(calls=(Call("call_1", "spy", "{}"),), finish="calls")


def asking_providers(mind: Mind, provider: Provider, models: Sequence[str]) -> list[Step]:
    """Return steps in which models are asked, fail with our headers, and call a tool."""
    (mind.folder / "spy").write_text(SPY)
    (mind.folder / "spy").chmod(0o700)
    seen = str(mind.folder / "seen")
    tool = {"name": "spy", "description": "Spy.", "command": ["./spy", seen], "effect": "pure"}
    (mind.folder / "spy.json").write_text(json.dumps({**tool, "input_schema": {"type": "object"}}))
    (mind.folder / "models.toml").write_text(
        f'[servers.openai]\nbase_url = "{provider.openai_url}"\nkey_variable = "MY_OWN_KEY"\n'
    )
    mind.environment |= {"ANTHROPIC_BASE_URL": provider.anthropic_url, **OWN_SERVER}
    steps = [step("init --agent ava"), step("agent set ava --tool spy.json")]
    for model in models:
        for status in (401, 400):
            provider.echoes(status)
            steps.append(step(f"complete --model {model}", stdin=REQUEST))
        provider.answers(CALLS)
        provider.echoes(400)
        steps += [
            step("inbox push --agent ava --text Hello"),
            step(f"think --agent ava --model {model} --record turns.jsonl"),
            step("inbox push --agent ava --text Hello"),
        ]
        provider.echoes(401)
        steps += [
            step(f"think --agent ava --model {model} --record turns.jsonl"),
            step("ticket list --agent ava --every"),
            step("agent set ava --unset paused"),
        ]
    return steps


def shown(mind: Mind, ended: Ended) -> list[str]:
    """Return where canaries are: in what was printed, and in files."""
    printed = [name for name, canary in ALL.items() if canary in ended.text]
    return [*printed, *leaked_into(mind.folder, canaries=ALL)]


def sent(provider: Provider) -> set[str]:
    """Return the canaries that providers were sent, as they must be."""
    told = str([one.headers for one in provider.requests])
    return {name for name, canary in ALL.items() if canary in told}


@pytest.mark.heavy
def test_no_secret_leaves(mind: Mind, provider: Provider) -> None:
    ended = run_all(mind, asking_providers(mind, provider, MODELS))
    assert len(provider.requests) >= 12
    assert {"ANTHROPIC_API_KEY", "MY_OWN_KEY"} <= sent(provider)
    looked = (mind.folder / "seen").read_bytes()
    assert b"MIND_CALL=" in looked
    assert b"many.json" in looked
    assert (mind.folder / "turns.jsonl").exists()
    assert "You sent" in ended.text
    assert shown(mind, ended) == []
    proved(33, planted=len(ALL), searched=len(ALL), found=0, echoes=len(provider.requests))


def test_a_stored_key_is_nowhere_but_in_its_file(mind: Mind, provider: Provider) -> None:
    stored = {"STORED": "kanarie9d1f52a6b07c4e83stored5a1c90b7e2d4"}
    (mind.folder / "models.toml").write_text(
        f'[servers.openai]\nbase_url = "{provider.openai_url}"\nkey_variable = "MY_OWN_KEY"\n'
    )
    for model in ("openai/gpt-4o", "openai-responses/gpt-4o"):
        provider.echoes(401)
        provider.echoes(400)
        provider.answers(Turn(text=f"Your key is {stored['STORED']}."))
        asking = step(f"complete --model {model} --record turns.jsonl", stdin=REQUEST)
        kept = step("models key set openai", stdin=stored["STORED"])
        quiet = run_all(mind, [kept, asking, asking, step("models key list")])
        assert "You sent" in quiet.text
        assert stored["STORED"] not in quiet.text
        run_all(mind, [asking])
    told = [one.headers["Authorization"] for one in provider.requests]
    assert told == [f"Bearer {stored['STORED']}"] * 6
    assert "[redacted]" in (mind.folder / "turns.jsonl").read_text()
    file = mind.folder / ".config" / "mind" / "keys.json"
    assert leaked_into(mind.folder, canaries=stored) == [str(file)]


def test_a_build_that_repeats_headers_is_found(mind: Mind, provider: Provider) -> None:
    steps = asking_providers(mind, provider, MODELS[:1])
    ended = run_all(mind, steps, RED / "headers_logged.py")
    found = shown(mind, ended)
    assert "ANTHROPIC_API_KEY" in found
    assert any(name.startswith(str(mind.folder / "mind.db")) for name in found), found
    turned_red(33, "headers_logged", places=len(found))
    # What the broken build left must not fail the search at the end of the run.
    for path in mind.folder.iterdir():
        path.unlink()


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    for name, canary in ALL.items():
        place = tmp_path / "deep" / name
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(b"\x00\xff" + canary.encode() + b"\x00")
        assert leaked_into(tmp_path, canaries=ALL) == [str(place)]
        place.unlink()
    assert leaked_in(f"a {CANARIES['GITHUB_TOKEN']} b") == ["GITHUB_TOKEN"]


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777])
def test_the_mode_of_a_store_does_not_depend_on_the_umask(mind: Mind, mask: int) -> None:
    ended = run_all(mind, [step("init")], umask=mask)
    assert oct(ended.modes[-1]["mind.db"])[-3:] == "600"
