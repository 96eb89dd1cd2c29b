"""Promises 1, 3, 5, 6, 7 and 9 on a server: workers, connections and the server itself die."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from mindpipe.knowledge.keys import SlotRules
from mindpipe.life.verbs import life as lives
from mindpipe.store.access import open_where
from mindpipe.store.address import address_of
from promises.test_storm import (
    LANES,
    LOOK_EVERY,
    SEED,
    Storm,
    check_effects,
    check_events,
    check_protection,
    drain,
    rage,
    settle,
)
from support.command import Mind, make_private
from support.cut_connections import CuttingDoor
from support.fakes import FixedClock
from support.postgres_server import Server, programs, running
from support.processes import Nursery
from support.proofs import proved_on_server
from support.validation import faults_of

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.own_server,
    pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL"),
    pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd"),
]
# Of so many workers that die one server does, and one connection in the midst of a commit.
EVERY = 10


@dataclass
class Trouble:
    """What happens to a server and the way to it while workers die."""

    server: Server
    door: CuttingDoor
    kills: int = 0
    asked: int = 0
    cut: list[int] = field(default_factory=list)

    def __call__(self, died: int) -> None:
        """Kill the server, and cut a commit, as often as it is time."""
        if died >= (self.asked + 1) * EVERY:
            self.door.cut_next("before" if self.asked % 2 else "after")
            self.asked += 1
        if died >= self.kills * EVERY + EVERY // 2:
            self.server.stop(signal.SIGKILL)
            self.server.start()
            self.kills += 1


@pytest.fixture
def server() -> Iterator[Server]:
    """Give a server that keeps what it acknowledged also where its machine dies."""
    with running(VERSIONS[-1], settings=("shared_buffers=32MB",)) as started:
        yield started


@pytest.mark.parametrize("kills", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_a_storm_of_kills_and_cuts_loses_nothing_on_a_server(
    kills: int, mind: Mind, server: Server
) -> None:
    where = address_of(server.url(schema="fleet"))
    way = make_private(server.folder / "way")
    environment = {
        "MIND_STORE": where.server.replace(server.folder.name, f"{server.folder.name}%2Fway")
        + "&schema=fleet"
    }
    with (
        CuttingDoor(way, server.folder) as door,
        contextlib.closing(Nursery(mind.folder, environment=environment)) as nursery,
    ):
        settle(mind.folder, nursery)
        trouble = Trouble(server, door)
        storm = Storm(mind, nursery, kills, where, trouble)
        looked = rage(storm)
        assert storm.errors == []
        assert (storm.missing("think"), storm.done("think")) == ([], True)
        drain(storm)
        for number in range(LANES):
            nursery.run("history", "verify", "--agent", f"a{number}")
        checks = nursery.run("store", "check")
    assert [one for one in checks if one["verdict"] == "bad"] == []
    check_events(storm)
    counted = check_effects(where, mind.folder)
    adoptions, _ = check_protection(where)
    assert faults_of(where) == []
    with contextlib.closing(open_where(where)) as store:
        for number in range(LANES):
            pieces = list(lives.export(store, FixedClock(), agent=f"a{number}"))
            assert list(lives.verify(pieces, name="it", rules=SlotRules()).wrong()) == []
    died = sum(storm.died.values())
    sys.stdout.write(
        f"seed {SEED}: {died} workers, {trouble.kills} servers, {door.cut} commits cut; "
        f"{len(storm.acknowledged)} acknowledged, {adoptions} adoptions, {counted}, "
        f"{looked} looks, "
        f"statuses {dict(storm.statuses)}\n"
    )
    assert trouble.kills >= kills // EVERY
    assert door.cut >= kills // EVERY
    assert looked >= died // (2 * LOOK_EVERY)
    proved_on_server(1, kills=died, acknowledged=len(storm.acknowledged), lost=0)
    proved_on_server(
        3, kills=died, keys=counted["keys"], re_attempts=counted["again"], second_effects=0
    )
    proved_on_server(5, effects=counted["answers"], differing=0)
    proved_on_server(6, looks_after_kills=looked, faults=0)
    proved_on_server(7, server_kills=trouble.kills, cut_commits=door.cut, lost=0)
    proved_on_server(9, takeovers=adoptions)
