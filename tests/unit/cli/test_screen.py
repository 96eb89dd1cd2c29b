"""How an agent stands, live on a terminal and as records in a pipe."""

import itertools
import re
from pathlib import Path

import pytest

from support.command import BIN, Mind, make_private
from support.terminals import on_terminals

WATCHED = """
mind status --agent ava --watch --timeout 4 {more} &
for n in 1 2 3 4 5 6; do
    mind inbox push --agent ava --priority 1 --text "note $n" >pushed
    sleep 0.3
done
wait $!
"""
MARKS = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    mind = Mind(make_private(tmp_path / "life"))
    mind("init")
    mind("agent", "new", "ava")
    return mind


def shell(mind: Mind, words: str) -> str:
    """Return what a terminal shows of a shell's work, without its marks."""
    screen = on_terminals(mind, ["bash", "-c", f'PATH="{BIN}:$PATH"; {words}'])
    assert screen.stderr == ""
    return screen.stdout


def test_the_picture_changes_when_the_agent_does(mind: Mind) -> None:
    sent = shell(mind, WATCHED.format(more=""))
    assert "\x1b[?1049h" in sent, "it has the screen to itself"
    assert sent.rstrip().endswith("\x1b[?1049l"), "and gives it back"
    depths = [int(one) for one in re.findall(r"(\d+) events?", MARKS.sub("", sent))]
    assert len(set(depths)) >= 3
    assert depths == sorted(depths)


def test_a_pipe_gets_a_record_for_each_change_and_none_without_one(mind: Mind) -> None:
    sent = shell(mind, WATCHED.format(more="--json"))
    depths = [int(one) for one in re.findall(r'"events":(\d+)', sent)]
    assert len(depths) >= 3
    assert all(one < other for one, other in itertools.pairwise(depths))
