"""Real workers of two agents that always answer each other: every chain of theirs ends."""

import json
from pathlib import Path

import pytest

from mindpipe.core.instants import later
from support.command import NOW, SECONDS, Mind, make_private
from support.patience import until
from support.validation import faults_of

pytestmark = pytest.mark.heavy

MODEL = """#!/bin/sh
end=$(tail -c 4000)
case "${{end##*'"role":"'}}" in
tool*) echo '{{"text": "Said."}}' ;;
*) echo '{calls}' ;;
esac
"""


def settle(folder: Path, *, wait: bool) -> Mind:
    """Make two agents and a human in one space, and a model that answers whatever it hears."""
    mind = Mind(make_private(folder))
    said = {"name": "send_message", "arguments": {"text": "And you?", "wait": wait}}
    model = folder / "answer"
    model.write_text(MODEL.format(calls=json.dumps({"tool_calls": [said]})))
    model.chmod(0o700)
    mind("init")
    mind("space", "new", "den")
    for name in ("ava", "bea"):
        mind("agent", "new", name)
        mind("space", "join", "den", name)
    mind("space", "join", "den", "husam", "--kind", "human")
    mind("space", "post", "den", "--as", "husam", "Hello!")
    return mind


def live(mind: Mind, command: str, now: str) -> int:
    """Let both agents live in turn until nothing is due for either; return how many cycles."""
    cycles = 0
    while True:
        lived = 0
        for agent in ("ava", "bea"):
            once = ("--once",) if command == "run" else ()
            ran = mind.run(
                command, "--agent", agent, "--model", "program:./answer", "--now", now, *once
            )
            assert ran.status in {0, 3}, ran.words
            lived += len(ran.stdout.splitlines())
        cycles += lived
        assert cycles < 200
        if not lived:
            return cycles


def depths(mind: Mind) -> list[int]:
    """Return how deep the messages are, in the order in which they were said."""
    return [post.get("depth", 0) for post in mind("space", "read", "den").records()]


@pytest.mark.parametrize("command", ["think", "run"])
def test_two_agents_that_answer_each_other_for_ever_are_stopped(
    command: str, tmp_path: Path
) -> None:
    mind = settle(tmp_path / "den", wait=False)
    assert live(mind, command, NOW) >= 5
    assert max(depths(mind)) == 5
    assert live(mind, command, later(NOW, seconds=10_000)) == 0
    states = {run["state"] for run in mind("run", "list", "--every").records()}
    assert states == {"done"}
    assert faults_of(mind.folder / "mind.db") == []


@pytest.mark.parametrize("command", [pytest.param("think", marks=pytest.mark.long), "run"])
def test_two_agents_that_wait_for_each_other_for_ever_are_stopped(
    command: str, tmp_path: Path
) -> None:
    mind = settle(tmp_path / "den", wait=True)
    assert live(mind, command, NOW) >= 5
    rounds = [live(mind, command, later(NOW, seconds=400 * after)) for after in range(1, 12)]
    assert rounds[-3:] == [0, 0, 0]
    assert mind("run", "list").records() == []
    assert max(depths(mind)) <= 6
    assert faults_of(mind.folder / "mind.db") == []


def test_of_many_agents_at_once_only_so_many_answer_one_message(tmp_path: Path) -> None:
    mind = settle(tmp_path / "den", wait=False)
    names = ["ava", "bea", "cid", "dan", "eva"]
    for name in names[2:]:
        mind("agent", "new", name)
        mind("space", "join", "den", name)
    mind("space", "set", "den", "--respond-limit", "2")
    mind("space", "post", "den", "--as", "husam", "Who is there?")
    started = [
        mind.start("think", "--agent", name, "--model", "program:./answer") for name in names[2:]
    ]
    for worker in started:
        _, words = worker.communicate(timeout=SECONDS)
        assert worker.returncode == 0, words.decode()
    answered = [post["answers"] for post in mind("space", "read", "den").records()[2:]]
    assert (len(answered), len(set(answered))) == (2, 1)


def test_of_many_agents_that_reply_at_once_for_other_reasons_only_so_many_may(
    tmp_path: Path,
) -> None:
    mind = settle(tmp_path / "den", wait=False)
    names = ["cid", "dan", "eva"]
    for name in names:
        mind("agent", "new", name)
        mind("space", "join", "den", name)
    mind("space", "set", "den", "--respond-limit", "2")
    (asked,) = mind("space", "read", "den").records()
    arguments = {"text": "I do.", "space": "den", "message_id": asked["id"]}
    said = {"name": "send_message", "arguments": arguments}
    model = mind.folder / "answer"
    model.write_text(MODEL.format(calls=json.dumps({"tool_calls": [said]})))
    for name in names:
        mind("inbox", "push", "--agent", name, "--text", "Does anybody know?")
    started = [
        mind.start("think", "--agent", name, "--model", "program:./answer") for name in names
    ]
    for worker in started:
        _, words = worker.communicate(timeout=SECONDS)
        assert worker.returncode == 0, words.decode()
    replies = [post["reply_to"] for post in mind("space", "read", "den").records()[1:]]
    assert replies == [asked["id"], asked["id"]]


def test_two_agents_of_one_process_that_answer_each_other_are_stopped(tmp_path: Path) -> None:
    mind = settle(tmp_path / "den", wait=False)
    model = ("--model", "program:./answer")
    mind("run", "--agent", "ava", "--agent", "bea", *model, "--once")
    assert max(depths(mind)) == 5
    again = mind.run("run", "--agent", "ava", "--agent", "bea", *model, "--once")
    assert (again.stdout, "in den woke nobody" in again.words) == (b"", True)
    assert {run["state"] for run in mind("run", "list", "--every").records()} == {"done"}
    assert faults_of(mind.folder / "mind.db") == []


@pytest.mark.heavy
def test_two_agents_of_two_processes_at_once_that_answer_each_other_are_stopped(
    tmp_path: Path,
) -> None:
    mind = settle(tmp_path / "den", wait=False)
    model = ("--model", "program:./answer")
    living = [
        mind.start("run", "--agent", name, *model, "--cycles", "40") for name in ("ava", "bea")
    ]
    try:
        until(lambda: max(depths(mind)) == 5, "the chain is at its end")
        until(lambda: mind("run", "list").records() == [], "all runs have ended")
    finally:
        for life in living:
            life.terminate()
    for life in living:
        _, words = life.communicate(timeout=SECONDS)
        assert life.returncode == 0, words.decode()
    # One may have been ended before it heard the last words that another chain had for it.
    assert live(mind, "think", NOW) <= 5
    assert live(mind, "think", later(NOW, seconds=10_000)) == 0
    assert max(depths(mind)) == 5
    assert faults_of(mind.folder / "mind.db") == []
