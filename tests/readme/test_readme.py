"""What the README shows can be typed: its shell blocks run, in order, in one empty folder."""

import re

import pytest

from running import ROOT, Mind

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
README = (ROOT / "README.md").read_text()
KINDS = {"sh", "text"}


def blocks(kind: str) -> list[str]:
    """Return the README's blocks of one kind."""
    return [body for found, body in _BLOCK.findall(README) if found == kind]


def test_a_block_is_to_be_run_or_to_be_read() -> None:
    assert {kind for kind, _ in _BLOCK.findall(README)} == KINDS
    assert README.count("```") == 2 * len(_BLOCK.findall(README))


def test_the_shell_blocks_run(mind: Mind) -> None:
    for number, block in enumerate(blocks("sh"), 1):
        ran = mind.shell(block)
        assert ran.status == 0, f"block {number} ended with {ran.status}: {ran.words}\n{block}"
        assert "Traceback" not in ran.words


@pytest.mark.parametrize("block", blocks("sh"))
def test_a_block_has_no_command_that_only_shows(block: str) -> None:
    assert not [line for line in block.splitlines() if line.startswith("$ ")]
