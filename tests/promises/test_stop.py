"""Promises 9 and 40 for a worker that stays: it stops cleanly, and takes a dead one's place."""

import os
import signal
import time

import pytest

from support.command import Mind
from support.lasting_worker import Household, answers_at_once, calls_a_tool, household
from support.loopback.provider import Provider
from support.patience import LONGEST
from support.processes import Newborn
from support.proofs import proved, turned_red

pytestmark = pytest.mark.skipif(
    not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)"
)

LEASE = {"MIND_INBOX_LEASE_SECONDS": "0.5"}
# Long after a lease, a poll and the start of a process.
NOBODY_SECONDS = 5.5
ONCE = ("--once",)
ENDS = {signal.SIGTERM: 0, signal.SIGINT: 130}


def is_let_go(home: Household) -> bool:
    """Tell whether nothing of a worker is left: its mark is clean, its agent free."""
    return home.rows(
        "SELECT (SELECT count(*) FROM run WHERE state = 'clean'), (SELECT count(*) FROM run), "
        "(SELECT count(*) FROM agent_lease WHERE owner IS NOT NULL), "
        "(SELECT count(*) FROM event WHERE state = 'leased'), "
        "(SELECT count(*) FROM ledger WHERE state = 'reserved')"
    ) == [(1, 1, 0, 0, 0)]


def ends(home: Household, worker: Newborn, status: int) -> None:
    """Hold that a worker ends, as it should, and that nothing of it is left."""
    assert worker.ended(LONGEST)
    assert worker.status() == status, worker.words()
    assert is_let_go(home)


@pytest.mark.parametrize("number", ENDS)
def test_a_stop_ends_a_worker_that_waits(number: signal.Signals, mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        home.push()
        worker = home.run()
        home.wait_until(worker, home.is_idle)
        worker.kill(number)
        ends(home, worker, ENDS[number])
        assert [report["outcome"] for report in worker.records()] == ["done"]
        assert "Traceback" not in worker.words()
    proved(40, idle=1)


@pytest.mark.heavy
@pytest.mark.parametrize("number", ENDS)
def test_a_stop_closes_the_model_call_under_way_and_keeps_nothing_of_it(
    number: signal.Signals, mind: Mind
) -> None:
    with household(mind.folder) as home:
        home.push()
        worker = home.run()
        home.asks()
        worker.kill(number)
        ends(home, worker, ENDS[number])
        assert home.rows("SELECT state, attempts FROM event") == [("ready", 0)]
        assert home.rows("SELECT state FROM cycle") == [("open",)]
        assert home.rows("SELECT state, answer FROM turn") == [("asking", None)]
        assert home.rows("SELECT state FROM ledger") == [("lost",)]
        assert home.rows("SELECT count(*) FROM message") == [(0,)]
        (report,) = home.nursery.run("run", "--agent", "ava", "--model", "program:./answer", *ONCE)
        assert (report["cycle"], report["outcome"]) == (1, "done")
    proved(40, model_call=1)


@pytest.mark.parametrize("number", ENDS)
def test_a_stop_closes_the_connection_to_a_provider(
    number: signal.Signals, mind: Mind, provider: Provider
) -> None:
    provider.hangs()
    with household(mind.folder) as home:
        home.push()
        at = {"ANTHROPIC_BASE_URL": provider.anthropic_url, "ANTHROPIC_API_KEY": "sk-ant-none"}
        worker = home.run("--model", "anthropic/claude-haiku-4-5", environment=at)
        home.wait_until(worker, lambda: bool(provider.requests))
        worker.kill(number)
        ends(home, worker, ENDS[number])
        assert home.rows("SELECT state, attempts FROM event") == [("ready", 0)]
        assert home.rows("SELECT state FROM ledger") == [("lost",)]
        assert "Traceback" not in worker.words()
        assert len(provider.requests) == 1
    proved(40, connection=1)


@pytest.mark.heavy
def test_a_stop_lets_a_tool_end_by_itself_and_goes_no_further(mind: Mind) -> None:
    with household(mind.folder) as home:
        calls_a_tool(home)
        home.push()
        worker = home.run()
        home.asks()
        worker.kill(signal.SIGTERM)
        home.let_go()
        ends(home, worker, 0)
        assert home.rows("SELECT state FROM call") == [("done",)]
        assert home.rows("SELECT state FROM turn") == [("recorded",)]
        assert home.rows("SELECT state FROM cycle") == [("open",)]
        (report,) = home.nursery.run("run", "--agent", "ava", "--model", "program:./answer", *ONCE)
        assert (report["cycle"], report["outcome"], report["calls"]) == (1, "done", 2)
        assert (mind.folder / "sink").read_text() == "done\n"
    proved(40, tool=1)


@pytest.mark.heavy
def test_a_second_sigint_ends_a_tool_without_waiting_for_it(mind: Mind) -> None:
    with household(mind.folder, "support.patient_stop") as home:
        calls_a_tool(home)
        home.push()
        worker = home.run()
        home.asks()
        worker.kill(signal.SIGINT)
        assert not worker.ended(0.5)
        worker.kill(signal.SIGINT)
        ends(home, worker, 130)
        assert home.rows("SELECT state FROM call") == [("started",)]
        (report,) = home.nursery.run("run", "--agent", "ava", "--model", "program:./answer", *ONCE)
        assert report["outcome"] == "done"
        assert home.rows("SELECT state FROM call WHERE tool = 'slow'") == [("unknown",)]
        assert home.rows("SELECT kind FROM ticket") == [("doubt",)]
        assert not (mind.folder / "sink").exists()
    proved(40, hurried_tool=1)


@pytest.mark.long
def test_a_stop_ends_a_tool_that_hears_nothing_in_time(mind: Mind) -> None:
    with household(mind.folder) as home:
        calls_a_tool(home, deaf=True)
        home.push()
        worker = home.run()
        home.asks()
        worker.kill(signal.SIGTERM)
        ends(home, worker, 0)
        assert home.rows("SELECT state FROM call") == [("started",)]
    proved(40, stubborn_tool=1)


@pytest.mark.heavy
def test_a_build_that_does_not_note_a_stop_has_to_be_killed(mind: Mind) -> None:
    with household(mind.folder, "stop_without_flag") as home:
        answers_at_once(home)
        home.push()
        worker = home.run()
        home.wait_until(worker, home.is_idle)
        worker.kill(signal.SIGTERM)
        assert not worker.ended(2.0)
        worker.kill(signal.SIGKILL)
        assert worker.status() == -signal.SIGKILL
        assert home.rows("SELECT state FROM run") == [("running",)]
    turned_red(40, "stop_without_flag", killed=1)


def wait_for_a_taker(home: Household, *, within: float = LONGEST) -> float:
    """Kill a worker in its first model call; return the seconds until another has its cycle."""
    home.push()
    first = home.run(environment=LEASE)
    home.asks()
    second = home.run("--cycles", "1", environment=LEASE)
    home.wait_until(second, lambda: home.says(second, "another worker"))
    first.kill(signal.SIGKILL)
    assert first.status() == -signal.SIGKILL
    died = time.monotonic()
    ended = second.ended(within)
    seconds = time.monotonic() - died
    if not ended:
        second.kill(signal.SIGKILL)
    assert second.status() == (0 if ended else -signal.SIGKILL), second.words()
    assert [report["cycle"] for report in second.records()] == [1] * ended
    return seconds if ended else 0.0


@pytest.mark.heavy
def test_a_worker_that_stays_takes_over_at_the_first_poll_after_a_lease(mind: Mind) -> None:
    with household(mind.folder) as home:
        seconds = wait_for_a_taker(home)
        assert seconds > 0.0
        assert home.rows("SELECT state, attempts FROM event") == [("done", 2)]
    proved(9, takeovers=1, longest_milliseconds=round(seconds * 1000))


@pytest.mark.heavy
def test_where_leases_never_end_nobody_takes_over(mind: Mind) -> None:
    with household(mind.folder, "lease_without_end") as home:
        assert wait_for_a_taker(home, within=NOBODY_SECONDS) == 0.0
    turned_red(9, "lease_without_end", takeovers=0)
