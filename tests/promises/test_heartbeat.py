"""A worker keeps its lease as long as its model takes; who never renews it is replaced."""

import contextlib
import os
import select
import time
from pathlib import Path

import pytest

from support.patience import LONGEST
from support.processes import Nursery
from support.proofs import proved, turned_red

pytestmark = pytest.mark.heavy

# A machine that stands still for a whole lease proves nothing: the next is longer.
SECONDS = (0.6, 3.0, 15.0)
LEASES = 3
THINK = ["think", "--agent", "ava", "--model", "program:./answer"]
MODEL = """#!/bin/sh
cat >/dev/null
if mkdir {folder}/first 2>/dev/null; then
    echo asked >{folder}/asked
    read -r word <{folder}/go
fi
echo '{{"text": "Good morning."}}'
"""


def rival_statuses(nursery: Nursery, folder: Path, seconds: float, most: float) -> list[int]:
    """Let other workers try for so long, or until one has the agent; return their statuses."""
    until = time.monotonic() + most
    statuses = []
    while time.monotonic() < until and 0 not in statuses:
        statuses.append(nursery.start(THINK, folder / "rival", lease_of(seconds)).status())
    return statuses


def lease_of(seconds: float) -> dict[str, str]:
    """Return the setting of a lease of so many seconds."""
    return {"MIND_INBOX_LEASE_SECONDS": str(seconds)}


def life_of(folder: Path, build: str, seconds: float) -> tuple[list[int], int]:
    """Let a worker's model take longer than three leases; return how the rivals and it ended."""
    folder.mkdir()
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
        worker = nursery.start(THINK, folder / "worker", lease_of(seconds))
        assert select.select([asked], [], [], LONGEST)[0], "the model is not asked"
        # Where the lease has to end, a slow machine may take its time.
        rivals = rival_statuses(nursery, folder, seconds, LONGEST if build else LEASES * seconds)
        os.write(go, b"go\n")
        return rivals, worker.status()


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)")
def test_a_lease_holds_as_long_as_the_model_takes(tmp_path: Path) -> None:
    for seconds in SECONDS:
        rivals, status = life_of(tmp_path / str(seconds), "", seconds)
        if (rivals[-1], status) == (75, 0):
            break
    assert (rivals[-1], status) == (75, 0)
    proved(8, rivals_refused=len(rivals))


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)")
def test_a_worker_without_a_heartbeat_is_replaced(tmp_path: Path) -> None:
    rivals, status = life_of(tmp_path / "life", "worker_without_heartbeat", SECONDS[0])
    assert (rivals[-1], status) == (0, 75)
    turned_red(8, "worker_without_heartbeat", workers_replaced=1)
