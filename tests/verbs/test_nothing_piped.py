"""Filters at a terminal that are given nothing to read: the store is what they turn to."""

import os
import pty
import subprocess

import pytest

from support.command import BIN, Mind, clean_environment
from support.patience import LONGEST

pytestmark = pytest.mark.heavy


def typed(mind: Mind, *command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command whose stdin is a terminal on which nobody types."""
    ours, theirs = pty.openpty()
    try:
        return subprocess.run(
            [str(BIN / "mind"), *command],
            stdin=theirs,
            capture_output=True,
            cwd=mind.folder,
            env=clean_environment(mind.folder),
            timeout=LONGEST,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_filter_takes_the_only_agent(mind: Mind) -> None:
    mind("init", "--agent", "ava")
    mind("memory", "add", stdin='{"text": "I live in Bremen.", "speaker": "Jonas"}\n')
    done = typed(mind, "consolidate")
    assert (done.returncode, done.stdout.count(b'"created":["'), done.stderr) == (0, 1, b"")
    done = typed(mind, "history", "export", "--format", "anthropic")
    assert done.stderr == b"mind history export: ava has no history.\n"
    # What is named is read, and of several agents one has to be named.
    (mind.folder / "said.jsonl").write_text('{"id": "m1", "text": "I live in Linz."}\n')
    done = typed(mind, "consolidate", "said.jsonl")
    assert b"1 observation" in done.stderr
    mind("agent", "new", "bo")
    done = typed(mind, "consolidate")
    assert (done.returncode, done.stderr.decode()) == (
        2,
        "mind consolidate: which agent? Give --agent NAME: there are ava, bo.\n",
    )


@pytest.mark.parametrize("command", [("run", "--until", "60s"), ("tick", "--dt", "60")])
def test_persons_of_the_store_live_on(mind: Mind, command: tuple[str, ...]) -> None:
    mind("init")
    done = typed(mind, "simulate", *command)
    assert b"there is no person" in done.stderr or b"nobody" in done.stderr, done.stderr
    made = mind("simulate", "new", "--name", "Mara", "--seed", "7").stdout
    mind("simulate", "new", "--name", "Mara", "--seed", "7", "--store", "mind.db")
    done = typed(mind, "simulate", *command)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"t_us":60000000' in done.stdout
    (mind.folder / "mara.jsonl").write_bytes(made)
    done = typed(mind, "simulate", *command, "mara.jsonl")
    assert (done.returncode, done.stderr) == (0, b"")


def test_without_a_store_it_says_what_can_be_given(mind: Mind) -> None:
    for command in (("consolidate",), ("simulate", "run", "--until", "60s")):
        done = typed(mind, *command)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"no input. Pipe records in or name a file. For " in done.stderr
