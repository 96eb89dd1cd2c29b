"""What the README shows can be typed: its shell blocks run, in order, in one empty folder."""

import re

import pytest

from support.command import ROOT, Mind

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
README = (ROOT / "README.md").read_text()
KINDS = {"sh", "text"}


@pytest.fixture
def mind(mind: Mind) -> Mind:
    """Return `mind` as a reader has it: a new agent has the usual tools."""
    return Mind(mind.folder, {"MIND_AGENTS_TOOLS": "chat"})


def blocks(kind: str) -> list[str]:
    """Return the README's blocks of one kind."""
    return [body for found, body in _BLOCK.findall(README) if found == kind]


def test_a_block_is_to_be_run_or_to_be_read() -> None:
    assert {kind for kind, _ in _BLOCK.findall(README)} == KINDS
    assert README.count("```") == 2 * len(_BLOCK.findall(README))


@pytest.mark.heavy
def test_the_shell_blocks_run(mind: Mind) -> None:
    for number, block in enumerate(blocks("sh"), 1):
        ran = mind.shell(block)
        assert ran.status == 0, f"block {number} ended with {ran.status}: {ran.words}\n{block}"
        assert "Traceback" not in ran.words
    said = mind("space", "read", "family").records()
    assert [(post["sender"], post["text"]) for post in said[:2]] == [
        ("husam", "Is anybody there?"),
        ("ava", "Hi!"),
    ]
    assert [one["tool"] for one in mind("ticket", "list").records()] == ["lamp"]
    lamps = [
        part["text"]
        for message in mind("history", "show", "--agent", "ava").records()
        for part in message["parts"]
        if part["type"] == "result" and "lit" in part["text"]
    ]
    assert lamps == ["It is lit.\n"], "she lit it where she was asked to, and not for a stranger"


def test_the_map_names_the_folders_that_there_are() -> None:
    """The README's map, line by line: `lib/mindpipe/`, and below it `  store/  what it is for`."""
    (block,) = [block for block in blocks("text") if block.startswith("cli/")]
    named: dict[str, list[str]] = {}
    top = ""
    for line in block.splitlines():
        words = [word for word in line.split() if word.endswith(("/", ".py"))]
        if line.startswith("  "):
            named[top] += [words[0], *(words[0] + word for word in words[1:])]
        else:
            top = words[0]
            named |= {word: [] for word in words}
    assert [place for place in named if not (ROOT / place).is_dir()] == []
    lost = [
        top + below
        for top, places in named.items()
        for below in places
        if not (ROOT / top / below).exists()
    ]
    unnamed = [
        top + folder.name
        for top in ("cli/mindpipe_cli/", "lib/mindpipe/")
        for folder in (ROOT / top).iterdir()
        if (folder / "__init__.py").is_file() and f"{folder.name}/" not in named[top]
    ]
    assert (lost, unnamed) == ([], [])
    assert len(block.splitlines()) <= 40, "it fits a screen"


@pytest.mark.parametrize("block", blocks("sh"))
def test_a_block_has_no_command_that_only_shows(block: str) -> None:
    assert not [line for line in block.splitlines() if line.startswith("$ ")]
