"""A worker outlives its server: it rests while that is away, and goes on where it had come to."""

import contextlib
import signal
from collections.abc import Iterator

import pytest

from mindpipe.store.access import open_where
from mindpipe.store.address import address_of
from support.command import Mind
from support.patience import until
from support.postgres_server import Server, programs, running
from support.processes import Newborn, Nursery

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL"),
]
AGENTS = ("ava", "bob")
ANSWER = """#!/bin/sh
cat >/dev/null
echo asked >>asked
while test -e wait; do sleep 0.05; done
echo '{"text": "Good morning."}'
"""

# It says how far it is while it waits.
WORK = """#!/bin/sh
cat >/dev/null
echo works >>works
while test -e wait; do echo '{"progress": 0.5}'; sleep 0.05; done
echo '{"result": "Done."}'
echo worked >worked
"""


class Fleet:
    """Two agents in a store on a server, whose model waits as long as there is a file `wait`."""

    def __init__(self, mind: Mind, server: Server, nursery: Nursery) -> None:
        self.folder, self.server, self._nursery = mind.folder, server, nursery
        self.where = address_of(server.url(schema="fleet"))
        self._mind = mind
        mind.environment["MIND_STORE"] = str(self.where)
        (self.folder / "answer").write_text(ANSWER)
        (self.folder / "answer").chmod(0o700)
        mind("init")
        for agent in AGENTS:
            mind("agent", "new", agent)
            mind("agent", "set", agent, "--model", "program:./answer")

    def run(self, *options: str) -> Newborn:
        """Start `mind run`, in which time goes on."""
        environment = {"MIND_STORE": str(self.where)}
        return self._nursery.start(["run", *options], self.folder / "run", environment)

    def push(self) -> None:
        """Push an event to each agent."""
        for agent in AGENTS:
            self._mind("inbox", "push", "--agent", agent, "--text", "Hello")

    def push_at_once(self, keys: list[str]) -> list[str]:
        """Push events, each by a process of its own; return the keys of those to try again."""
        pushes = {}
        for key in keys:
            words = ["inbox", "push", "--agent", AGENTS[0], "--text", key, "--key", key]
            environment = {"MIND_STORE": str(self.where)}
            pushes[key] = self._nursery.start(words, self.folder / key, environment)
        ended = {key: push.status() for key, push in pushes.items()}
        assert set(ended.values()) <= {0, 75}
        return [key for key, status in ended.items() if status == 75]

    def delegate(self, worker: str) -> None:
        """Give the first agent's task to somebody."""
        self._mind("task", "add", "--agent", AGENTS[0], "Work", "--worker", worker)

    def task(self) -> tuple[str, int]:
        """Return how the task stands, and how often it was sent."""
        (found,) = self._mind("task", "list", "--agent", AGENTS[0], "--every").records()
        return found["state"], found["sends"]

    def counted(self, sql: str) -> int:
        """Return what a question counts."""
        with contextlib.closing(open_where(self.where)) as store, store.read() as rows:
            return rows.value(int, sql) or 0

    def is_done(self, events: int) -> bool:
        """Tell whether so many events were lived, and none waits."""
        return self.counted("SELECT count(*) FROM event WHERE state = 'done'") == events

    def crashes(self) -> int:
        """Return how many lives ended otherwise than they should."""
        return self.counted("SELECT count(*) FROM run WHERE state = 'crashed'")


@pytest.fixture
def fleet(mind: Mind) -> Iterator[Fleet]:
    with (
        # What was committed is to be there after a kill, of the server if not of the machine.
        running(VERSIONS[-1], settings=("fsync=off", "full_page_writes=off")) as server,
        contextlib.closing(Nursery(mind.folder)) as nursery,
    ):
        yield Fleet(mind, server, nursery)


def says(worker: Newborn, words: str) -> bool:
    """Tell whether a worker has said something; one that has ended says no more."""
    assert not worker.ended(0), worker.words()
    return words in worker.words()


@pytest.mark.parametrize("options", [["--together"], []])
def test_workers_that_wait_outlive_their_server(fleet: Fleet, options: list[str]) -> None:
    every = [word for agent in AGENTS for word in ("--agent", agent)]
    worker = fleet.run(*every, *options)
    fleet.push()
    until(lambda: fleet.is_done(2), "the first events")
    fleet.server.stop(signal.SIGKILL)
    until(lambda: says(worker, "cannot be reached"), "word that the server is away")
    fleet.server.start()
    fleet.push()
    until(lambda: fleet.is_done(4), "events after the server was away")
    worker.kill(signal.SIGTERM)
    assert worker.status() == 0, worker.words()
    assert fleet.crashes() == 0


def test_a_worker_whose_server_goes_in_a_cycle_ends_it_when_that_is_back(fleet: Fleet) -> None:
    (fleet.folder / "wait").touch()
    worker = fleet.run("--agent", "ava")
    fleet.push()
    until((fleet.folder / "asked").exists, "a call of the model")
    fleet.server.stop(signal.SIGKILL)
    (fleet.folder / "wait").unlink()
    until(lambda: says(worker, "cannot be reached"), "word that the server is away")
    fleet.server.start()
    until(lambda: fleet.is_done(1), "the end of the cycle")
    worker.kill(signal.SIGTERM)
    assert worker.status() == 0, worker.words()
    assert fleet.counted("SELECT count(*) FROM cycle WHERE state != 'folded'") <= 1
    assert fleet.crashes() == 0


def test_when_all_come_at_once_after_a_restart_each_is_let_in_in_the_end(
    mind: Mind,
) -> None:
    few = ("fsync=off", "full_page_writes=off", "max_connections=12")
    with (
        running(VERSIONS[-1], settings=few) as server,
        contextlib.closing(Nursery(mind.folder)) as nursery,
    ):
        fleet = Fleet(mind, server, nursery)
        worker = fleet.run("--agents", "*", "--jobs", "3")
        fleet.push()
        until(lambda: fleet.is_done(2), "the first events")
        server.stop(signal.SIGKILL)
        server.start()
        keys = [f"key-{number}" for number in range(8)]
        with server.taken():
            keys = fleet.push_at_once(keys)
        while keys:
            keys = fleet.push_at_once(keys)
        until(lambda: worker.ended(0) or fleet.is_done(10), "what came at once")
        worker.kill(signal.SIGTERM)
        assert worker.status() == 0, worker.words()
        assert fleet.crashes() == 0


def test_a_program_that_works_on_a_task_outlives_its_server(fleet: Fleet) -> None:
    (fleet.folder / "wait").touch()
    (fleet.folder / "work").write_text(WORK)
    (fleet.folder / "work").chmod(0o700)
    worker = fleet.run("--agent", "ava")
    fleet.delegate(f"program:{fleet.folder / 'work'}")
    until((fleet.folder / "works").exists, "a program at work")
    fleet.server.stop(signal.SIGKILL)
    until(lambda: says(worker, "cannot be reached"), "word that the server is away")
    (fleet.folder / "wait").unlink()
    until((fleet.folder / "worked").exists, "the end of the program")
    fleet.server.start()
    until(lambda: fleet.task() == ("done", 1), "the end of the task")
    worker.kill(signal.SIGTERM)
    assert worker.status() == 0, worker.words()
    assert (fleet.folder / "works").read_text() == "works\n"


def test_a_single_pass_does_not_wait_for_a_server(fleet: Fleet) -> None:
    fleet.server.stop(signal.SIGKILL)
    assert fleet.run("--agent", "ava", "--once").status() == 75
