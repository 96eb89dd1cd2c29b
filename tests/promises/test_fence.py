"""Promises 8, 9 and 40: who was taken over writes nothing more, and a stop lets go of everything.

A model waits at its first call until it is told to go on, so that each test knows where its worker
is without a clock.
"""

import contextlib
import json
import os
import select
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command import SECONDS, Mind, all_rows, is_held, looked_into
from support.lasting_worker import WAITING_MODEL
from support.patience import LONGEST
from support.processes import Newborn, Nursery
from support.proofs import proved, turned_red

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(
        not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)"
    ),
]

LEASE = {"MIND_INBOX_LEASE_SECONDS": "0.5"}
TEMPORARY = 75
THINK = ("think", "--agent", "ava", "--model", "program:./answer")
REPLY = {
    "tool_calls": [
        {"name": "send_message", "arguments": {"text": "Good morning.", "space": "family"}},
        {"name": "done", "arguments": {"summary": "Greeted the family."}},
    ]
}
# No row but that of the turn would then be written twice, so that the lease alone is looked at.
WORDS = {"text": "Nothing to do."}
SKIP = {"tool_calls": [{"name": "skip", "arguments": {}}]}


class Life:
    """An agent with one event in its inbox, whose model waits at its first call."""

    def __init__(self, folder: Path, nursery: Nursery, asked: int, go: int) -> None:
        self._folder, self._nursery = folder, nursery
        self._asked, self._go = asked, go
        self._born = 0

    def think(self, environment: dict[str, str]) -> Newborn:
        """Start a worker."""
        self._born += 1
        return self._nursery.start(THINK, self._folder / f"out-{self._born}", environment)

    def wait_until_asked(self) -> None:
        """Wait until the model was asked for the first time."""
        assert select.select([self._asked], [], [], LONGEST)[0], "the model is not asked"

    def let_answer(self) -> None:
        """Let the waiting model answer."""
        os.write(self._go, b"go\n")

    def stop(self, worker: Newborn) -> None:
        """Stop a worker where it does not hold the store, as it does while it renews its lease."""
        while True:
            worker.kill(signal.SIGSTOP)
            while not worker.stopped():
                os.sched_yield()
            if not is_held(self._folder):
                return
            worker.kill(signal.SIGCONT)

    def take_over(self) -> None:
        """Let other workers try until one of them gets the agent."""
        while (status := self.think(LEASE).status()) == TEMPORARY:
            pass
        assert status == 0

    def rows(self, sql: str) -> list[tuple]:
        """Return the rows of a query."""
        with looked_into(self._folder) as store:
            return list(store.execute(sql))

    def everything(self) -> dict[str, list[tuple]]:
        """Return every row of every table."""
        with looked_into(self._folder) as store:
            return all_rows(store)


@contextlib.contextmanager
def living(folder: Path, build: str = "", reply: object = REPLY) -> Iterator[Life]:
    """Make a life, in a broken build if one is named."""
    for name in ("asked", "go"):
        os.mkfifo(folder / name, 0o600)
    (folder / "answer").write_text(WAITING_MODEL.format(folder=folder, words=json.dumps(reply)))
    (folder / "answer").chmod(0o700)
    with contextlib.ExitStack() as stack:
        nursery = stack.enter_context(contextlib.closing(Nursery(folder, build)))
        # Both ends of each, so that neither opening nor dying leaves anybody waiting.
        asked, go = (os.open(folder / name, os.O_RDWR) for name in ("asked", "go"))
        stack.callback(os.close, asked)
        stack.callback(os.close, go)
        nursery.run("init", "--agent", "ava")
        nursery.run("space", "new", "family")
        nursery.run("space", "join", "family", "ava")
        nursery.run("space", "join", "family", "husam", "--kind", "human")
        nursery.run("space", "post", "family", "--as", "husam", "Good morning!")
        yield Life(folder, nursery, asked, go)


def wake(life: Life) -> tuple[int, str, bool]:
    """Let a worker sleep over its lease; return how it ended and whether it wrote after it woke."""
    worker = life.think(LEASE)
    life.wait_until_asked()
    life.stop(worker)
    life.take_over()
    assert life.rows("SELECT state FROM event") == [("done",)]
    before = life.everything()
    life.let_answer()
    worker.kill(signal.SIGCONT)
    status = worker.status()
    return status, worker.words(), life.everything() != before


def test_a_worker_that_slept_over_its_lease_writes_nothing_more(mind: Mind) -> None:
    with living(mind.folder) as life:
        status, words, wrote = wake(life)
        assert (status, wrote) == (TEMPORARY, False)
        assert "another worker" in words
        said = life.rows("SELECT text FROM post WHERE sender = 'ava' AND state = 'visible'")
        assert said == [("Good morning.",)]
        assert life.rows("SELECT count(*) FROM cycle WHERE state = 'closed'") == [(1,)]
        assert life.rows(
            "SELECT count(*) FROM message WHERE role = 'assistant' AND synthetic = 0"
        ) == [(1,)]
        assert life.rows("SELECT attempts FROM event") == [(2,)]
    proved(8, stopped_and_woken=1, fenced=1, double_commits=0)
    mind("history", "verify", "--agent", "ava")


@pytest.mark.parametrize("reply", [WORDS, SKIP], ids=["words", "skip"])
def test_who_was_overtaken_writes_nothing_whatever_its_model_says(
    reply: object, mind: Mind
) -> None:
    with living(mind.folder, reply=reply) as life:
        status, _, wrote = wake(life)
        assert (status, wrote) == (TEMPORARY, False)
    proved(8, stopped_and_woken=1, fenced=1, double_commits=0)


def test_a_build_that_does_not_ask_for_its_lease_writes_after_it_was_overtaken(mind: Mind) -> None:
    with living(mind.folder, "lease_without_epoch", WORDS) as life:
        assert wake(life)[2]
    turned_red(8, "lease_without_epoch", writes_after_takeover=1)


def test_a_stop_in_a_cycle_lets_go_of_the_agent_and_its_events(mind: Mind) -> None:
    with living(mind.folder) as life:
        worker = life.think({})
        life.wait_until_asked()
        assert life.rows("SELECT state, attempts FROM event") == [("leased", 1)]
        worker.kill(signal.SIGTERM)
        assert worker.ended(SECONDS)
        assert worker.status() == -signal.SIGTERM
        assert life.rows("SELECT state, attempts FROM event") == [("ready", 0)]
        assert life.rows("SELECT count(*) FROM message") == [(0,)]
        # The lease of the stopped one would have held for a minute.
        assert life.think({}).status() == 0
        assert life.rows("SELECT state FROM event") == [("done",)]
        assert life.rows("SELECT count(*) FROM post WHERE sender = 'ava'") == [(1,)]
    mind("history", "verify", "--agent", "ava")
