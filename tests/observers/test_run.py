"""`mind run`: what is observed and what is planned is thought about; it ends in order."""

import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.core.instants import seconds_between
from support.command import BIN, SECONDS, Mind
from support.patience import until

pytestmark = pytest.mark.heavy

PATIENCE = 60.0
ANSWER = """#!/bin/sh
cat > /dev/null
echo '{"text": "Seen."}'
"""
PLANNER = f"""#!{sys.executable}
import pathlib, sqlite3, subprocess, sys, time

def events():
    with sqlite3.connect("file:mind.db?mode=ro", uri=True) as store:
        return [one for (one,) in store.execute("SELECT agent FROM event WHERE type = 'plan'")]

sys.stdin.read()
if not events():
    for agent in ("ava", "eve"):
        add = ["{BIN}/mind", "plan", "add", "--agent", agent, "Soon", "--after", "1s"]
        subprocess.run(add, check=True, stdout=subprocess.DEVNULL)
    end = time.monotonic() + {PATIENCE}
    while set(events()) != {{"ava", "eve"}} and time.monotonic() < end:
        time.sleep(0.02)
    pathlib.Path("hears").write_text(" ".join(sorted(events())))
    pathlib.Path("hears").rename("heard")
print('{{"text": "Seen."}}')
"""
CONFIG = """
root: notes
initial: report
observation_points: {notes: [{path: "*.md", observer: Notes, priority_boost: 3}]}
programs: [{observer: Sensor, command: [sh, -c, "echo '{\\"text\\":\\"warm\\"}'; exec sleep 600"]}]
git: [{observer: Nowhere, path: nowhere}]
"""


def test_a_worker_observes_while_it_lives_and_stops_its_observers(mind_with_agent: Mind) -> None:
    mind = mind_with_agent
    (mind.folder / "observe.yaml").write_text(CONFIG)
    (mind.folder / "notes").mkdir()
    with _running(mind, ANSWER, "--observe", "observe.yaml") as running:
        until(lambda: _done(mind) == ["warm"], "the program's line")
        (mind.folder / "notes" / "a.md").write_text("first")
        until(lambda: len(_done(mind)) == 2, "the note")
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=SECONDS)
    assert running.returncode == 0, errors
    assert set(_done(mind)) == {"warm", "a.md was created (file_created)."}
    assert b"git in" in errors
    assert _left(mind.folder.resolve()) == []


@pytest.mark.parametrize("options", [(), ("--observe", "observe.yaml")])
def test_a_sleeping_worker_wakes_for_its_plans(mind_with_agent: Mind, options: tuple[str]) -> None:
    mind = mind_with_agent
    (mind.folder / "observe.yaml").write_text("git: [{observer: Nowhere, path: nowhere}]\n")
    mind("plan", "add", "--agent", "ava", "Missed", "--at", "2026-11-20T09:00:00Z")
    with _running(mind, ANSWER, *options) as running:
        until(lambda: _done(mind) == ["Missed"], "the plan that was slept through")
        _in_real_time(mind, "plan", "add", "--agent", "ava", "Soon", "--after", "3s")
        until(lambda: _done(mind) == ["Missed", "Soon"], "the plan that came")
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=SECONDS)
    assert running.returncode == 0, errors
    plan = mind("plan", "list", "--json").records()[1]
    soon = mind("inbox", "list", "--agent", "ava", "--state", "done", "--json").records()[1]
    # Not before its time; how long after it depends on how busy the machine is.
    assert seconds_between(plan["last"], soon["pushed"]) >= 0


def test_a_plan_is_told_once_though_its_worker_is_killed(mind_with_agent: Mind) -> None:
    mind = mind_with_agent
    mind("plan", "add", "--agent", "ava", "Missed", "--at", "2026-11-20T09:00:00Z")
    with _running(mind, "#!/bin/sh\necho >asked\nexec sleep 600\n") as running:
        until((mind.folder / "asked").exists, "the model")
        running.kill()
        running.communicate(timeout=SECONDS)
    (mind.folder / "answer").write_text(ANSWER)
    once = ("run", "--agent", "ava", "--model", "program:./answer", "--once")
    assert _in_real_time(mind, *once) == 0
    assert _done(mind).count("Missed") == 1
    assert _in_real_time(mind, *once) == 3
    assert _done(mind).count("Missed") == 1


def test_a_plan_for_a_full_inbox_waits_until_there_is_room(mind_with_agent: Mind) -> None:
    mind = mind_with_agent
    (mind.folder / "mind.toml").write_text("[inbox]\nmax_open = 1\n")
    (mind.folder / "answer").write_text(ANSWER)
    (mind.folder / "answer").chmod(0o700)
    mind("inbox", "push", "--agent", "ava", "--text", "First")
    mind("plan", "add", "--agent", "ava", "Missed", "--at", "2026-11-20T09:00:00Z")
    ended = mind("run", "--agent", "ava", "--model", "program:./answer", "--once")
    assert b"1 open events" in ended.stderr, ended
    assert _done(mind) == ["First", "Missed"]


def test_plans_fire_while_a_cycle_runs(mind_with_agent: Mind) -> None:
    mind = mind_with_agent
    mind("agent", "new", "eve")
    mind("inbox", "push", "--agent", "ava", "--text", "Begin")
    with _running(mind, PLANNER, "--agent", "eve", "--together") as running:
        until((mind.folder / "heard").exists, "an answer of the model that waits for plans")
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=SECONDS)
    assert running.returncode == 0, errors
    assert (mind.folder / "heard").read_text() == "ava eve"
    assert b"Traceback" not in errors


@contextlib.contextmanager
def _running(mind: Mind, answer: str, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Let `mind run` stay, with a program as its model, by the real clock."""
    (mind.folder / "answer").write_text(answer)
    (mind.folder / "answer").chmod(0o700)
    arguments = ("run", "--agent", "ava", "--model", "program:./answer")
    with subprocess.Popen(
        [str(mind.program), *arguments, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=mind.folder,
        env=_real_time(mind),
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def _in_real_time(mind: Mind, *arguments: str) -> int:
    """Run a command by the real clock and return its status."""
    command = [str(mind.program), *arguments]
    return subprocess.run(
        command, cwd=mind.folder, env=_real_time(mind), capture_output=True, check=False
    ).returncode


def _real_time(mind: Mind) -> dict[str, str]:
    """Return the environment of a command that goes by the real clock."""
    fixed = ("MIND_NOW", "MIND_SEED")
    return {k: v for k, v in mind._environment(None).items() if k not in fixed}


def _done(mind: Mind) -> list[str]:
    """Return the texts of the events that are done."""
    listed = mind("inbox", "list", "--agent", "ava", "--state", "done", "--json")
    return [one["text"] for one in listed.records()]


def _left(folder: Path) -> list[str]:
    """Return the processes that still work in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "cwd").readlink() == folder:
                found.append(process.name)
    return found
