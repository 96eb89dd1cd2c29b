"""A question to an agent survives what happens to the one who asked."""

import json
import signal
from pathlib import Path

import pytest

from support.command import Mind, end_leases, make_private
from support.patience import LONGEST, until

ANSWER = """#!/usr/bin/env python3
import json, pathlib, sys, time
messages = json.load(sys.stdin)["messages"]
if not pathlib.Path("MARKER").exists():
    pathlib.Path("MARKER").touch()
    time.sleep(3600)
call = {"name": "send_message", "arguments": {"text": "It is lit."}}
done = messages[-1]["role"] == "tool"
print(json.dumps({"text": "Done."} if done else {"tool_calls": [call]}))
"""
ASK = ("ask", "--as", "husam", "--model", "program:./answer")


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    mind = Mind(make_private(tmp_path / "life"))
    mind("init", "--agent", "ava")
    (mind.folder / "answer").write_text(ANSWER.replace("MARKER", str(mind.folder / "asked")))
    (mind.folder / "answer").chmod(0o700)
    return mind


def test_what_was_asked_waits_where_the_asker_was_killed(mind: Mind) -> None:
    asking = mind.start(*ASK, "Is it lit?")
    until((mind.folder / "asked").exists, "the question at the model")
    asking.kill()
    asking.communicate(timeout=LONGEST)
    end_leases(mind.folder, "ava")
    assert mind("think", "--agent", "ava", "--model", "program:./answer").status == 0
    posts = list(map(json.loads, mind("space", "read", "ava-husam").text.splitlines()))
    assert [post["text"] for post in posts] == ["Is it lit?", "It is lit."]


def test_who_stops_asking_is_told_that_the_question_waits(mind: Mind) -> None:
    asking = mind.start(*ASK, "Is it lit?")
    until((mind.folder / "asked").exists, "the question at the model")
    asking.send_signal(signal.SIGINT)
    _, words = asking.communicate(timeout=LONGEST)
    assert asking.returncode == 130
    assert "waits in the inbox: mind think --agent ava takes it up" in str(words)


@pytest.mark.heavy
def test_what_was_said_is_heard_with_what_is_said_next_however_many_were_stopped(
    mind: Mind,
) -> None:
    stopped = [f"Is lamp {number} lit?" for number in range(3)]
    for words in stopped:
        (mind.folder / "asked").unlink(missing_ok=True)
        asking = mind.start(*ASK, words)
        until((mind.folder / "asked").exists, "the question at the model")
        asking.send_signal(signal.SIGINT)
        asking.communicate(timeout=LONGEST)
        assert asking.returncode == 130
    assert mind(*ASK, "Well?").text == "It is lit.\n"
    assert mind("inbox", "list", "--agent", "ava").text == ""
    assert len(mind("history", "cycles", "--agent", "ava").records()) == 1


def test_what_was_asked_of_a_failing_model_is_heard_with_what_is_said_next(mind: Mind) -> None:
    (mind.folder / "asked").touch()
    (mind.folder / "broken").write_text("#!/bin/sh\nexit 1\n")
    (mind.folder / "broken").chmod(0o700)
    assert mind.run(*ASK[:-1], "program:./broken", "Is it lit?").status != 0
    assert mind(*ASK, "Well?").text == "It is lit.\n"
    assert mind("inbox", "list", "--agent", "ava").text == ""


def test_what_was_asked_of_a_failing_model_is_said_to_wait(mind: Mind) -> None:
    (mind.folder / "broken").write_text("#!/bin/sh\nexit 1\n")
    (mind.folder / "broken").chmod(0o700)
    failing = mind.run(*ASK[:-1], "program:./broken", "Is it lit?")
    assert failing.status != 0
    waits, ended = failing.words.splitlines()[-2:]
    assert "waits in the inbox: mind think --agent ava takes it up" in waits
    assert ended.startswith("mind ask: the program broken failed")
    (mind.folder / "asked").touch()
    mind("think", "--agent", "ava", "--model", "program:./answer")
    posts = list(map(json.loads, mind("space", "read", "ava-husam").text.splitlines()))
    assert [post["text"] for post in posts] == ["Is it lit?", "It is lit."]


@pytest.mark.heavy
def test_only_somebody_new_is_trusted(mind: Mind) -> None:
    (mind.folder / "asked").touch()
    mind("space", "new", "street")
    mind("space", "join", "street", "bob", "--kind", "human")
    said = {who: mind(*ASK, "--as", who, "Hello").words for who in ("bob", "husam")}
    assert "@bob was known in this store before, and ava asks before it acts" in said["bob"]
    assert "ava acts on the words of @husam from now on" in said["husam"]
    assert json.loads(mind("agent", "show", "ava", "--json").text)["trust"] == ["@husam"]
    # Whom one agent of the store acts for, another does too that he meets later.
    mind("agent", "new", "eva", "--model", "program:./answer")
    met = mind("ask", "--agent", "eva", "--as", "husam", "Hello").words
    assert "eva acts on the words of @husam from now on" in met


@pytest.mark.heavy
def test_another_worker_is_waited_for(mind: Mind) -> None:
    mind("space", "new", "ava-husam")
    mind("space", "join", "ava-husam", "ava")
    mind("space", "join", "ava-husam", "husam", "--kind", "human")
    mind("space", "post", "ava-husam", "--as", "husam", "Is it lit?")
    worker = mind.start("think", "--agent", "ava", "--model", "program:./answer")
    until((mind.folder / "asked").exists, "the first question at the model")
    asking = mind.start(*ASK, "And now?")
    until(
        lambda: len(mind("space", "read", "ava-husam").text.splitlines()) == 2,
        "the second question",
    )
    worker.kill()
    worker.communicate(timeout=LONGEST)
    end_leases(mind.folder, "ava")
    assert asking.communicate(timeout=LONGEST)[0].decode() == "It is lit.\n"
    assert asking.returncode == 0
