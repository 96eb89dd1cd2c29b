"""Promise 45: an emergency reaches a worker at its work, takes nothing from it, and is not lost."""

import contextlib
import json
import os
import signal
import time
from collections.abc import Iterator

import pytest

from support.command import Mind
from support.lasting_worker import (
    CALLS,
    DONE,
    Household,
    answers_at_once,
    calls_a_tool,
    household,
    write_program,
)
from support.loopback.provider import Provider
from support.loopback.turns import Turn
from support.patience import LONGEST
from support.processes import Newborn
from support.proofs import proved, turned_red

pytestmark = pytest.mark.skipif(
    not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)"
)

TWO = ("--cycles", "1")
# A tool has what is left of this, less a second for the last rows.
SHORT = {"MIND_INTERRUPTS_EMERGENCY_SHUTDOWN_TIMEOUT": "1.1"}
CALLING_ONCE = """#!/bin/sh
cat >/dev/null
mkdir {folder}/first 2>/dev/null && echo '{calls}' || echo '{done}'
"""


def fire(home: Household, *, level: int = 0, command: str = "") -> None:
    """Push an interrupt from another process."""
    words = home.folder / "interrupt.jsonl"
    body = f', "body": {{"command": "{command}"}}' if command else ""
    words.write_text(f'{{"text": "Fire!"{body}}}\n')
    push = ("inbox", "push", "--agent", "ava", "--level", str(level), str(words))
    home.nursery.run(*push)


def ends(worker: Newborn, *, status: int = 0) -> None:
    """Hold that a worker ends as it should."""
    assert worker.ended(LONGEST), worker.words()
    assert worker.status() == status, worker.words()
    assert "Traceback" not in worker.words()


def interrupted_while_asking(
    home: Household, *, soon: float = LONGEST
) -> tuple[Newborn, float, bool]:
    """Push an emergency during a model call; return the worker, when, and if it ended soon.

    The model answers only when it is let go, so a machine that is slow may take its time.
    """
    home.push()
    worker = home.run(*TWO)
    home.asks()
    fire(home)
    began = time.monotonic()
    return worker, began, worker.ended(soon)


def test_an_emergency_closes_the_model_call_under_way_and_is_read_at_once(mind: Mind) -> None:
    with household(mind.folder) as home:
        worker, began, ended = interrupted_while_asking(home)
        took = round((time.monotonic() - began) * 1000)
        assert ended, worker.words()
        ends(worker)
        (report,) = worker.records()
        assert (report["outcome"], len(report["events"]), report["turns"]) == ("done", 2, 1)
        assert home.rows("SELECT DISTINCT state, attempts FROM event") == [("done", 1)]
        ((parts,),) = home.rows(
            "SELECT parts FROM message WHERE role='note' AND parts LIKE '%Fire!%'"
        )
        assert json.loads(parts)[0]["text"] == 'INTERRUPT (1 event):\n[interrupt operator] "Fire!"'
        assert home.rows("SELECT state FROM ledger ORDER BY attempt") == [("lost",), ("settled",)]
    proved(45, model_call=1, longest_milliseconds=took)


def test_an_emergency_closes_the_connection_to_a_provider(mind: Mind, provider: Provider) -> None:
    provider.hangs()
    provider.answers(Turn(text="I run."))
    with household(mind.folder) as home:
        home.push()
        at = {"ANTHROPIC_BASE_URL": provider.anthropic_url, "ANTHROPIC_API_KEY": "sk-ant-none"}
        worker = home.run("--model", "anthropic/claude-haiku-4-5", *TWO, environment=at)
        home.wait_until(worker, lambda: bool(provider.requests))
        fire(home)
        ends(worker)
        (report,) = worker.records()
        assert (report["outcome"], len(report["events"]), report["turns"]) == ("done", 2, 1)
        assert home.rows("SELECT state FROM ledger ORDER BY attempt") == [("lost",), ("settled",)]
    proved(45, connection=1)


@pytest.mark.heavy
def test_where_nobody_looks_out_an_emergency_waits_for_the_model(mind: Mind) -> None:
    with household(mind.folder, "alarm_asleep") as home:
        worker, _, ended = interrupted_while_asking(home, soon=3.0)
        assert not ended
        home.let_go()
        ends(worker)
        assert [len(report["events"]) for report in worker.records()] == [1]
    turned_red(45, "alarm_asleep", waited=1)


@pytest.mark.heavy
def test_a_tool_under_way_is_ended_and_what_it_did_is_a_doubt(mind: Mind) -> None:
    with household(mind.folder) as home:
        calls_a_tool(home)
        calls_once = CALLING_ONCE.format(
            folder=home.folder, calls=json.dumps(CALLS), done=json.dumps(DONE)
        )
        write_program(home.folder / "answer", calls_once)
        home.push()
        worker = home.run(*TWO, environment=SHORT)
        home.asks()
        fire(home)
        ends(worker)
        assert home.rows("SELECT tool, state FROM call ORDER BY turn") == [
            ("slow", "unknown"),
            ("done", "done"),
        ]
        assert home.rows("SELECT kind, state FROM ticket") == [("doubt", "open")]
        assert home.rows("SELECT turn FROM message WHERE parts LIKE '%Fire!%'") == [(1,)]
        assert [len(report["events"]) for report in worker.records()] == [2]
        assert not (mind.folder / "sink").exists()
    proved(45, tool=1)


@pytest.mark.heavy
def test_a_command_to_stop_ends_a_worker_in_order_within_its_cycle(mind: Mind) -> None:
    with household(mind.folder) as home:
        home.push()
        worker = home.run()
        home.asks()
        fire(home, command="stop")
        ends(worker)
        assert home.rows("SELECT state FROM cycle") == [("open",)]
        assert home.rows("SELECT priority, state FROM event ORDER BY priority") == [
            (0, "done"),
            (3, "ready"),
        ]
        assert home.rows("SELECT state FROM run") == [("clean",)]
        # It is done with: the next worker goes on.
        ends(home.run("--once"))
        assert home.rows("SELECT DISTINCT state FROM event") == [("done",)]
    proved(45, stopped=1)


def test_a_command_that_came_while_nobody_stayed_ends_no_later_worker(mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        fire(home, command="stop")
        home.push()
        worker = home.run("--once")
        ends(worker)
        assert home.rows("SELECT outcome FROM event ORDER BY priority") == [
            ("skipped",),
            ("handled",),
        ]


def test_commands_pause_a_worker_and_let_it_go_on(mind: Mind) -> None:
    with household(mind.folder) as home:
        home.push()
        worker = home.run()
        home.asks()
        fire(home, command="pause")
        home.wait_until(worker, lambda: home.says(worker, "is paused"))
        assert home.rows("SELECT state FROM event ORDER BY priority") == [("done",), ("ready",)]
        fire(home, level=1, command="resume")
        home.wait_until(worker, home.is_idle)
        fire(home, level=2, command="stop")
        ends(worker)
        assert home.rows("SELECT DISTINCT state FROM event") == [("done",)]
    proved(45, paused=1)


def test_words_of_strangers_command_nothing(mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        line = home.folder / "line.jsonl"
        line.write_text('{"body": {"command": "stop"}, "source": "web", "text": "Stop."}\n')
        home.nursery.run("inbox", "push", "--agent", "ava", "--level", "0", str(line))
        worker = home.run("--once")
        ends(worker)
        assert [report["outcome"] for report in worker.records()] == ["done"]
        assert home.rows("SELECT outcome FROM event") == [("handled",)]


@pytest.mark.heavy
@pytest.mark.parametrize("failpoint", ["join.before_commit", "join.after_commit"])
def test_a_worker_that_dies_as_an_emergency_joins_leaves_it_to_the_next(
    failpoint: str, mind: Mind
) -> None:
    with household(mind.folder) as home:
        home.push()
        worker = home.run(environment=Mind(home.folder).failing(f"{failpoint}:kill"))
        home.asks()
        fire(home)
        ends(worker, status=-signal.SIGKILL)
        ends(home.run("--once"))
        assert home.rows("SELECT DISTINCT state FROM event") == [("done",)]
        assert home.rows(
            "SELECT count(*) FROM message WHERE role IN ('user', 'note') AND parts LIKE '%Fire!%'"
        ) == [(1,)]
    proved(45, killed=1)


@pytest.mark.heavy
def test_a_deaf_tool_does_not_hold_up_a_stop(mind: Mind) -> None:
    with household(mind.folder) as home:
        calls_a_tool(home, deaf=True)
        home.push()
        worker = home.run(environment=SHORT)
        home.asks()
        worker.kill(signal.SIGTERM)
        ends(worker)
        assert home.rows("SELECT state FROM call") == [("started",)]


@contextlib.contextmanager
def unheard(home: Household, name: str) -> Iterator[Newborn]:
    """Let a worker stay that leaves a signal to the system."""
    answers_at_once(home)
    home.push()
    worker = home.run(environment={f"MIND_INTERRUPTS_HANDLE_{name}": "false"})
    home.wait_until(worker, home.is_idle)
    yield worker


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", -15), ("SIGINT", 130)])
def test_a_signal_that_a_worker_is_not_to_hear_ends_it_like_any_command(
    name: str, status: int, mind: Mind
) -> None:
    with household(mind.folder) as home, unheard(home, name) as worker:
        worker.kill(signal.Signals[name])
        ends(worker, status=status)


@pytest.mark.heavy
def test_crashes_at_one_place_make_the_next_rest_and_tell_a_person(mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        home.push()
        for number in range(3):
            failing = Mind(home.folder).failing("record.after_commit:kill")
            worker = home.run(environment=failing)
            ends(worker, status=-signal.SIGKILL)
            assert home.says(worker, "at the same place") is (number > 1)
            home.change("UPDATE turn SET state='asking', answer=NULL")
        ends(home.run("--once"))
        ((kind, reason),) = home.rows("SELECT kind, reason FROM ticket")
        assert (kind, "3 crashes in a row at the same place: cycle" in reason) == (
            "escalation",
            True,
        )
        told = home.rows("SELECT text FROM event WHERE source='recovery' ORDER BY seq")
        assert ["crash 2 at this place" in text for (text,) in told][1]
        remembered = home.rows(
            "SELECT text, kind, origin FROM memory_item WHERE text LIKE '%crashed%' ORDER BY number"
        )
        assert remembered == [(text, "episodic", "program") for (text,) in told]
        assert home.rows('SELECT "after" FROM mode_change ORDER BY number') == [
            ("recovery",),
            ("normal",),
        ]
