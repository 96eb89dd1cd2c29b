"""No opening of a store drops the locks that the same process holds on it."""

import subprocess
import sys
from pathlib import Path

from mindpipe.store.access import open_store
from mindpipe.store.sqlite import connect
from support.command import Mind

# Locks of POSIX belong to a process: only another one can ask whether they are held.
ANOTHER_LOCKS_IT_WHOLE = """
import fcntl, sys
with open(sys.argv[1], "rb+") as store:
    try:
        fcntl.lockf(store, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit(1)
"""


def is_locked(path: Path) -> bool:
    """Return whether this process holds a lock on a file, as another process meets it."""
    command = [sys.executable, "-c", ANOTHER_LOCKS_IT_WHOLE, str(path)]
    status = subprocess.run(command, check=False).returncode
    assert status in {0, 1}
    return status == 1


def test_a_second_opening_keeps_the_locks_of_the_first(mind_with_store: Mind) -> None:
    path = mind_with_store.folder / "mind.db"
    assert not is_locked(path)
    first = connect(path)
    first.execute("SELECT 1 FROM sqlite_schema").fetchall()
    assert is_locked(path)
    open_store(path).close()
    open_store(path, read_only=True).close()
    assert is_locked(path)
    # What closing it without SQLite does, and why nothing of the program may.
    path.open("rb").close()
    assert not is_locked(path)
    first.close()
