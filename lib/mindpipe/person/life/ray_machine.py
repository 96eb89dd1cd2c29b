"""A Ray cluster of this machine alone, that ends with the work, and starts what the work needs.

`ray.init` would start besides what shows a cluster to people, what gives and takes machines, and
what reads the logs of workers: half of the seconds until the first worker begins, and a second
of waiting at the end for each that goes on when it is told to stop. Ray has no option for that.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from ray._private.node import Node
from ray._private.parameter import RayParams

_OBJECT_BYTES = 80 << 20
"""The least that Ray takes for its object store, through which nothing passes."""


@contextmanager
def ray_machine(processors: int | None) -> Iterator[str]:
    """Start a cluster of so many processors, None for those that there are; give its address.

    All of it ends with the context, and where this process is killed, with that.

    Raises:
        Exception: whatever Ray raises where it does not start.
    """
    # A socket's name may not be long, so that it cannot be anywhere.
    kept = tempfile.mkdtemp(prefix="mind-ray-", dir="/tmp")
    node = None
    try:
        wanted = RayParams(
            num_cpus=processors or len(os.sched_getaffinity(0)),
            num_gpus=0,
            object_store_memory=_OBJECT_BYTES,
            include_log_monitor=False,  # type: ignore[arg-type] # ray asks only if it is true
            no_monitor=True,
            temp_dir=f"{kept}/ray",  # which Ray opens to all, and the folder around it does not
        )
        node = _BareNode(wanted, head=True, shutdown_at_exit=False, spawn_reaper=True)
        yield str(node.address)
    finally:
        if node is not None:
            node.kill_all_processes(check_alive=False, allow_graceful=True, wait=True)
        shutil.rmtree(kept, ignore_errors=True)


class _BareNode(Node):
    """A node that nobody looks at."""

    def start_api_server(self, *, include_dashboard: bool | None, raise_on_failure: bool) -> None:
        """Start none."""
