"""A rewind or a redaction is there whole or not at all, whenever it is killed."""

import pytest

from support.command import Mind


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
    assert {one["verdict"] for one in mind("store", "check").records()} <= {"ok", "note"}


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
    assert {one["verdict"] for one in mind("store", "check").records()} <= {"ok", "note"}
