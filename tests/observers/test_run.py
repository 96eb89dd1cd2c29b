"""`mind run --observe`: what is observed is thought about, and the worker ends in order."""

import contextlib
import signal
import subprocess
from pathlib import Path

from running import BIN, SECONDS, Mind
from watched import until

ANSWER = """#!/bin/sh
cat > /dev/null
echo '{"text": "Seen."}'
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
    (mind.folder / "answer").write_text(ANSWER)
    (mind.folder / "answer").chmod(0o700)
    fixed = ("MIND_NOW", "MIND_SEED")
    environment = {k: v for k, v in mind._environment(None).items() if k not in fixed}
    arguments = ("run", "--agent", "ava", "--model", "program:./answer")
    with subprocess.Popen(
        [str(BIN / "mind"), *arguments, "--observe", "observe.yaml"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=mind.folder,
        env=environment,
    ) as running:
        until(lambda: _done(mind) == ["warm"], "the program's line")
        (mind.folder / "notes" / "a.md").write_text("first")
        until(lambda: len(_done(mind)) == 2, "the note")
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=SECONDS)
    assert running.returncode == 0, errors
    assert set(_done(mind)) == {"warm", "a.md was created (file_created)."}
    assert b"git in" in errors
    assert _left(mind.folder.resolve()) == []


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
