"""What a worker did though it lived no cycle, who holds an agent, and how a command is ended."""

import contextlib
import signal
import subprocess
import sys

import pytest

from mindpipe.agents.verbs import lease as leases
from mindpipe.io.clock import SystemClock
from mindpipe.store.access import open_store
from support.command import Mind

ENDED_TWICE = """
import os, signal
from mindpipe_cli import main, root

def cleans_up(arguments):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        print("cleaned up", flush=True)

root.run_command = cleans_up
main.main()
"""


@pytest.fixture
def home(mind: Mind) -> Mind:
    mind("init", "--agent", "ava")
    model = mind.folder / "answer"
    model.write_text("#!/bin/sh\nexit 1\n")
    model.chmod(0o700)
    mind("agent", "set", "ava", "--model", "program:./answer")
    return mind


def test_who_runs_once_and_only_sends_a_task_has_done_something(home: Mind) -> None:
    assert home.run("run", "--agent", "ava", "--once").status == 3
    home("agent", "new", "bea")
    home("task", "add", "--agent", "ava", "--worker", "bea", "Add it up.")
    ran = home.run("run", "--agent", "ava", "--once")
    assert (ran.status, ran.stdout) == (0, b"")
    assert home("task", "list").record()["state"] == "sent"
    again = home.run("run", "--agent", "ava", "--once")
    assert (again.status, "nothing is due for ava" in again.words) == (3, True)


def test_who_holds_an_agent_for_a_cycle_is_its_worker(home: Mind) -> None:
    assert home("status", "--agent", "ava").record()["worker"] is None
    with contextlib.closing(open_store(home.folder / "mind.db")) as store:
        leases.acquire(store, SystemClock(), agent="ava", owner="w1")
    assert home("status", "--agent", "ava").record()["worker"] == "w1"


def test_a_life_that_has_left_is_said_to_have_when_its_file_is_written_again(home: Mind) -> None:
    export = ("life", "export", "ava", "--move", "--output")
    assert b"again" not in home(*export, "first.life").stderr
    assert "this is the file with which it went, again" in home(*export, "again.life").words
    first, again = (home.folder / f"{name}.life" for name in ("first", "again"))
    assert first.read_bytes() == again.read_bytes()


def test_a_command_that_is_told_twice_to_end_cleans_up_once() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ENDED_TWICE], capture_output=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stdout) == (-signal.SIGTERM, b"cleaned up\n")
    assert ended.stderr == b""
