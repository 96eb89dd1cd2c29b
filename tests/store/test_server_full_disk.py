"""A server whose disk is full: nothing is half applied, and workers go on when it has room."""

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.store.address import address_of
from support.command import Mind
from support.lasting_worker import Gate, write_program
from support.patience import until
from support.postgres_server import CrampedServer, can_mount, cramped, programs
from support.processes import Nursery
from support.proofs import proved_on_server
from support.validation import faults_of

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL"),
    pytest.mark.skipif(not can_mount(), reason="a small disk is mounted by root"),
    pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd"),
]
# It waits at its first call, and says what takes some room.
MODEL = """#!/bin/sh
cat >/dev/null
if mkdir {folder}/first 2>/dev/null; then
    echo asked >{folder}/asked
    read -r word <{folder}/go
fi
echo '{{"text": "'"$(cat {folder}/words)"'"}}'
"""


@pytest.fixture
def server() -> Iterator[CrampedServer]:
    with cramped(VERSIONS[-1]) as started:
        yield started


def much(folder: Path) -> str:
    """Return words that nothing makes shorter."""
    words = os.urandom(40_000).hex()
    (folder / "words").write_text(words)
    return words


def test_a_full_server_takes_nothing_half_and_workers_go_on_when_it_has_room(
    mind: Mind, server: CrampedServer
) -> None:
    folder, where = mind.folder, server.url(schema="fleet")
    mind.environment["MIND_STORE"] = where
    words = much(folder)
    write_program(folder / "answer", MODEL.format(folder=folder))
    with (
        contextlib.closing(Gate(folder)) as gate,
        contextlib.closing(Nursery(folder)) as nursery,
    ):
        mind("init", "--agent", "ava")
        mind("agent", "set", "ava", "--model", "program:./answer")
        worker = nursery.start(["run", "--agents", "*"], folder / "run", {"MIND_STORE": where})
        mind("inbox", "push", "--agent", "ava", "--text", "Hello")
        gate.asks()
        server.fill()
        ran = mind.run("inbox", "push", stdin=json.dumps({"agent": "ava", "text": words}))
        assert (ran.status, ran.stdout, ran.words.count("\n")) == (75, b"", 1), ran.words
        assert "no space left on the server" in ran.words
        assert len(mind("inbox", "list", "--agent", "ava").records()) == 1
        gate.let_go()
        until(lambda: "no space left" in worker.words(), "word that the server is full")
        assert not worker.ended(0)
        server.make_room()
        until(lambda: not mind("inbox", "list", "--agent", "ava").records(), "the end of the event")
        worker.kill(signal.SIGTERM)
        assert worker.status() == 0, worker.words()
    said = mind("history", "show", "--agent", "ava").records()
    assert [words in json.dumps(one) for one in said].count(True) == 1
    assert faults_of(address_of(where)) == []
    proved_on_server(11, full=1, half_done=0)
