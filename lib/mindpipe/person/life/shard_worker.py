"""A worker of a cluster: it keeps the columns of a shard in memory, and writes checkpoints of it.

It is told paths and instants and returns instants: no person leaves the node but in a file of the
shared folder. A checkpoint has the worker's number in its name, and becomes the shard only by who
holds the lock of the folder and still awaits it. So a worker that was given up, because its node
was cut off or its caller was killed, may go on to write: what it writes is never read.
"""

import gc
import platform
from importlib.metadata import version
from pathlib import Path

from mindpipe.core.errors import MindError
from mindpipe.core.records import Record
from mindpipe.core.version import VERSION
from mindpipe.person.life.population_folder import PopulationFolder

_GIVE_NUMBERS = ("numpy", "pyarrow")


class WorkerNode(Record):
    """What a worker finds where it is: `attempt` is the latest that is let in, None for no folder.

    `versions` are those on which the bits of a life depend, by name.
    """

    attempt: int | None
    versions: dict[str, str]


class WorkerReply(Record):
    """At which instant a shard is, or what was at fault, and the exit status for that."""

    t_us: int = 0
    fault: str | None = None
    status: int = 0


def versions() -> dict[str, str]:
    """Return the versions on which the bits of a life depend, by name."""
    found = {name: version(name) for name in _GIVE_NUMBERS}
    return {"mindpipe": VERSION, "Python": platform.python_version(), **found}


def not_shared(folder: PopulationFolder) -> str:
    """Return the words for a folder that is not the same everywhere."""
    words = "is not what a node of the cluster sees there; it must lie on storage that all share."
    return f"{folder.path.absolute()} {words}"


def fault_of(node: WorkerNode, attempt: int, folder: PopulationFolder) -> str | None:
    """Return in words why a worker with this number cannot work where it is, None if it can."""
    if node.attempt is None or node.attempt < attempt:
        return not_shared(folder)
    for name, mine in versions().items():
        theirs = node.versions.get(name)
        if theirs != mine:
            words = f"a node of the cluster has {name} {theirs}, here it is {mine}"
            return f"{words}; the same lives need the same versions."
    return None


class ShardWorker:
    """One shard after another, each in memory from its first step to its last."""

    def __init__(self, folder: str, attempt: int) -> None:
        """Work in a folder under a number that nobody else has."""
        self._folder = PopulationFolder(Path(folder))
        self._attempt = attempt

    def node(self) -> WorkerNode:
        """Return what is found here."""
        try:
            manifest = self._folder.manifest()
        except MindError:
            return WorkerNode(attempt=None, versions=versions())
        return WorkerNode(attempt=manifest.attempt or None, versions=versions())

    def take(self, place: int) -> WorkerReply:
        """Read a shard, instead of the one before; return at which instant it is."""
        from mindpipe.person.life.shard_file import LivingShard, read_shard, shard_faults

        self._place = place
        # The one before goes before this one comes.
        self._shard: LivingShard | None = None
        gc.enable()
        gc.collect()
        # Half a million records that hold no cycle would be looked through again and again.
        gc.disable()
        try:
            self._every_us = self._folder.manifest().every_us or None
            path = self._folder.shard(place)
            with shard_faults(path):
                self._shard = LivingShard(*read_shard(path))
        except MindError as error:
            return WorkerReply(fault=str(error), status=error.status)
        return WorkerReply(t_us=self._shard.t_us)

    def live(self, until_us: int) -> WorkerReply:
        """Let the persons of the shard live until an instant, and write how they are there.

        What was read of them on the way is written before.
        """
        from mindpipe.person.life.readings import Readings
        from mindpipe.person.life.shard_file import write_shard

        shard = self._shard
        assert shard is not None
        try:
            file, readings = self._folder.shard(self._place), None
            if self._every_us:
                readings = Readings(file, shard.t_us, until_us, every_us=self._every_us)
            shard.live(until_us, readings)
            if readings:
                readings.write(self._attempt)
            path = self._folder.checkpoint(self._place, self._attempt)
            write_shard(path, shard.table(), until_us)
        except MindError as error:
            return WorkerReply(fault=str(error), status=error.status)
        return WorkerReply(t_us=until_us)
