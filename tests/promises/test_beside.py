"""Several agents of one `mind run`: none waits for the model of another; they end as one."""

import os
import signal
from collections.abc import Iterator

import pytest

from support.command import Mind
from support.lasting_worker import MODEL, Household, answers_at_once, household
from support.patience import LONGEST
from support.processes import Newborn

pytestmark = pytest.mark.skipif(
    not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)"
)
BOTH = ("--agent", "bea")


@pytest.fixture
def home(mind: Mind) -> Iterator[Household]:
    """Return a store with two agents, whose model waits at the first call of either."""
    with household(mind.folder) as made:
        made.nursery.run("agent", "new", "bea")
        yield made


def taken(home: Household, agent: str) -> list[tuple]:
    """Return the states of what came to an agent."""
    return home.rows(f"SELECT state FROM event WHERE agent = '{agent}'")


def push(home: Household, agent: str, *options: str) -> None:
    """Push an event."""
    home.nursery.run("inbox", "push", "--agent", agent, "--text", "Hello", *options)


def both_live(home: Household) -> bool:
    """Tell whether a life of both has begun."""
    return home.rows("SELECT count(*) FROM run WHERE state = 'running'") == [(2,)]


def processes(home: Household) -> list[int]:
    """Return the processes of the lives."""
    return [pid for (pid,) in home.rows("SELECT pid FROM run ORDER BY agent")]


@pytest.mark.heavy
def test_what_is_urgent_for_one_does_not_wait_for_the_model_of_another(home: Household) -> None:
    push(home, "ava")
    worker = home.run(*BOTH)
    home.asks()
    push(home, "bea", "--level", "0")
    home.wait_until(worker, lambda: taken(home, "bea") == [("done",)])
    assert taken(home, "ava") == [("leased",)]
    home.let_go()
    home.wait_until(worker, lambda: taken(home, "ava") == [("done",)])
    worker.kill(signal.SIGTERM)
    assert worker.status() == 0, worker.words()
    assert [report["agent"] for report in worker.records()] == ["bea", "ava"]
    assert home.rows("SELECT state FROM run") == [("clean",), ("clean",)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_all_end_with_the_one_that_started_them(number: signal.Signals, home: Household) -> None:
    answers_at_once(home)
    worker = home.run(*BOTH)
    home.wait_until(worker, lambda: both_live(home))
    children = [os.pidfd_open(pid) for pid in processes(home)]
    worker.kill(number)
    expected = {signal.SIGTERM: 0, signal.SIGINT: 130, signal.SIGKILL: -signal.SIGKILL}
    assert worker.status() == expected[number], worker.words()
    for child in children:
        assert has_ended(child)
    assert home.rows("SELECT state FROM run") == [("clean",), ("clean",)]
    assert "Traceback" not in worker.words()


def test_one_that_is_killed_ends_all_and_is_recovered_first(home: Household) -> None:
    answers_at_once(home)
    worker = home.run(*BOTH)
    home.wait_until(worker, lambda: both_live(home))
    os.kill(processes(home)[0], signal.SIGKILL)
    assert worker.status() == 1
    assert "ava's process was ended by signal 9" in worker.words()
    assert home.rows("SELECT agent, state FROM run ORDER BY agent") == [
        ("ava", "running"),
        ("bea", "clean"),
    ]
    again = home.run(*BOTH)
    home.wait_until(again, lambda: both_live(home))
    assert "recovered: crash: ava" in again.words()
    finish(again)
    assert home.rows("SELECT count(*) FROM run WHERE state = 'crashed'") == [(1,)]


def test_one_that_cannot_begin_ends_all(home: Household) -> None:
    answers_at_once(home)
    home.nursery.run("agent", "set", "ava", *MODEL)
    home.nursery.run("agent", "set", "bea", "--model", "replay:gone.jsonl")
    worker = home.nursery.start(["run", "--agent", "ava", *BOTH], home.folder / "out", {})
    assert worker.ended(LONGEST)
    assert worker.status() == 69, worker.words()
    assert "gone.jsonl is not there" in worker.words()
    assert home.rows("SELECT count(*) FROM run WHERE state = 'running'") == [(0,)]


@pytest.mark.heavy
def test_who_is_told_to_stop_ends_alone(home: Household) -> None:
    answers_at_once(home)
    worker = home.run(*BOTH)
    home.wait_until(worker, lambda: both_live(home))
    given = home.folder / "stop.jsonl"
    given.write_text('{"source": "operator", "text": "", "body": {"command": "stop"}}\n')
    home.nursery.run("inbox", "push", "--agent", "bea", "--level", "0", str(given))
    home.wait_until(
        worker, lambda: home.rows("SELECT agent FROM run WHERE state = 'clean'") == [("bea",)]
    )
    push(home, "ava")
    home.wait_until(worker, lambda: taken(home, "ava") == [("done",)])
    finish(worker)


def test_together_they_take_turns_in_one_process(home: Household) -> None:
    answers_at_once(home)
    worker = home.run(*BOTH, "--together")
    home.wait_until(worker, lambda: both_live(home))
    assert processes(home) == [worker.pid, worker.pid]
    finish(worker)


def has_ended(handle: int) -> bool:
    """Wait for the end of a process, and tell whether it came."""
    import select

    try:
        return bool(select.select([handle], [], [], LONGEST)[0])
    finally:
        os.close(handle)


def finish(worker: Newborn) -> None:
    """End a worker as it should."""
    worker.kill(signal.SIGTERM)
    assert worker.status() == 0, worker.words()
