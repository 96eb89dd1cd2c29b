"""Shards of a population as stateful workers of a Ray cluster: whoever dies, none of them is lost.

A worker takes a shard, brings it from one stated time to the next, and writes a checkpoint at each.
The checkpoint that is awaited becomes the shard; a shard whose worker is lost goes on from there
with another worker. Nothing passes through Ray's object store but paths and instants.
"""

import logging
import os
import signal
import socket
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any, Literal, NamedTuple, Self
from urllib.parse import urlsplit

import msgspec
import ray
from ray.exceptions import RayError, RayTaskError

from mindpipe.core.errors import MindError, TemporaryError, UnavailableError, UsageError
from mindpipe.io.clock import SystemClock
from mindpipe.person.calendar import instant_text
from mindpipe.person.life.cluster_node import ClusterNode, node_here
from mindpipe.person.life.population_folder import PopulationFolder
from mindpipe.person.life.ray_environment import LOCAL
from mindpipe.person.life.ray_machine import ray_machine
from mindpipe.person.life.shard_runner import Progress, failure
from mindpipe.person.life.shard_worker import (
    ShardWorker,
    WorkerNode,
    WorkerReply,
    fault_of,
    not_shared,
)
from mindpipe.person.records.population import PopulationManifest

_CONNECT_S = 10.0
_LOOK_S, _PATIENCE = 0.5, 60
"""Seconds from one look for signals to the next, and how many until it is said what is awaited."""
_LOST_IN_A_ROW = 5
_NODE_S = 30.0
_READY_S = 0.5


class ClusterWorkers:
    """Workers of a Ray cluster."""

    def __init__(
        self,
        address: str,
        *,
        jobs: int | None,
        every_us: int,
        tell: Callable[[str], None],
    ) -> None:
        """Know where they are.

        Args:
            address: `local` for a cluster of this machine that ends with the work, else
                `ray://HOST:PORT` or, from one of its nodes, `HOST:PORT`.
            jobs: How many there are, None for one on each processor.
            every_us: The span at whose multiples there are checkpoints.
            tell: Is told in words which worker was lost, and what is waited for.

        Raises:
            UsageError: the address is none.
        """
        if address != LOCAL:
            _host_and_port(address)
        self._address, self._jobs, self._every_us, self._tell = address, jobs, every_us, tell

    def run(self, folder: PopulationFolder, manifest: PopulationManifest) -> Iterator[Progress]:
        """Bring all shards to `to_us` of the manifest; a part of the work is a step of a shard.

        Raises:
            UnavailableError: the cluster is not reached, or a node of it does not see the folder
                or has other versions.
            TemporaryError: worker after worker was lost, or the cluster was, or all its nodes.
            MindError: a worker failed.
        """
        with _connected(self._address, self._jobs) as signals:
            jobs = self._jobs or _processors()
            run = _Run(folder, manifest, every_us=self._every_us, tell=self._tell)
            try:
                yield from run.steps(jobs, signals)
            except ConnectionError:  # what Ray's client raises is no RayError
                words = f"the connection to the cluster {self._address} was lost"
                raise TemporaryError(f"{words}; run the same command again.") from None
            finally:
                run.end()


@dataclass
class _Hired:
    """A worker: what stands for it, its number, what it was asked, and its shard."""

    actor: Any
    attempt: int
    asked: Literal["node", "take", "live"] = "node"
    place: int | None = None


class _Run:
    """The shards of a folder on their way to an instant."""

    def __init__(
        self,
        folder: PopulationFolder,
        manifest: PopulationManifest,
        *,
        every_us: int,
        tell: Callable[[str], None],
    ) -> None:
        assert manifest.to_us is not None
        self._folder, self._manifest = folder, manifest
        self._until_us, self._every_us, self._tell = manifest.to_us, every_us, tell
        self._waiting = deque(range(len(folder.shards(manifest))))
        self._asked: dict[Any, _Hired] = {}
        self._lost: Counter[int | None] = Counter()
        self._reached = [manifest.t_us] * len(self._waiting)
        self._looked = 0
        self._done = 0
        self._total = len(self._waiting) * self._steps_from(manifest.t_us)
        self._actors = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(ShardWorker)

    def steps(self, jobs: int, signals: "_HeldSignals") -> Iterator[Progress]:
        """Let so many workers live all shards step by step."""
        for _ in range(min(jobs, len(self._waiting))):
            self._hire()
        while self._asked:
            found, _ = ray.wait(list(self._asked), num_returns=1, timeout=_LOOK_S)
            signals.pass_on()
            if not found:
                self._tell_of_waiting()
                continue
            hired = self._asked.pop(found[0])
            try:
                reply = ray.get(found[0])
            except RayTaskError as error:
                raise MindError(f"a worker of the cluster failed: {_reason(error)}.") from None
            except RayError as error:
                self._replace(hired, error)
                continue
            self._hear(hired, reply)
            yield Progress(self._done, self._total)

    def end(self) -> None:
        """Let no worker go on; those of a lost cluster have nobody who could be asked."""
        for hired in self._asked.values() if ray.is_initialized() else ():
            ray.kill(hired.actor)

    def _hire(self) -> None:
        """Start a worker under a number that is known to be taken before it begins."""
        attempt = (self._manifest.attempt or 0) + 1
        self._manifest = msgspec.structs.replace(self._manifest, attempt=attempt)
        self._folder.keep(self._manifest)
        actor = self._actors.remote(str(self._folder.path.absolute()), attempt)
        self._ask(_Hired(actor, attempt), "node")

    def _ask(self, hired: _Hired, what: Literal["node", "take", "live"], *given: int) -> None:
        """Ask a worker for something."""
        hired.asked = what
        self._asked[getattr(hired.actor, what).remote(*given)] = hired

    def _hear(self, hired: _Hired, reply: WorkerNode | WorkerReply) -> None:
        """Take up what a worker answers, and ask it for what comes next."""
        if isinstance(reply, WorkerNode):
            if fault := fault_of(reply, hired.attempt, self._folder):
                raise UnavailableError(fault)
        elif reply.fault is not None:
            raise failure(reply.fault, reply.status)
        else:
            assert hired.place is not None
            if hired.asked == "live":
                self._publish(hired.place, hired.attempt)
                self._done += 1
            else:
                self._total -= self._steps_from(self._reached[hired.place])
                self._total += self._steps_from(reply.t_us)
            self._reached[hired.place] = reply.t_us
        self._go_on(hired)

    def _go_on(self, hired: _Hired) -> None:
        """Let a worker live to the next stated time, take the next shard, or go."""
        now_us = self._until_us if hired.place is None else self._reached[hired.place]
        if now_us < self._until_us:
            next_us = (now_us // self._every_us + 1) * self._every_us
            self._ask(hired, "live", min(next_us, self._until_us))
        elif self._waiting:
            hired.place = self._waiting.popleft()
            self._ask(hired, "take", hired.place)
        else:
            ray.kill(hired.actor)

    def _steps_from(self, now_us: int) -> int:
        """Return how many stated times there are from an instant to the end."""
        if now_us >= self._until_us:
            return 0
        return -(-self._until_us // self._every_us) - now_us // self._every_us

    def _publish(self, place: int, attempt: int) -> None:
        """Let the checkpoint of a worker be the shard."""
        if not self._folder.checkpoint(place, attempt).is_file():
            raise UnavailableError(not_shared(self._folder))
        self._folder.publish(place, attempt)
        self._lost[place] = 0
        self._lost[None] = 0

    def _replace(self, hired: _Hired, error: Exception) -> None:
        """Give up a worker, and let another one go on from the last checkpoint."""
        with suppress(RayError):
            ray.kill(hired.actor)
        self._lost[hired.place] += 1
        if self._lost[hired.place] >= _LOST_IN_A_ROW:
            words = f"{_LOST_IN_A_ROW} workers of the cluster were lost one after the other"
            raise TemporaryError(f"{words}: {_reason(error)}; run the same command again.")
        if hired.place is not None:
            at = instant_text(self._reached[hired.place])
            name = self._folder.shard(hired.place).name
            self._tell(f"a worker was lost; another one takes {name} on from {at}.")
            self._waiting.appendleft(hired.place)
        self._hire()

    def _tell_of_waiting(self) -> None:
        """Say what is waited for where no worker could be started.

        Raises:
            TemporaryError: no node is left on which one could be.
        """
        if any(hired.asked != "node" for hired in self._asked.values()):
            return
        self._looked += 1
        if self._looked % _PATIENCE == 0 and not any(one["Alive"] for one in _nodes()):
            raise TemporaryError("no node of the cluster is left; run the same command again.")
        if self._looked == _PATIENCE:
            self._tell("waiting for a free processor in the cluster.")


def _nodes() -> list[dict[str, Any]]:
    """Return what a cluster knows of its nodes, also of those that it lost."""
    found: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call] # as ray has it
    return found


def _processors() -> int:
    """Return how many processors a cluster has."""
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call] # as ray has it
    return max(1, int(resources.get("CPU", 1)))


def _reason(error: Exception) -> str:
    """Return the heart of what Ray says, which takes many lines for it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else type(error).__name__


def _host_and_port(address: str) -> tuple[str, int]:
    """Return where a cluster listens; raises UsageError for no address."""
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        if parts.scheme in ("", "ray") and parts.hostname and parts.port:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise UsageError(f"--cluster {address} is no cluster: write local, ray://HOST:PORT, HOST:PORT.")


@contextmanager
def _connected(address: str, jobs: int | None) -> "Iterator[_HeldSignals]":
    """Connect to a cluster; one of this machine alone is started, and taken down."""
    if address != LOCAL:
        _require_listener(address)
    with ExitStack() as held:
        try:
            at = held.enter_context(ray_machine(jobs)) if address == LOCAL else address
            held.callback(ray.shutdown)
            signals = held.enter_context(_HeldSignals())
            ray.init(at, logging_level=logging.ERROR, log_to_driver=False)
        except Exception as error:  # whatever Ray raises, often no more than that
            raise UnavailableError(f"the cluster {address}: {_reason(error)}.") from None
        signals.hold()
        yield signals


class _HeldSignals:
    """SIGTERM and SIGINT, held until Ray's code is left: what is raised inside of it is lost."""

    def __init__(self) -> None:
        self._came: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        """Remember what they do."""
        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.getsignal(number)
            if before is not signal.SIG_IGN:
                self._before[number] = before
        return self

    def __exit__(self, *_error: object) -> None:
        """Let them do that again, and what came meanwhile now."""
        for number, before in self._before.items():
            signal.signal(number, before)
        self.pass_on()

    def hold(self) -> None:
        """Hold them from now on; Ray has its own way with SIGTERM once it is connected."""
        for number in self._before:
            signal.signal(number, self._note)

    def pass_on(self) -> None:
        """Do what one does that came."""
        came, self._came = self._came, None
        if came is None:
            return
        before = self._before[came]
        if callable(before):
            before(came, None)
        else:
            signal.signal(came, signal.SIG_DFL)
            os.kill(os.getpid(), came)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        """Note the first that comes."""
        self._came = self._came or number


def _require_listener(address: str) -> None:
    """Raise UnavailableError where nobody listens: Ray would try for minutes."""
    try:
        socket.create_connection(_host_and_port(address), timeout=_CONNECT_S).close()
    except OSError as error:
        words = f"no cluster answers at {address} ({error.strerror or error}); start one with ray"
        raise UnavailableError(f"{words} start --head, or use --cluster local.") from None


class ClusterState(NamedTuple):
    """A cluster: its processors, those that are free, its lost nodes, and what the others say.

    Between the instants at which they were asked and had answered each looked at its clock.
    A node that said nothing in time, or that cannot run this program, says in words what it was.
    """

    processors: float
    free: float
    lost: int
    nodes: dict[str, ClusterNode | str]
    asked_at: str
    answered_at: str


def state_of(address: str, folder: str | None) -> ClusterState:
    """Ask every node of a cluster what it is, and what it sees of a population's folder.

    Raises:
        UsageError: the address is none.
        UnavailableError: the cluster is not reached.
    """
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    with _connected(address, None):
        asked_at = SystemClock().now()
        known = _nodes()
        ask = ray.remote(num_cpus=0, max_retries=0)(node_here)
        asked = {
            str(one["NodeID"]): ask.options(
                scheduling_strategy=NodeAffinitySchedulingStrategy(one["NodeID"], soft=False)
            ).remote(folder)
            for one in known
            if one["Alive"]
        }
        ray.wait(list(asked.values()), num_returns=len(asked), timeout=_NODE_S)
        answered_at = SystemClock().now()
        free: dict[str, float] = ray.available_resources()  # type: ignore[no-untyped-call] # as ray has it
        return ClusterState(
            processors=_processors(),
            free=free.get("CPU", 0),
            lost=len(known) - len(asked),
            nodes={
                f"{one['NodeManagerAddress']} {one['NodeID'][:6]}": _said(asked[one["NodeID"]])
                for one in known
                if one["Alive"]
            },
            asked_at=asked_at,
            answered_at=answered_at,
        )


def _said(asked: "ray.ObjectRef[ClusterNode]") -> ClusterNode | str:
    """Return what a node says, or why it says nothing."""
    try:
        return ray.get(asked, timeout=_READY_S)
    except Exception as error:  # Ray's own, and whatever a node raises that lacks a module
        return _reason(error)
