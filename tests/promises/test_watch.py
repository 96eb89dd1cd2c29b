"""A watch hears of an event when it is there, and ends as it is told."""

import json
import signal

import pytest

from support.command import Mind
from support.patience import LONGEST


@pytest.fixture
def life(mind_with_store: Mind) -> Mind:
    mind_with_store("agent", "new", "ava")
    return mind_with_store


def test_events_are_printed_as_they_come_and_sigterm_ends_it(life: Mind) -> None:
    watching = life.start("inbox", "watch", "--agent", "ava")
    assert watching.stdout
    for text in ("one", "two"):
        life("inbox", "push", "--agent", "ava", "--text", text)
        assert json.loads(watching.stdout.readline())["text"] == text
    watching.send_signal(signal.SIGTERM)
    stdout, stderr = watching.communicate(timeout=LONGEST)
    assert (watching.returncode, stdout, stderr) == (-signal.SIGTERM, b"", b"")


def test_a_watch_that_nobody_reads_ends(life: Mind) -> None:
    with life.start("inbox", "watch", "--agent", "ava") as watching:
        assert watching.stdout
        assert watching.stderr
        watching.stdout.close()
        life("inbox", "push", "--agent", "ava", "--text", "one")
        assert (watching.wait(timeout=LONGEST), watching.stderr.read()) == (141, b"")


def test_a_watch_ends_after_its_time(life: Mind) -> None:
    ran = life.run("inbox", "watch", "--agent", "ava", "--timeout", "0.2")
    assert (ran.status, ran.words) == (3, "mind inbox watch: nothing came for ava.\n")
