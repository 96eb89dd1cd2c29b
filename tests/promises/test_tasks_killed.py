"""Promise 42 with real processes: whoever of a task's is killed, the task has an owner again."""

import functools
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from support.command import BIN, SECONDS, Mind
from support.patience import until
from support.proofs import proved

pytestmark = pytest.mark.heavy

WORK = """#!/bin/sh
echo $$ >> worked
echo "$IDEMPOTENCY_KEY" >> keys
if [ "$(wc -l < worked)" -gt 1 ]; then echo '{"result": "42"}'; exit; fi
echo '{"progress": 0.6, "checkpoint": {"at": 6}}'
exec sleep 600
"""
QUICK = """#!/bin/sh
echo "$IDEMPOTENCY_KEY" >> keys
echo '{"result": 1}'
"""


def lines(path: Path) -> list[str]:
    """Return the lines of a file, none where there is none yet."""
    return path.read_text().split() if path.exists() else []


def is_gone(pid: int) -> bool:
    """Tell whether a process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):  # before it was opened, or before it was read
        return True


def is_done(mind: Mind, task: str) -> bool:
    """Tell whether a task is done."""
    return mind("task", "show", task).record()["state"] == "done"


def working(mind: Mind, task: str) -> bool:
    """Tell whether the worker of a task has said how far it is."""
    return mind("task", "show", task).record().get("progress") == 0.6


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processes in /proc")
@pytest.mark.parametrize("victim", ["worker", "program"])
def test_a_killed_one_is_replaced_under_the_same_key(mind_with_agent: Mind, victim: str) -> None:
    mind = mind_with_agent
    (mind.folder / "work").write_text(WORK)
    (mind.folder / "work").chmod(0o700)
    added = mind("task", "add", "--agent", "ava", "--worker", "program:./work", "Add up")
    task = added.record()["id"]
    mind("act", "--agent", "ava")
    until(lambda: working(mind, task), "the first half")
    (program,) = map(int, lines(mind.folder / "worked"))
    worker = mind("task", "show", task).record()["worker"]["pid"]
    os.kill(worker if victim == "worker" else program, signal.SIGKILL)
    until(lambda: is_gone(program), "the end of the program")
    until(lambda: is_gone(worker), "the end of the worker")
    assert mind("act", "--agent", "ava").record()["sent"] == [task]
    until(lambda: is_done(mind, task), "the result")
    found = mind("task", "show", task).record()
    assert (found["result"], found["sends"], found["retry_count"]) == ("42", 2, 1)
    assert lines(mind.folder / "keys") == [found["key"]] * 2
    assert mind("ticket", "list", "--every").records() == []


def test_a_loop_that_is_killed_leaves_every_task_to_the_next(mind_with_agent: Mind) -> None:
    mind, deaths = mind_with_agent, 0
    (mind.folder / "work").write_text(QUICK)
    (mind.folder / "work").chmod(0o700)
    for point in ("before_send", "after_send", "after_start"):
        added = mind("task", "add", "--agent", "ava", "--worker", "program:./work", point)
        task = added.record()["id"]
        died = subprocess.run(
            [BIN / "mind", "act", "--agent", "ava"],
            cwd=mind.folder,
            env=mind._environment({"MIND_TESTING": "1", "MIND_FAIL": f"task.{point}:kill"}),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        assert died.returncode == -signal.SIGKILL, (point, died.stderr)
        deaths += 1
        mind.run("task", "recover", "--agent", "ava")
        until(functools.partial(is_done, mind, task), point)
        assert mind("task", "show", task).record()["key"] in lines(mind.folder / "keys")
    told = json.dumps(mind("inbox", "list", "--agent", "ava").records())
    assert told.count(":done:") == deaths
    proved(42, real_deaths=deaths)
