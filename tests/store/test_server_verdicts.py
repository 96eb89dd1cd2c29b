"""Who is taken for lost on a server: whose process is gone, or who said nothing for a minute."""

import contextlib
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.engine.worker import crashes
from mindpipe.io.chance import make_chance
from mindpipe.io.clock import machine_boot, process_place
from mindpipe.io.processes import born_of
from mindpipe.store.address import Address, address_of
from mindpipe.store.postgres import clock
from mindpipe.store.postgres import store as postgres_store
from mindpipe.store.postgres.schema import make_store, open_store
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.store.worker_sessions import is_any_lost
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import WorkerSession, WorkerSessionState
from support.fakes import FixedClock
from support.postgres_server import Server, programs, running

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
CONTAINER = ("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc")
SAID = "from mindpipe.io.clock import *; print(machine_boot(), process_place(), sep='\\n')"
LIFE = WorkerSession(
    id="r1",
    agent="ava",
    state=WorkerSessionState.RUNNING,
    pid=os.getpid(),
    born=born_of(os.getpid()) or "",
    boot="another machine",
    program="1",
    schema=1,
    started="2026-01-01T00:00:00.000Z",
    until=0.0,
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(VERSIONS[-1]) as started:
        yield started


@pytest.fixture
def address(server: Server, request: pytest.FixtureRequest) -> Address:
    where = address_of(server.url(schema=f"s{abs(hash(request.node.nodeid)) % 10**9}"))
    with contextlib.closing(make_store(where, FixedClock(), make_chance(1))) as store:
        for name in ("ava", "bob"):
            agents.new(store, FixedClock(), make_chance(1), name=name)
    return where


@pytest.fixture
def store(address: Address) -> Iterator[PostgresStore]:
    with contextlib.closing(open_store(address)) as opened:
        yield opened


def at(seconds: float) -> FixedClock:
    """Return the clock of a server, at an instant."""
    return FixedClock(boot_id=clock.SERVER, seconds=seconds)


def is_lost(store: PostgresStore, life: WorkerSession, now: float) -> bool:
    return is_any_lost(store, [life], at(now))


def hold_on(store: PostgresStore, now: float, *lives: WorkerSession) -> None:
    with store.noting() as rows:
        workers.hold_on(rows, at(now), runs=[life.id for life in lives])


def started(store: PostgresStore) -> float:
    with store.read() as rows:
        return rows.value(float, postgres_store._STARTED) or 0.0


def test_a_container_has_processes_of_its_own(store: PostgresStore) -> None:
    if shutil.which(CONTAINER[0]) is None:
        pytest.skip("there is nothing that makes a container")
    found = subprocess.run(
        [*CONTAINER, sys.executable, "-c", SAID], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip(f"no container can be made here: {found.stderr.strip()}")
    boot, place = found.stdout.split("\n")[:2]
    assert boot == machine_boot()
    assert place not in {process_place(), boot}
    now = started(store) + 3600
    gone = msgspec.structs.replace(LIFE, born="before", until=now + 1)
    assert is_lost(store, msgspec.structs.replace(gone, boot=process_place()), now)
    assert not is_lost(store, msgspec.structs.replace(gone, boot=place), now)


def test_where_no_machine_is_told_from_others_who_says_so_lives(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "process_place", lambda: "unknown")
    now = started(store) + 3600
    life = msgspec.structs.replace(LIFE, boot="unknown", born="before", until=now + 1)
    assert not is_lost(store, life, now)
    assert is_lost(store, life, now + 2)


def test_nobody_is_lost_before_the_server_runs_for_a_minute(store: PostgresStore) -> None:
    began = started(store)
    assert not is_lost(store, LIFE, began + workers.HELD_SECONDS - 1)
    assert is_lost(store, LIFE, began + workers.HELD_SECONDS + 1)


def test_nobody_is_lost_within_a_minute_after_the_server_was_away(store: PostgresStore) -> None:
    back = started(store) + 3600
    for instant in (back - 100, back - 80, back, back + 20):
        clock.told(store.address, instant)
    assert clock.heard_since(store.address) == back
    # What is told now is of another time than those instants.
    heard = clock._HEARD[store.address]

    def lost(now: float) -> bool:
        clock._HEARD[store.address] = heard._replace(last=math.inf)
        return is_lost(store, LIFE, now)

    assert not lost(back + workers.HELD_SECONDS - 1)
    assert lost(back + workers.HELD_SECONDS + 1)


def test_who_says_that_it_goes_on_waits_neither_for_an_agent_nor_for_all(
    store: PostgresStore, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "BUSY_SECONDS", 1)
    lives = [LIFE, msgspec.structs.replace(LIFE, id="r2", agent="bob")]
    for life in lives:
        workers.begin(store, life)
    for held in (("ava",), ()):
        now = 100.0 + len(held)
        with contextlib.closing(open_store(address)) as other, store.write(*held):
            hold_on(other, now, *lives)
        assert {life.until for life in workers.running(store)} == {now + workers.HELD_SECONDS}


def test_who_has_said_since_that_it_goes_on_is_not_called_crashed(store: PostgresStore) -> None:
    workers.begin(store, LIFE)
    hold_on(store, 100.0, LIFE)
    mended = crashes.mend(store, FixedClock(), make_chance(1), run=LIFE, deliver=lambda _: [])
    assert mended is None
    (life,) = workers.running(store)
    assert crashes.mend(store, FixedClock(), make_chance(1), run=life, deliver=lambda _: [])
    assert workers.running(store) == []
