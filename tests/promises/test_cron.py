"""Promise 18: overlapping cron runs do the work once; missed windows run once."""

import collections
import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

from mindpipe.store.connection import connect
from running import ROOT, Mind, clean_environment

STARTS = 20
LATER = {"MIND_NOW": "2026-11-24T20:00:00Z"}
LAST_WINDOW = "2026-11-24T09:00:00Z"
RED = ROOT / "tests" / "red" / "plan_without_claims.py"


def plan_a_day(mind: Mind) -> str:
    """Make an agent with a daily plan and return the plan's id."""
    mind("agent", "new", "ava")
    return mind("plan", "add", "--agent", "ava", "Daily", "--cron", "0 9 * * *").record()["id"]


def start_at_once(mind: Mind, program: list[str]) -> tuple[collections.Counter[str], list[int]]:
    """Start 20 processes at once; return how often each key was printed, and the statuses."""
    running = [
        subprocess.Popen(
            [*program, "plan", "due"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=mind.folder,
            env=environment(mind),
        )
        for _ in range(STARTS)
    ]
    ended = [(process.communicate(), process.returncode) for process in running]
    lines = [line for (stdout, _), _ in ended for line in stdout.splitlines()]
    printed = collections.Counter(json.loads(line)["key"] for line in lines)
    return printed, [status for _, status in ended]


def environment(mind: Mind) -> dict[str, str]:
    """Return the environment of a process that starts when three windows have been missed."""
    return {**clean_environment(mind.folder), **LATER}


def the_build() -> list[str]:
    return [str(Path(sys.executable).parent / "mind")]


def test_twenty_starts_print_each_window_once(mind_with_store: Mind) -> None:
    once = plan_a_day(mind_with_store)
    rule = ("--cron", "30 9 * * *", "--catch-up", "all")
    each = mind_with_store("plan", "add", "--agent", "ava", "Each", *rule).record()["id"]
    printed, statuses = start_at_once(mind_with_store, the_build())
    days = ("2026-11-22", "2026-11-23", "2026-11-24")
    missed = {f"plan:{each}:{day}T09:30:00Z": 1 for day in days}
    assert printed == {f"plan:{once}:{LAST_WINDOW}": 1} | missed
    assert sorted(statuses) == [0] + [3] * (STARTS - 1)
    (plan, _) = mind_with_store("plan", "list").records()
    assert (plan["last"], plan["next"]) == (LAST_WINDOW, "2026-11-25T09:00:00Z")


def test_a_build_that_keeps_no_row_for_a_window_prints_it_more_than_once(
    mind_with_store: Mind,
) -> None:
    plan = plan_a_day(mind_with_store)
    printed, _ = start_at_once(mind_with_store, [sys.executable, str(RED)])
    assert printed[f"plan:{plan}:{LAST_WINDOW}"] > 1


def test_a_reader_that_left_loses_no_window(mind_with_store: Mind) -> None:
    plan = plan_a_day(mind_with_store)
    reading, writing = os.pipe()
    os.close(reading)
    left = subprocess.run(
        [*the_build(), "plan", "due"],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=mind_with_store.folder,
        env=environment(mind_with_store),
        check=False,
    )
    os.close(writing)
    assert (left.returncode, left.stderr) == (141, b"")
    again = mind_with_store.run("plan", "due", environment=LATER).record()
    assert again["body"] == {"plan": plan, "title": "Daily", "window": LAST_WINDOW}


def test_a_process_that_dies_before_it_printed_loses_no_window(mind_with_store: Mind) -> None:
    plan_a_day(mind_with_store)
    killed = mind_with_store.run(
        "plan",
        "due",
        environment={**LATER, **mind_with_store.failing("print.before_flush:kill")},
    )
    assert (killed.status, killed.stdout) == (-9, b"")
    assert mind_with_store.run("plan", "due", environment=LATER).status == 3
    (claimed,) = mind_with_store(
        "store", "query", "SELECT state, attempts FROM plan_window"
    ).records()
    assert claimed == {"state": "claimed", "attempts": 1}
    with contextlib.closing(connect(mind_with_store.folder / "mind.db")) as store:
        store.execute("UPDATE plan_window SET boot = 'another boot'")
    again = mind_with_store.run("plan", "due", environment=LATER)
    assert again.record()["body"]["window"] == LAST_WINDOW


def test_pushing_twice_leaves_one_event(mind_with_store: Mind) -> None:
    plan_a_day(mind_with_store)
    killed = mind_with_store.run(
        "plan",
        "due",
        "--push",
        environment={**LATER, **mind_with_store.failing("print.before_flush:kill")},
    )
    assert killed.status == -9
    assert mind_with_store.run("plan", "due", "--push", environment=LATER).status == 3
    (event,) = mind_with_store("inbox", "list", "--agent", "ava").records()
    assert event["type"] == "plan"
