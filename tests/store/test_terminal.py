"""No control sequence out of a store reaches a terminal, in whatever shape it is shown."""

import os
import pty
import subprocess

import pytest

from running import BIN, Mind, clean_environment

SQL = "select char(27) || '[31mred' || char(7) || char(8238) as \"\x1b]0;title\x07name\""


def on_terminal(mind: Mind, *arguments: str) -> str:
    """Run a command whose stdout is a terminal and return what the terminal was sent."""
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [BIN / "mind", *arguments],
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=clean_environment(mind.folder),
        cwd=mind.folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    sent = os.read(ours, 1 << 16).decode()
    os.close(theirs)
    os.close(ours)
    return sent


@pytest.mark.parametrize("shape", ["--json", "--table", "--csv", "--tsv"])
def test_a_query_is_shown_without_its_control_sequences(mind_with_store: Mind, shape: str) -> None:
    sent = on_terminal(mind_with_store, "store", "query", SQL, shape)
    assert "red" in sent
    assert "name" in sent
    assert not {"\x1b", "\x07", "\u202e"} & set(sent)


def test_a_pipe_gets_what_is_there(mind_with_store: Mind) -> None:
    assert "\x1b[31mred" in mind_with_store("store", "query", SQL, "--csv").text
