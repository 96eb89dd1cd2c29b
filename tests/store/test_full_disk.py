"""A full disk is a clean error, and the reserve lets the work under way be saved."""

import re
import subprocess
from pathlib import Path

import pytest

from mindpipe.core.errors import InputOutputError
from mindpipe.store import place
from mindpipe.store.access import open_store
from support.command import BIN, Mind, clean_environment

FULL = Path("/dev/full")


def test_a_full_store_gives_its_reserve_back_and_makes_it_again(mind_with_store: Mind) -> None:
    path = mind_with_store.folder / "mind.db"
    store = open_store(path)
    kept = place.reserve_of(path)
    assert kept.stat().st_size == place.RESERVE_BYTES
    pages = store.connection.pragma("page_count")
    store.connection.pragma("max_page_count", pages)
    with pytest.raises(InputOutputError, match="no space left"), store.write() as rows:
        rows.run("INSERT INTO blob VALUES('x', zeroblob(1000000))")
    assert not kept.exists()
    with store.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM blob") == 0
    store.close()
    open_store(path).close()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_reserve_that_a_killed_command_began_is_made_whole(mind_with_store: Mind) -> None:
    path = mind_with_store.folder / "mind.db"
    place.reserve_of(path).write_bytes(b"")
    open_store(path).close()
    assert place.reserve_of(path).stat().st_size == place.RESERVE_BYTES


def test_a_disk_that_fills_up_while_pushing_keeps_nothing_of_it(mind_with_store: Mind) -> None:
    mind = mind_with_store
    mind("agent", "new", "ava")
    arguments = ("inbox", "push", "--agent", "ava")
    event = '{"text": "hello"}\n'
    ran = mind.run(*arguments, stdin=event, environment=mind.failing("push.before_commit:enospc"))
    assert (ran.status, ran.stdout) == (74, b"")
    assert ran.words.count("\n") == 1
    assert "no space left" in ran.words
    mind(*arguments, stdin=event)
    assert len(mind("inbox", "list", "--agent", "ava").records()) == 1


def into_full(mind: Mind, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose answers cannot be written."""
    with FULL.open("wb") as full:
        return subprocess.run(
            [BIN / "mind", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            env=clean_environment(mind.folder),
            cwd=mind.folder,
            text=True,
            check=False,
        )


KEPT = {
    "inbox push": ("inbox push --agent ava --text hello", "inbox list --agent ava"),
    "inbox push, a table": (
        "inbox push --agent ava --text hello --table",
        "inbox list --agent ava",
    ),
    "space post": ("space post family --as husam hello", "space read family"),
    "plan add": ("plan add --agent ava --after 1h hello", "plan list --agent ava"),
    "goal add": ("goal add --agent ava hello", "goal list --agent ava"),
    "memory add": ("memory add --agent ava --text hello", "memory list --agent ava"),
    "ask": ("ask --agent ava --as husam hello", "space read ava-husam"),
    "task add": ("task add --agent ava hello --worker bea", "task list --agent ava --every"),
}


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_but_cannot_be_told_of_is_named(mind_with_store: Mind, name: str) -> None:
    mind = mind_with_store
    (mind.folder / "answer").write_text('#!/bin/sh\ncat >/dev/null\necho \'{"text":"Good."}\'\n')
    (mind.folder / "answer").chmod(0o700)
    for agent in ("ava", "bea"):
        mind("agent", "new", agent, "--model", "program:./answer")
    mind("space", "new", "family")
    mind("space", "join", "family", "husam", "--kind", "human")
    line, look = (words.split() for words in KEPT[name])
    done = into_full(mind, *line)
    said = done.stderr.splitlines()[-1]
    ids = {str(one["id"]) for one in mind(*look).records()}
    assert done.returncode == 74
    kept = re.search(r"What was done is kept in mind\.db \(([^)]+)\); do not do it again\.$", said)
    assert kept is not None, done.stderr
    assert kept[1] in ids


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_what_is_appended_to_a_file_is_named_too(mind: Mind) -> None:
    push = ("inbox", "push", "--agent", "ava", "--text", "hello")
    done = into_full(mind, *push, "--output", "events.jsonl")
    assert done.returncode == 74
    assert "kept in events.jsonl (e_" in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_claim_that_nobody_could_read_is_given_back(mind_with_store: Mind) -> None:
    mind = mind_with_store
    mind("agent", "new", "ava")
    mind("inbox", "push", "--agent", "ava", "--text", "hello")
    done = into_full(mind, "inbox", "claim", "--agent", "ava")
    (event,) = mind("inbox", "list", "--agent", "ava").records()
    assert (event["state"], event["attempts"]) == ("ready", 0)
    assert done.stderr == "mind inbox claim: No space left on device.\n"


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_nothing_is_called_kept_by_who_only_reads(mind_with_store: Mind) -> None:
    mind = mind_with_store
    mind("agent", "new", "ava")
    mind("inbox", "push", "--agent", "ava", "--text", "hello")
    done = into_full(mind, "inbox", "list", "--agent", "ava")
    assert done.stderr == "mind inbox list: No space left on device.\n"


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [("--help",), ("config", "show"), ("schema", "event")])
def test_a_full_output_is_status_74(mind: Mind, arguments: tuple[str, ...]) -> None:
    done = into_full(mind, *arguments)
    assert done.returncode == 74
    assert done.stderr.count("\n") == 1
