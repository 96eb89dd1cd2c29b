"""What a life is put through is there whole or not at all, whenever it is killed."""

import pytest

from support.command import Mind

# What a server forgoes whose data nobody wants after the tests.
FORGONE = {"fsync", "full_page_writes", "synchronous_commit"}


def bad(mind: Mind) -> set[str]:
    """Return what a check of the store finds wrong."""
    checks = mind("store", "check").records()
    return {one["check"] for one in checks if one["verdict"] not in ("ok", "note")}


def _life(mind: Mind) -> list[dict[str, object]]:
    """Return what there is to see of a life."""
    shown = ("history", "show"), ("note", "list"), ("life", "rewind", "ava", "--list")
    return [
        record
        for words in shown
        for record in mind(*words, *(() if "ava" in words else ("--agent", "ava"))).records()
    ]


@pytest.mark.parametrize("failpoint", ["rewind.before_commit", "rewind.after_commit"])
def test_a_kill_leaves_all_or_nothing(mind_with_store: Mind, failpoint: str) -> None:
    mind = mind_with_store
    (mind.folder / "answer").write_text('#!/bin/sh\necho \'{"text": "Yes."}\'\n')
    (mind.folder / "answer").chmod(0o755)
    mind("agent", "new", "ava", "--model", "program:./answer")
    for word in ("one", "two"):
        mind("inbox", "push", "--agent", "ava", "--text", word)
        mind("think", "--agent", "ava")
        mind("note", "set", "--agent", "ava", "last", word)
    before = _life(mind)
    rewind = ("life", "rewind", "ava", "--to", "1")
    killed = mind.run(*rewind, environment=mind.failing(f"{failpoint}:kill"))
    assert killed.status == -9
    if failpoint == "rewind.before_commit":
        assert _life(mind) == before
        mind(*rewind)
    assert [one["cycle"] for one in mind("history", "cycles", "--agent", "ava").records()] == [1]
    assert mind("note", "list", "--agent", "ava").records() == []
    assert len(mind("life", "rewind", "ava", "--list").records()) == 1
    assert bad(mind) <= FORGONE


@pytest.mark.parametrize("failpoint", ["redact.before_commit", "redact.after_commit"])
def test_a_killed_redaction_can_be_done_again(mind_with_store: Mind, failpoint: str) -> None:
    mind = mind_with_store
    mind("agent", "new", "ava")
    mind("inbox", "push", "--agent", "ava", "--text", "It is tulip fern.")
    redact = ("life", "redact", "ava")
    environment = mind.failing(f"{failpoint}:kill")
    assert mind.run(*redact, stdin="tulip fern", environment=environment).status == -9
    said = mind("inbox", "list", "--agent", "ava").record()["text"]
    is_kept = failpoint == "redact.after_commit"
    assert said == ("It is [redacted]." if is_kept else "It is tulip fern.")
    assert mind.run(*redact, stdin="tulip fern").status == (3 if is_kept else 0)
    files = mind.folder.glob("mind.db*")
    assert not any(b"tulip fern" in file.read_bytes() for file in files)
    assert bad(mind) <= FORGONE


def test_a_killed_fork_leaves_nothing_and_can_be_made_again(mind_with_store: Mind) -> None:
    mind = mind_with_store
    mind("agent", "new", "ava")
    mind("note", "set", "--agent", "ava", "tea", "green")
    fork = ("life", "fork", "ava", "--as", "eva")
    killed = mind.run(*fork, environment=mind.failing("fork.before_published:kill"))
    assert killed.status == -9
    assert not (mind.folder / "eva.db").exists()
    mind(*fork)
    assert {one.name for one in mind.folder.glob("*eva*")} == {"eva.db", "eva.db.reserve"}
    assert mind("note", "list", "--agent", "ava", "--store", "eva.db").record()["value"] == "green"


@pytest.mark.parametrize("failpoint", ["import.before_commit", "import.after_commit"])
def test_a_killed_import_brings_all_or_nothing(mind_with_store: Mind, failpoint: str) -> None:
    mind = mind_with_store
    mind("agent", "new", "ava")
    mind("note", "set", "--agent", "ava", "tea", "green")
    octets = mind("life", "export", "ava").stdout
    mind("init", "--store", "other.db")
    take = ("life", "import", "--store", "other.db")
    environment = mind.failing(f"{failpoint}:kill")
    assert mind.run(*take, stdin=octets, environment=environment).status == -9
    there = mind.run("agent", "list", "--store", "other.db").stdout
    is_there = failpoint == "import.after_commit"
    assert (b"ava" in there) == is_there
    assert mind.run(*take, stdin=octets).status == (4 if is_there else 0)
    kept = mind("note", "list", "--agent", "ava", "--store", "other.db").record()
    assert kept["value"] == "green"


def test_a_move_whose_file_was_not_written_can_be_written_again(mind_with_store: Mind) -> None:
    """It rests from the moment it left; whoever killed that has no file, and gets the same one."""
    mind = mind_with_store
    mind("agent", "new", "ava")
    mind("note", "set", "--agent", "ava", "tea", "green")
    move = ("life", "export", "ava", "--move", "--output", "ava.life")
    killed = mind.run(*move, environment=mind.failing("export.after_leaving:kill"))
    assert killed.status == -9
    assert not list(mind.folder.glob("ava.life*"))
    assert mind.run("note", "set", "--agent", "ava", "tea", "black").status == 4
    mind(*move)
    mind("init", "--store", "other.db")
    mind("life", "import", "--store", "other.db", "ava.life")
    kept = mind("note", "list", "--agent", "ava", "--store", "other.db").record()
    assert kept["value"] == "green"


def test_a_killed_copy_is_no_file_that_is_taken(mind_with_store: Mind) -> None:
    mind = mind_with_store
    mind("agent", "new", "ava")
    octets = mind("life", "export", "ava").stdout
    for part in (octets[: len(octets) // 2], octets[:-1]):
        assert mind.run("life", "verify", stdin=part).status == 74
