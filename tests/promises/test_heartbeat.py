"""A worker keeps its lease as long as its model takes; who never renews it is replaced."""

import contextlib
import os
import select
import time
from pathlib import Path

import pytest

from nursery import Nursery
from proving import proved, turned_red
from running import Mind

LEASE = {"MIND_INBOX_LEASE_SECONDS": "0.6"}
LEASES = 3
LONGEST = 60.0
THINK = ["think", "--agent", "ava", "--model", "program:./answer"]
MODEL = """#!/bin/sh
cat >/dev/null
if mkdir {folder}/first 2>/dev/null; then
    echo asked >{folder}/asked
    read -r word <{folder}/go
fi
echo '{{"text": "Good morning."}}'
"""


def rival_statuses(nursery: Nursery, folder: Path) -> list[int]:
    """Let other workers try for three leases, or until one has the agent; return their statuses."""
    until = time.monotonic() + LEASES * float(LEASE["MIND_INBOX_LEASE_SECONDS"])
    statuses = []
    while time.monotonic() < until and 0 not in statuses:
        statuses.append(nursery.start(THINK, folder / "rival", LEASE).status())
    return statuses


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)")
@pytest.mark.parametrize(("build", "ends"), [("", (75, 0)), ("worker_without_heartbeat", (0, 75))])
def test_a_lease_holds_as_long_as_the_model_takes(
    build: str, ends: tuple[int, int], mind: Mind
) -> None:
    folder = mind.folder
    for name in ("asked", "go"):
        os.mkfifo(folder / name, 0o600)
    (folder / "answer").write_text(MODEL.format(folder=folder))
    (folder / "answer").chmod(0o700)
    with contextlib.ExitStack() as stack:
        nursery = stack.enter_context(contextlib.closing(Nursery(folder, build)))
        # Both ends of each, so that neither opening nor dying leaves anybody waiting.
        asked, go = (os.open(folder / name, os.O_RDWR) for name in ("asked", "go"))
        stack.callback(os.close, asked)
        stack.callback(os.close, go)
        nursery.run("init", "--agent", "ava")
        nursery.run("inbox", "push", "--agent", "ava", "--text", "Hello")
        worker = nursery.start(THINK, folder / "worker", LEASE)
        assert select.select([asked], [], [], LONGEST)[0], "the model is not asked"
        rivals = rival_statuses(nursery, folder)
        os.write(go, b"go\n")
        status = worker.status()
    assert (rivals[-1], status) == ends
    if build:
        turned_red(8, build, workers_replaced=1)
    else:
        proved(8, rivals_refused=len(rivals))
