"""A loop is watched: its log, and the alerts that its iterations sound."""

import contextlib
import json
from pathlib import Path

import msgspec
import pytest

from mindpipe.io.chance import SeededChance
from mindpipe.monitoring.rules import parse_rules
from mindpipe.monitoring.verbs import alert as alerting
from mindpipe.monitoring.watch import IterationWatch, logbook_of
from mindpipe.settings import Settings
from mindpipe.store.access import open_store
from mindpipe.store.sqlite import SqliteStore
from mindpipe.workers.records import Iteration, LoopMode
from support.command import NOW, Mind, make_private
from support.fakes import FixedClock

ANSWER = """#!/usr/bin/env python3
import json, sys
json.load(sys.stdin)
print(json.dumps({"text": "Noted."}))
"""
PROPOSING = """#!/bin/sh
case "$(tail -c 4000)" in
*'"role":"tool"'* | *'Decision d_'*) echo '{"text": "Well."}' ;;
*) echo '{"tool_calls": [{"name": "propose", "arguments": {"kind": "money", "tool": "pay",
"arguments": {"amount": 5}, "confidence": 0.6}}]}' ;;
esac
"""
PAY = '[{"name": "pay", "description": "Pay.", "command": ["tee", "paid"]}]'
RULES = "critical: queue_depth > 12 until 6; warning: consecutive_errors > 0"


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    mind = Mind(make_private(tmp_path / "life"), forked=True)
    mind("init")
    mind("agent", "new", "ava", "--tools", "full")
    program = mind.folder / "answer"
    program.write_text(ANSWER)
    program.chmod(0o700)
    mind.environment["MIND_LOGGING_PATH"] = "logs"
    mind.environment["MIND_ALERTS_RULES"] = RULES
    mind.environment["MIND_LOOP_OVERLOAD_QUEUE"] = "10"
    mind.environment["MIND_LOOP_OVERLOAD_ENDS"] = "5"
    return mind


def push(mind: Mind, count: int) -> None:
    lines = "".join(json.dumps({"text": f"note {number}"}) + "\n" for number in range(count))
    mind("inbox", "push", "--agent", "ava", stdin=lines)


def lines(mind: Mind, what: str) -> list[dict]:
    log = (mind.folder / "logs" / "mind.jsonl").read_text().splitlines()
    return [line for line in map(json.loads, log) if line["what"] == what]


@pytest.mark.heavy
def test_a_deep_queue_fires_and_its_end_clears(mind: Mind) -> None:
    push(mind, 20)
    mind("run", "--agent", "ava", "--model", "program:./answer", "--once")
    (alert,) = mind("alert", "list", "--agent", "ava").records()
    assert (alert["metric"], alert["state"], alert["worst"]) == ("queue_depth", "cleared", 17.0)
    assert [line["state"] for line in lines(mind, "alert")] == ["firing", "cleared"]
    assert [line["level"] for line in lines(mind, "alert")] == ["ERROR", "INFO"]


@pytest.mark.heavy
def test_the_log_holds_every_iteration_and_change_of_mode(mind: Mind) -> None:
    push(mind, 20)
    ran = mind("run", "--agent", "ava", "--model", "program:./answer", "--once")
    lived = [line for line in lines(mind, "iteration") if "cycle" in line]
    assert [line["cycle"] for line in lived] == [one["cycle"] for one in ran.records()]
    assert sum(line["events"] for line in lived) == 20
    assert [line["after"] for line in lines(mind, "mode")] == ["normal"]
    words = [line["words"] for line in lines(mind, "said")]
    assert any("overload" in one for one in words)
    assert all(f"mind run: {one}" in ran.words for one in words)


def test_errors_in_a_row_are_counted_until_one_iteration_succeeds(mind: Mind) -> None:
    store = open_store(mind.folder / "mind.db")
    settings = Settings(options={}, environment={"MIND_ALERTS_RULES": RULES}, files=())
    watchman = IterationWatch(
        store, FixedClock(), SeededChance(1), settings, agent="ava", book=None
    )
    told = []
    for number, error in enumerate((None, "no", "no", None, "no"), start=1):
        watchman.heard(
            Iteration(
                agent="ava",
                number=number,
                life="r_1",
                at=NOW,
                mode=LoopMode.NORMAL,
                error=error,
            )
        )
        told.append([one.worst for one in alerting.firing(store, agent="ava")])
    store.close()
    assert told == [[], [1.0], [2.0], [], [1.0]]


def test_without_a_folder_there_is_no_log(mind: Mind) -> None:
    del mind.environment["MIND_LOGGING_PATH"]
    push(mind, 1)
    mind("run", "--agent", "ava", "--model", "program:./answer", "--once")
    assert not (mind.folder / "logs").exists()


def test_a_log_that_cannot_be_kept_ends_the_run_before_anything_is_done(mind: Mind) -> None:
    (mind.folder / "logs").write_text("")
    push(mind, 1)
    ran = mind.run("run", "--agent", "ava", "--model", "program:./answer", "--once")
    assert ran.status == 74
    assert "logs" in ran.words
    assert len(mind("inbox", "list", "--agent", "ava").records()) == 1


@pytest.mark.heavy
def test_a_level_says_how_much_is_logged(mind: Mind) -> None:
    found = {}
    for level in ("DEBUG", "INFO", "WARNING"):
        mind.environment |= {"MIND_LOGGING_LEVEL": level, "MIND_LOGGING_PATH": f"logs/{level}"}
        push(mind, 11)
        mind("run", "--agent", "ava", "--model", "program:./answer", "--once")
        log = (mind.folder / "logs" / level / "mind.jsonl").read_text().splitlines()
        found[level] = {(line["what"], line["level"]) for line in map(json.loads, log)}
    usual = {("life", "INFO"), ("iteration", "INFO"), ("said", "INFO"), ("mode", "INFO")}
    assert found["WARNING"] == set()
    assert found["INFO"] == usual
    assert found["DEBUG"] == {*usual, ("attended", "DEBUG"), ("checkpoint", "DEBUG")}


def test_the_log_says_when_a_life_begins_and_ends(mind: Mind) -> None:
    push(mind, 1)
    mind("run", "--agent", "ava", "--model", "program:./answer", "--once")
    assert [line["state"] for line in lines(mind, "life")] == ["begins", "ends"]


def watched(
    mind: Mind, clock: FixedClock, agent: str = "ava", **environment: str
) -> tuple[IterationWatch, SqliteStore]:
    store = open_store(mind.folder / "mind.db")
    settings = Settings(options={}, environment=environment, files=())
    watchman = IterationWatch(
        store, clock, SeededChance(1), settings, agent=agent, book=logbook_of(settings)
    )
    return watchman, store


def test_an_alert_of_a_figure_that_falls_in_idle_time_clears(mind: Mind) -> None:
    clock = FixedClock()
    rules = {"MIND_ALERTS_RULES": "warning: persistent_memory_growth > 0.001"}
    watchman, store = watched(mind, clock, **rules)
    with contextlib.closing(store):
        watchman.rested()
        push(mind, 200)
        clock.pass_time(600)
        watchman.rested()
        (growing,) = alerting.firing(store, agent="ava")
        assert growing.metric == "persistent_memory_growth"
        for _ in range(13):
            clock.pass_time(301)
            watchman.rested()
        assert alerting.firing(store, agent="ava") == []


def test_a_worker_raises_and_keeps_what_plans_missed_at_each_look(mind: Mind) -> None:
    clock = FixedClock()
    watchman, store = watched(mind, clock, MIND_ALERTS_RULES="warning: missed_windows > 0")
    idle = Iteration(agent="ava", number=1, life="r_1", at=NOW, mode=LoopMode.NORMAL)
    looks = (watchman.rested, lambda: watchman.heard(idle))
    with contextlib.closing(store):
        for look in looks:
            look()
        assert alerting.firing(store, agent="ava") == []
        mind("plan", "add", "--agent", "ava", "Report", "--after", "1s")
        clock.pass_time(302)
        watchman.rested()
        assert [one.metric for one in alerting.firing(store, agent="ava")] == ["missed_windows"]
        mind("plan", "remove", mind("plan", "list").record()["id"])
        clock.pass_time(2)
        watchman.rested()
        assert alerting.firing(store, agent="ava") == []


def test_no_alert_is_judged_by_a_figure_of_before(mind: Mind) -> None:
    clock = FixedClock()
    rules = {"MIND_ALERTS_RULES": "warning: missed_windows > 0; warning: crash_count > 0"}
    watchman, store = watched(mind, clock, **rules)
    idle = Iteration(agent="ava", number=1, life="r_1", at=NOW, mode=LoopMode.NORMAL)
    fired = {"missed_windows", "crash_count"}
    with contextlib.closing(store):
        watchman.heard(idle)
        mind("plan", "add", "--agent", "ava", "Report", "--after", "1s")
        clock.pass_time(299)
        watchman.heard(idle)
        alerting.check(
            store,
            clock,
            SeededChance(2),
            agent="ava",
            rules=parse_rules(rules["MIND_ALERTS_RULES"], hysteresis=0.0),
            values=dict.fromkeys(fired, 1.0),
        )
        watchman.heard(msgspec.structs.replace(idle, number=2))
        assert {one.metric for one in alerting.firing(store, agent="ava")} == {"crash_count"}


def test_each_agent_of_a_store_has_figures_of_now(mind: Mind) -> None:
    mind("agent", "new", "bea")
    clock = FixedClock()
    rules = {"MIND_ALERTS_RULES": "warning: queue_depth > 5"}
    ava, store = watched(mind, clock, **rules)
    bea, other = watched(mind, clock, agent="bea", **rules)
    with contextlib.closing(store), contextlib.closing(other):
        push(mind, 9)
        events = "".join(json.dumps({"text": f"note {number}"}) + "\n" for number in range(9))
        mind("inbox", "push", "--agent", "bea", stdin=events)
        clock.pass_time(301)
        ava.rested()
        bea.rested()
        assert [len(alerting.firing(store, agent=one)) for one in ("ava", "bea")] == [1, 1]


def test_a_log_that_can_be_written_no_more_is_told_of_once_and_ends_nothing(mind: Mind) -> None:
    logs = mind.folder / "full"
    watchman, store = watched(mind, FixedClock(), MIND_LOGGING_PATH=str(logs))
    said: list[str] = []
    tell = watchman.telling(said.append)
    (logs / "mind.jsonl").unlink()
    (logs / "mind.jsonl").mkdir()
    tell("one")
    tell("two")
    store.close()
    assert said[0] == "one"
    assert [word.startswith("nothing is logged: ") for word in said] == [False, True, False]


@pytest.mark.heavy
def test_an_approved_decision_is_acted_on_and_logged(mind: Mind) -> None:
    mind.environment["MIND_LOGGING_LEVEL"] = "DEBUG"
    (mind.folder / "answer").write_text(PROPOSING)
    (mind.folder / "tools.json").write_text(PAY)
    mind("agent", "set", "ava", "--tool", "tools.json")
    push(mind, 1)
    run = ("run", "--agent", "ava", "--model", "program:./answer", "--once")
    mind(*run)
    (waits,) = mind("decision", "list", "--agent", "ava").records()
    mind("decision", "approve", waits["id"], "--hash", waits["sha256"])
    mind(*run)
    assert mind("decision", "show", waits["id"]).records()[0]["state"] == "applied"
    assert [line["events"] for line in lines(mind, "attended")][1] == []
    assert [line["state"] for line in lines(mind, "life")] == ["begins", "ends"] * 2


def test_what_is_no_line_of_a_log_is_told_of_and_ends_nothing(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = mind.folder / "odd"
    settings = Settings(options={}, environment={"MIND_LOGGING_PATH": str(logs)}, files=())
    store, book = open_store(mind.folder / "mind.db"), logbook_of(settings)
    assert book is not None
    watchman = IterationWatch(
        store, FixedClock(), SeededChance(1), settings, agent="ava", book=book
    )
    said: list[str] = []
    watchman.telling(said.append)
    monkeypatch.setattr("mindpipe.monitoring.watch.log.last_change", lambda *_a, **_k: {}["marks"])
    first = Iteration(agent="ava", number=1, life="r_1", at=NOW, mode=LoopMode.NORMAL)
    with contextlib.closing(store), contextlib.closing(book):
        watchman.heard(first)
        watchman.heard(msgspec.structs.replace(first, number=2, mode=LoopMode.SLEEP))
        watchman.heard(msgspec.structs.replace(first, number=3, mode=LoopMode.SLEEP))
    assert said == ["nothing is logged: KeyError: 'marks'"]
    logged = map(json.loads, (logs / "mind.jsonl").read_text().splitlines())
    assert [line["number"] for line in logged] == [1, 2, 3]
