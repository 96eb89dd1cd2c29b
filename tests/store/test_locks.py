"""No opening of a store drops the locks that the same process holds on it."""

import os
import sys
from pathlib import Path

import pytest

from mindpipe.store.access import open_store
from mindpipe.store.sqlite import connect
from support.command import Mind

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/locks (Linux)")


def locks_on(path: Path) -> int:
    """Return how many locks this process holds on a file."""
    inode, pid = f":{path.stat().st_ino} ", f" {os.getpid()} "
    lines = Path("/proc/locks").read_text().splitlines()
    return sum(inode in line and pid in line for line in lines)


def test_a_second_opening_keeps_the_locks_of_the_first(mind_with_store: Mind) -> None:
    path = mind_with_store.folder / "mind.db"
    first = connect(path)
    first.execute("SELECT 1 FROM sqlite_schema").fetchall()
    held = locks_on(path)
    assert held > 0
    open_store(path).close()
    open_store(path, read_only=True).close()
    assert locks_on(path) == held
    # What closing it without SQLite does, and why nothing of the program may.
    path.open("rb").close()
    assert locks_on(path) == 0
    first.close()
