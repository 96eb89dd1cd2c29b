"""A loop is watched: its log, and the alerts that its iterations sound."""

import json
from pathlib import Path

import pytest

from fakes import FixedClock
from mindpipe.loop.records import Iteration, Mode
from mindpipe.monitoring.verbs import alerting
from mindpipe.wiring.chance import SeededChance
from mindpipe.wiring.settings import Settings
from mindpipe.wiring.stores import open_store
from mindpipe.wiring.watchman import Watchman
from running import NOW, Mind, make_private

ANSWER = """#!/usr/bin/env python3
import json, sys
json.load(sys.stdin)
print(json.dumps({"text": "Noted."}))
"""
RULES = "critical: queue_depth > 12 until 6; warning: consecutive_errors > 0"


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    mind = Mind(make_private(tmp_path / "life"), forked=True)
    mind("init")
    mind("agent", "new", "ava")
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


def test_a_deep_queue_fires_and_its_end_clears(mind: Mind) -> None:
    push(mind, 20)
    mind("run", "--agent", "ava", "--model", "program:./answer", "--once")
    (alert,) = mind("alert", "list", "--agent", "ava").records()
    assert (alert["metric"], alert["state"], alert["worst"]) == ("queue_depth", "cleared", 17.0)
    assert [line["state"] for line in lines(mind, "alert")] == ["firing", "cleared"]
    assert [line["level"] for line in lines(mind, "alert")] == ["ERROR", "INFO"]


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
    watchman = Watchman(store, FixedClock(), SeededChance(1), settings, agent="ava", book=None)
    told = []
    for number, error in enumerate((None, "no", "no", None, "no"), start=1):
        watchman.heard(
            Iteration(
                agent="ava",
                number=number,
                life="r_1",
                at=NOW,
                mode=Mode.NORMAL,
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
