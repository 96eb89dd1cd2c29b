"""What one store carries: events a second by so many workers, and what agents cost that wait.

The workers are processes that do with an event what `mind inbox push`, `claim` and `ack` do, each
in a transaction of its own, without the start of a program: one event after the other, and so many
at a time as a worker claims. On a server they do it once more while a transaction of another agent
stays open. What a model takes is not in it.
"""

import contextlib
import os
import resource
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.app import App
from mindpipe.core.errors import MindError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import NOBODY, Limits, ProgramCall
from mindpipe.core.records import Record
from mindpipe.inbox.records import BATCH, Bounds
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.files import read_if_there
from mindpipe.io.programs import LocalPrograms
from mindpipe.store.address import address_of
from mindpipe.store.verbs.init import init
from mindpipe_cli import output

_OPERATIONS = ("push", "claim", "ack")
_AGENTS = 100
_SECONDS = 3600.0
_OUTPUT = 64 << 20
_LOOK_SECONDS = 2.0
_READY_SHARE = 0.5
_READY_LOOKS = 3
_LONGEST_LOOKS = 300
_SCHEDULED = "/proc/self/schedstat"
_MODULE = "from mindpipe_cli.benchmarks import fleet; fleet"


class FleetFigure(Record, omit_defaults=True):
    """One figure of a fleet: events by workers, one of their operations, or agents that wait.

    `at_once` is how many events each step takes; `beside_open` tells that another agent's
    transaction stayed open meanwhile. `core` is the share of a core (1 is all of one). What an
    operation took is in milliseconds: the median, the 99th percentile, and the longest one, which
    waited for other workers.
    """

    what: str
    agents: int
    workers: int
    at_once: int = 1
    beside_open: bool = False
    count: int | None = None
    per_second: float | None = None
    median_ms: float | None = None
    p99_ms: float | None = None
    longest_ms: float | None = None
    core: float | None = None
    resident_mb: float | None = None


class FleetOptions(NamedTuple):
    """How many events each of so many workers takes, and of how many agents one waits.

    Those who wait are measured for `seconds`, once their worker has got ready. `server` is the
    address of a database in which the stores are made, each in a schema of its own, else they are
    files.
    """

    events: int
    workers: tuple[int, ...]
    waiting: tuple[int, ...]
    seconds: float = 60.0
    server: str | None = None


class _Worked(Record):
    """What one worker did: when each event was done, and what each operation took, in seconds."""

    done: tuple[float, ...]
    took: dict[str, tuple[float, ...]]


class _Waited(Record):
    """What a worker took that only waited: a share of a core, and megabytes of memory."""

    core: float
    resident_mb: float


def figures(options: FleetOptions) -> Iterator[FleetFigure]:
    """Yield the figures, each of a new store in a folder that goes away; needs no model."""
    for workers in options.workers:
        with _place(options.server) as store:
            names = _fill(store, _AGENTS)
            shift = _Shift(names, workers=workers, events=options.events)
            yield from _worked(store, shift)
            yield from _worked(store, shift._replace(at_once=BATCH))
            if options.server is not None:
                with _open(store, names[-1]):
                    yield from _worked(store, shift._replace(names=names[:-1], beside_open=True))
    for count in options.waiting:
        with _place(options.server) as store:
            _fill(store, count)
            ran = _program(f"idle({store!r}, {options.seconds!r})")
            found = msgspec.json.decode(ran.splitlines()[-1], type=_Waited)
            yield FleetFigure(
                what="idle",
                agents=count,
                workers=1,
                core=round(found.core, 4),
                resident_mb=round(found.resident_mb, 1),
            )


@contextlib.contextmanager
def _place(server: str | None) -> Iterator[str]:
    """Give a name for a store that goes away with the block: a file, or a schema of a server."""
    if server is None:
        with tempfile.TemporaryDirectory(prefix="mindpipe.") as folder:
            yield str(Path(folder) / "mind.db")
        return
    from mindpipe.store.postgres.schema import remove_store

    address = address_of(server)._replace(schema=f"bench_{os.getpid()}")
    try:
        yield str(address)
    finally:
        remove_store(address)


def _fill(store_name: str, count: int) -> list[str]:
    """Make a store with so many agents, and return their names."""
    names = [f"a{number}" for number in range(count)]
    app = App({"store": store_name}, os.environ)
    clock, chance = app.clock, app.chance
    init(app.where, clock, chance, agent=None, page_checksums=False)
    store = app.store
    # A model that could be asked, and never is: nothing happens to those who wait.
    change = AgentChange(model=f"program:{sys.executable}")
    with store.write():
        for name in names:
            agents.new(store, clock, chance, name=name, change=change)
    store.close()
    return names


class _Shift(NamedTuple):
    """What workers do at once: each so many events, of agents of its own, so many at a time."""

    names: Sequence[str]
    workers: int
    events: int
    at_once: int = 1
    beside_open: bool = False


@contextlib.contextmanager
def _open(store_name: str, agent: str) -> Iterator[None]:
    """Leave a transaction of an agent open, that has written something."""
    store = App({"store": store_name}, os.environ).store
    with store.write(agent):
        agents.set_(store, name=agent, change=AgentChange(title="Busy"))
        yield
    store.close()


def _worked(store: str, shift: _Shift) -> Iterator[FleetFigure]:
    """Let workers take events at once, and yield what they did."""
    shares = [shift.names[number :: shift.workers] for number in range(shift.workers)]
    calls = [f"work({store!r}, {share!r}, {shift.events!r}, {shift.at_once!r})" for share in shares]
    with ThreadPoolExecutor(shift.workers) as pool:
        found = [msgspec.json.decode(ran, type=_Worked) for ran in pool.map(_program, calls)]
    # From the first events that were done to the last ones: no program's start is in it.
    done = sorted(at for one in found for at in one.done)
    passed = done[-1] - done[0]
    event = FleetFigure(
        what="event",
        agents=len(shift.names),
        workers=shift.workers,
        at_once=shift.at_once,
        beside_open=shift.beside_open,
        count=len(done) * shift.at_once,
        per_second=round((len(done) - 1) * shift.at_once / passed, 1) if passed else None,
    )
    yield event
    for name in _OPERATIONS:
        took = sorted(1000 * seconds for one in found for seconds in one.took[name])
        yield msgspec.structs.replace(
            event,
            what=name,
            count=len(took),
            per_second=None,
            median_ms=round(statistics.median(took), 3),
            p99_ms=round(took[int(len(took) * 0.99)], 3),
            longest_ms=round(took[-1], 3),
        )


def _program(call: str) -> bytes:
    """Run a function of this file in a process of its own, and return what it printed."""
    ran = LocalPrograms().run(
        ProgramCall(
            argv=(sys.executable, "-c", f"{_MODULE}.{call}"),
            seconds=_SECONDS,
            output_bytes=_OUTPUT,
            limits=Limits(memory_bytes=8 << 30, open_files=4096),
        )
    )
    if ran.status != 0:
        said = ran.stderr.decode("utf-8", "replace").strip()
        raise MindError(f"a worker ended with {ran.status}: {said or 'it said nothing'}")
    return ran.stdout


def work(path: str, names: Sequence[str], events: int, at_once: int) -> None:
    """Push, claim and acknowledge so many events, and print when they were done."""
    app = App({"store": path}, os.environ)
    clock, chance, store = app.clock, app.chance, app.store
    done: list[float] = []
    took: dict[str, list[float]] = {name: [] for name in _OPERATIONS}
    for number in range(max(1, events // at_once)):
        name = names[number % len(names)]
        pushed = [
            NewEvent(agent=name, text=f"Event {number}.{one}.", source="bench")
            for one in range(at_once)
        ]
        marks = [time.perf_counter()]
        push_events(store, clock, chance, events=pushed, bounds=Bounds())
        marks.append(time.perf_counter())
        claimed = inbox.claim(store, clock, agent=name, owner=f"pid {os.getpid()}", limit=at_once)
        marks.append(time.perf_counter())
        with store.write(NOBODY):
            for event in claimed:
                inbox.ack(store, id=event.id, epoch=event.epoch)
        marks.append(time.perf_counter())
        if len(claimed) != at_once:
            raise MindError(f"{len(claimed)} of {at_once} events were there")
        for operation, (began, ended) in zip(_OPERATIONS, pairwise(marks), strict=True):
            took[operation].append(ended - began)
        done.append(clock.boot().seconds)
    store.close()
    output.write_bytes([msgspec.json.encode({"done": done, "took": took})])


def idle(path: str, seconds: float) -> None:
    """Be a worker of any of the agents, to whom nothing happens; print what it takes of a core."""
    from mindpipe_cli.main import run

    found: list[_Waited] = []

    def look() -> None:
        _wait_until_ready()
        before = time.process_time()
        time.sleep(seconds)
        core = (time.process_time() - before) / seconds
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        found.append(_Waited(core=core, resident_mb=megabytes))
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=look, daemon=True).start()
    status = run(["run", "--agents", "*", "--store", path])
    if not found:
        raise MindError(f"the worker ended early, with {int(status)}")
    output.write_bytes([msgspec.json.encode(found[0]), b"\n"])


def _wait_until_ready() -> None:
    """Wait until this process mostly sleeps: getting ready, it computes or waits for a core."""
    still = 0
    for _ in range(_LONGEST_LOOKS):
        before = _wanted_seconds()
        time.sleep(_LOOK_SECONDS)
        wants = _wanted_seconds() - before
        still = still + 1 if wants < _READY_SHARE * _LOOK_SECONDS else 0
        if still == _READY_LOOKS:
            return


def _wanted_seconds() -> float:
    """Return for how long the main thread had a core, or waited for one where Linux tells that."""
    told = (read_if_there(_SCHEDULED) or b"").split()
    return sum(map(int, told[:2])) / 1e9 if told else time.process_time()
