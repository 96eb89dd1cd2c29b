"""Ray clusters of some nodes on this machine, for the tests of a module."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_TRIES = 5
_PROGRAM = Path(__file__).with_name("ray_cluster.py")


class TestCluster(NamedTuple):
    """Where nodes and clients find a cluster, and the process that all of it comes from."""

    __test__ = False
    address: str
    client: str
    pid: int


@contextlib.contextmanager
def cluster(nodes: int, processors: int) -> Iterator[TestCluster]:
    """Give a cluster; Ray gives up after half a minute on a machine that is too busy, so again."""
    for _ in range(_TRIES):
        with subprocess.Popen(
            [sys.executable, str(_PROGRAM), str(nodes), str(processors)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as program:
            assert program.stdout is not None
            address, client = program.stdout.readline(), program.stdout.readline()
            if client:
                yield TestCluster(address.strip(), client.strip(), program.pid)
                return
    raise AssertionError(f"no cluster in {_TRIES} tries")


def workers_of(pid: int) -> list[int]:
    """Return the processes of workers that hold shards, of all that a process has started."""
    return [one for one in descendants(pid) if b"ShardWorker" in _command(one)]


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    try:
        tasks = sorted(Path(f"/proc/{pid}/task").iterdir())
        children = [int(one) for task in tasks for one in (task / "children").read_text().split()]
    except OSError:
        return []
    return [found for child in children for found in (child, *descendants(child))]


def _command(pid: int) -> bytes:
    """Return the command line of a process, nothing where it has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
