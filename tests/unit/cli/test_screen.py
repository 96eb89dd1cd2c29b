"""How an agent stands, live on a terminal and as records in a pipe."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from support.command import BIN, Mind, clean_environment, make_private
from support.patience import until
from support.terminals import terminal

MARKS = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    mind = Mind(make_private(tmp_path / "life"))
    mind("init")
    mind("agent", "new", "ava")
    return mind


def watched(mind: Mind, *more: str) -> str:
    """Return what a watch shows while three notes arrive, each after the one before was seen."""
    (out, first), (err, second) = terminal(), terminal()
    watch = subprocess.Popen(
        [BIN / "mind", "status", "--agent", "ava", "--watch", *more],
        stdin=subprocess.DEVNULL,
        stdout=first,
        stderr=second,
        cwd=mind.folder,
        env={**clean_environment(mind.folder), "TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(first)
    os.close(second)
    try:
        until(lambda: depths(out.seen()), "the first picture")
        for number in (1, 2, 3):
            mind("inbox", "push", "--agent", "ava", "--priority", "1", "--text", f"note {number}")
            until(lambda number=number: number in depths(out.seen()), f"a picture of {number}")
    finally:
        watch.send_signal(signal.SIGINT)
        watch.wait(60)
    assert err.text() == ""
    return out.text()


def depths(sent: str) -> list[int]:
    """Return how many events each picture or record of it told of."""
    found = re.findall(r'(\d+) events?|"events":(\d+)', MARKS.sub("", sent))
    return [int(drawn or written) for drawn, written in found]


def test_the_picture_changes_when_the_agent_does(mind: Mind) -> None:
    sent = watched(mind)
    assert "\x1b[?1049h" in sent, "it has the screen to itself"
    assert sent.rstrip().endswith("\x1b[?1049l"), "and gives it back"
    assert depths(sent) == sorted(depths(sent))


def test_a_pipe_gets_a_record_for_each_change_and_none_without_one(mind: Mind) -> None:
    records = depths(watched(mind, "--json"))
    assert records == [0, 1, 2, 3]
