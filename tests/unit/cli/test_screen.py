"""How an agent stands, live on a terminal and as records in a pipe."""

import json
import os
import re
import select
import signal
import subprocess

from support.command import Mind, clean_environment
from support.patience import LONGEST, until
from support.terminals import terminal

WATCH = ("status", "--agent", "ava", "--watch")
MARKS = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
PUSHED = (1, 2, 3)


def push(mind: Mind, number: int) -> None:
    mind("inbox", "push", "--agent", "ava", "--priority", "1", "--text", f"note {number}")


def test_the_picture_changes_when_the_agent_does(mind_with_agent: Mind) -> None:
    mind = mind_with_agent
    shown, screen = terminal()

    def depths() -> list[int]:
        text = MARKS.sub("", shown.octets.decode(errors="replace"))
        return [int(one) for one in re.findall(r"(\d+) events?", text)]

    environment = {**clean_environment(mind.folder), "TERM": "xterm-256color", "COLUMNS": "100"}
    watching = subprocess.Popen(
        [mind.program, *WATCH],
        stdin=subprocess.DEVNULL,
        stdout=screen,
        stderr=subprocess.PIPE,
        cwd=mind.folder,
        env=environment,
    )
    os.close(screen)
    try:
        until(lambda: b"\x1b[?1049h" in shown.octets, "the screen is its own")
        for number in PUSHED:
            push(mind, number)
            until(lambda number=number: number in depths(), f"{number} events in the picture")
        watching.send_signal(signal.SIGINT)
        _, words = watching.communicate(timeout=LONGEST)
    finally:
        watching.kill()
    assert words == b""
    assert shown.text().rstrip().endswith("\x1b[?1049l"), "it gives the screen back"
    assert depths() == sorted(depths())


def test_a_pipe_gets_a_record_for_each_change_and_none_without_one(mind_with_agent: Mind) -> None:
    mind = mind_with_agent
    with mind.start(*WATCH, "--json") as watching:
        assert watching.stdout

        def record() -> dict:
            assert select.select([watching.stdout], [], [], LONGEST)[0], "no record"
            return json.loads(watching.stdout.readline())

        told = [record()]
        for number in PUSHED:
            push(mind, number)
            told.append(record())
        watching.send_signal(signal.SIGINT)
        rest, words = watching.communicate(timeout=LONGEST)
    assert (rest, words) == (b"", b"")
    assert [one["waiting"]["events"] for one in told] == [0, *PUSHED]
