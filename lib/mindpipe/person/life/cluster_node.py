"""What a node of a cluster says of itself: versions, clock, and what it sees of a folder."""

import socket
from pathlib import Path

from mindpipe.core.records import Record
from mindpipe.io.clock import SystemClock
from mindpipe.person.life.population_folder import MANIFEST
from mindpipe.person.life.shard_worker import versions


class ClusterNode(Record):
    """A node: its host and clock, the versions that must agree, and what a folder is there.

    `sees` tells one folder from another by its manifest, None where that is not there: a copy has
    another one.
    """

    host: str
    now: str
    versions: dict[str, str]
    sees: str | None = None


def node_here(folder: str | None) -> ClusterNode:
    """Return what the machine on which this runs says; `folder` is that of a population."""
    return ClusterNode(
        host=socket.gethostname(),
        now=SystemClock().now(),
        versions=versions(),
        sees=None if folder is None else _seen(Path(folder) / MANIFEST),
    )


def _seen(manifest: Path) -> str | None:
    """Return what tells a file from its copies, on whichever node it is looked at."""
    try:
        found = manifest.stat()
    except OSError:
        return None
    return f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"
