"""What one store carries: events a second by so many workers, and what agents cost that wait.

The workers are processes that do with an event what `mind inbox push`, `claim` and `ack` do, each
in a transaction of its own, without the start of a program: one event after the other, and so many
at a time as a worker claims. On a server they do it once more while a transaction of another agent
stays open. Agents that wait have a program for a model, which answers at once: it is asked once
something urgent comes to them, and by the cycles that are timed.
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
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.ports import NOBODY, Limits, ProgramCall, Store
from mindpipe.core.records import Record
from mindpipe.engine.dependencies import limits_of
from mindpipe.engine.verbs import think
from mindpipe.inbox.records import BATCH, Bounds, EventState
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.files import write_whole
from mindpipe.io.programs import LocalPrograms
from mindpipe.store import next_looks
from mindpipe.store.address import address_of
from mindpipe.store.verbs.init import init
from mindpipe.workers import verbs as sessions
from mindpipe_cli import output

_OPERATIONS = ("push", "claim", "ack")
_AGENTS = 100
_SECONDS = 3600.0
_OUTPUT = 64 << 20
_LOOK_SECONDS = 1.0
_LONGEST_LOOKS = 900
_URGENT, _CYCLES = 20, 20
_GLANCE_SECONDS, _LONG_GLANCE_SECONDS = 0.002, 0.2
_LONGEST_GLANCES = 10_000
_ANSWER = b'#!/bin/sh\ncat > /dev/null; echo \'{"text": "Yes."}\'\n'
_MODULE = "from mindpipe_cli.benchmarks import fleet; fleet"


class FleetFigure(Record, omit_defaults=True):
    """One figure of a fleet: events by workers, one of their operations, or agents that wait.

    `urgent` is how long it took from before an urgent event was pushed to one of those who wait
    until it was claimed, `cycle` what one of theirs takes; where they are on a server, `cycle in a
    file` is the same beside it.

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

    Those who wait are measured for `seconds`, once their `living` workers, which all may live each
    of them, have got ready. `server` is the address of a database in which the stores are made,
    each in a schema of its own, else they are files.
    """

    events: int
    workers: tuple[int, ...]
    waiting: tuple[int, ...]
    living: int = 1
    seconds: float = 60.0
    server: str | None = None


class _Worked(Record):
    """What one worker did: when each event was done, and what each operation took, in seconds."""

    done: tuple[float, ...]
    took: dict[str, tuple[float, ...]]


class _Waited(Record):
    """What a worker took that only waited: a share of a core, and megabytes of memory.

    `urgent` is how long each of some urgent events waited then, in seconds.
    """

    core: float
    resident_mb: float
    urgent: tuple[float, ...] = ()


def figures(options: FleetOptions) -> Iterator[FleetFigure]:
    """Yield the figures, each of a new store in a folder that goes away; needs no model."""
    for count in options.workers:
        with _place(options.server) as store:
            names = _fill(store, _AGENTS)
            shift = _Shift(names, workers=count, events=options.events)
            yield from _worked(store, shift)
            yield from _worked(store, shift._replace(at_once=BATCH))
            if options.server is not None:
                with _open(store, names[-1]):
                    yield from _worked(store, shift._replace(names=names[:-1], beside_open=True))
    for count in options.waiting:
        yield from _waited(options, count)


def _waited(options: FleetOptions, count: int) -> Iterator[FleetFigure]:
    """Let workers wait for so many agents, and yield what they took, and what a cycle takes."""
    with tempfile.TemporaryDirectory(prefix="mindpipe.") as folder:
        answer = Path(folder) / "answer"
        write_whole(answer, [_ANSWER], mode=0o700)
        with _place(options.server) as store:
            _fill(store, count, model=f"program:{answer}")
            over = str(Path(folder) / "over")
            calls = [
                f"idle({store!r}, {options.seconds!r}, {over!r}, first={number == 0})"
                for number in range(options.living)
            ]
            found = [msgspec.json.decode(ran.splitlines()[-1], type=_Waited) for ran in _all(calls)]
            figure = FleetFigure(what="idle", agents=count, workers=options.living)
            core = round(sum(one.core for one in found), 4)
            resident_mb = round(sum(one.resident_mb for one in found), 1)
            yield msgspec.structs.replace(figure, core=core, resident_mb=resident_mb)
            urgent = [seconds for one in found for seconds in one.urgent]
            yield _timed(msgspec.structs.replace(figure, what="urgent"), urgent)
            yield _cycled(store, msgspec.structs.replace(figure, what="cycle", workers=1))
        if options.server is not None:
            with _place(None) as store:
                _fill(store, count, model=f"program:{answer}")
                in_a_file = msgspec.structs.replace(figure, what="cycle in a file", workers=1)
                yield _cycled(store, in_a_file)


def _cycled(store: str, figure: FleetFigure) -> FleetFigure:
    """Let an agent live some cycles, and return what they took."""
    return _timed(figure, msgspec.json.decode(_program(f"cycles({store!r})"), type=list[float]))


def _timed(figure: FleetFigure, seconds: Sequence[float]) -> FleetFigure:
    """Return a figure with what something took each time."""
    took = sorted(1000 * one for one in seconds)
    return msgspec.structs.replace(
        figure,
        count=len(took),
        per_second=None,
        median_ms=round(statistics.median(took), 3),
        p99_ms=round(took[int(len(took) * 0.99)], 3),
        longest_ms=round(took[-1], 3),
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


def _fill(store_name: str, count: int, *, model: str | None = None) -> list[str]:
    """Make a store with so many agents, and return their names."""
    names = [f"a{number}" for number in range(count)]
    app = App({"store": store_name}, os.environ)
    clock, chance = app.clock, app.chance
    init(app.where, clock, chance, agent=None, page_checksums=False)
    store = app.store
    change = AgentChange(model=model)
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
    found = [msgspec.json.decode(ran, type=_Worked) for ran in _all(calls)]
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
        operation = msgspec.structs.replace(event, what=name)
        yield _timed(operation, [seconds for one in found for seconds in one.took[name]])


def _all(calls: Sequence[str]) -> list[bytes]:
    """Run functions of this file at once, each in a process of its own."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(_program, calls))


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


def idle(path: str, seconds: float, over: str, *, first: bool) -> None:
    """Be a worker of any of the agents, to whom nothing happens; print what it takes of a core.

    At last something urgent comes to some of them, from the first worker; once it is done there is
    a file `over`, for which the others wait.
    """
    from mindpipe_cli.main import run

    found: list[_Waited] = []

    def look() -> None:
        try:
            _wait_until_ready(path)
            before = time.process_time()
            time.sleep(seconds)
            core = (time.process_time() - before) / seconds
            megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            # The others began at most one look later.
            time.sleep(2 * _LOOK_SECONDS if first else 0.0)
            urgent = tuple(_urgent(path)) if first else ()
            found.append(_Waited(core=core, resident_mb=megabytes, urgent=urgent))
        finally:
            while not first and not Path(over).exists():
                time.sleep(_LONG_GLANCE_SECONDS)
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=look, daemon=True).start()
    try:
        status = run(["run", "--agents", "*", "--store", path])
    finally:
        if first:
            write_whole(Path(over), [])
    if not found:
        raise MindError(f"the worker ended early, with {int(status)}")
    output.write_bytes([msgspec.json.encode(found[0]), b"\n"])


def _wait_until_ready(path: str) -> None:
    """Wait until nobody is due any more: each was looked at once."""
    app = App({"store": path}, os.environ)
    store, clock = app.store, app.clock
    for _ in range(_LONGEST_LOOKS):
        if not next_looks.to_look_at(store, clock, patterns=["*"]) and not sessions.running(store):
            break
        time.sleep(_LOOK_SECONDS)
    store.close()


def _urgent(path: str) -> Iterator[float]:
    """Push urgent events, each once the last one is done; yield how long they wait."""
    app = App({"store": path}, os.environ)
    store, clock, chance = app.store, app.clock, app.chance
    names = [one.name for one in agents.list_(store)]
    for name in names[:: -(-len(names) // _URGENT)]:
        event = NewEvent(agent=name, text="Now.", source="bench", priority=Priority.URGENT)
        began = time.perf_counter()
        (receipt,) = push_events(store, clock, chance, events=[event], bounds=Bounds())
        _until(store, receipt.id, (EventState.LEASED, EventState.DONE))
        yield time.perf_counter() - began
        _until(store, receipt.id, (EventState.DONE,))
    store.close()


def _until(store: Store, event: str, states: Sequence[EventState]) -> None:
    """Wait until an event is in one of some states."""
    for _ in range(_LONGEST_GLANCES):
        if inbox.show(store, id=event).state in states:
            return
        time.sleep(_GLANCE_SECONDS)
    raise MindError(f"{event} did not come as far as {states[-1].value}")


def cycles(path: str) -> None:
    """Live some cycles of one agent, and print how long each took, in seconds."""
    app = App({"store": path}, os.environ)
    store, clock, chance = app.store, app.clock, app.chance
    agent = agents.list_(store)[0]
    deps = app.dependencies_to_think(agent, tell=output.say)
    took = []
    for number in range(_CYCLES):
        event = NewEvent(agent=agent.name, text=f"Event {number}.", source="bench")
        push_events(store, clock, chance, events=[event], bounds=Bounds())
        began = time.perf_counter()
        think.think(deps, agent=agent.name, limits=limits_of(agent))
        took.append(time.perf_counter() - began)
    store.close()
    output.write_bytes([msgspec.json.encode(took)])
