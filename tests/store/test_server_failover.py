"""A replica that lags takes a server's place: what is lost is seen, and nobody goes on from it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import FencedError, StoreBusyError
from mindpipe.core.events import NewEvent
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.store.address import Address, address_of
from mindpipe.store.postgres.schema import make_store, open_store
from mindpipe.store.postgres.store import PostgresStore
from support.command import Mind
from support.fakes import FixedClock
from support.postgres_server import Replica, Server, followed, programs, running

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
CLOCK = FixedClock()


@pytest.fixture(params=VERSIONS or ["none"])
def version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def primary(version: str) -> Iterator[Server]:
    with running(version) as started:
        yield started


@pytest.fixture
def replica(primary: Server, version: str) -> Iterator[Replica]:
    with followed(primary, version) as started:
        yield started


def either(*servers: Server) -> Address:
    """Return the address of whichever of some servers takes what is written."""
    hosts = ",".join(str(server.folder) for server in servers)
    return address_of(
        f"postgresql://mind@/postgres?host={hosts}&port=5432"
        "&target_session_attrs=read-write&schema=fleet"
    )


def new(store: PostgresStore, name: str) -> None:
    agents.new(store, CLOCK, make_chance(1), name=name)


def push(store: PostgresStore, text: str) -> None:
    event = NewEvent(agent="ava", source="test", text=text, key=f"key of {text}")
    push_events(store, CLOCK, make_chance(1), events=[event], bounds=Bounds())


def found(store: PostgresStore) -> list[str]:
    """Return the agents of whom the mirror knows."""
    with store.searched.read() as rows:
        return rows.all(str, "SELECT name FROM agent ORDER BY name")


def test_what_a_lagging_replica_lacked_is_lost_is_seen_and_is_done_once_more(
    primary: Server, replica: Replica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    address = either(primary, replica)
    with (
        contextlib.closing(make_store(address, CLOCK, make_chance(1))) as store,
        contextlib.closing(open_store(address)) as worker,
    ):
        new(store, "ava")
        push(store, "kept")
        replica.catch_up()
        replica.cut_off()
        epoch = leases.acquire(worker, CLOCK, agent="ava", owner="r1")
        new(store, "lost")
        push(store, "lost")
        assert found(store) == ["ava", "lost"]
        primary.stop()
        replica.promote()
        with pytest.raises(StoreBusyError):
            push(store, "lost")
        assert [event.text for event in inbox.list_(store, agent="ava")] == ["kept"]
        # As many changes as were lost, and more.
        for name in ("bob", "cem", "dan", "eva"):
            new(store, name)
        assert found(store) == ["ava", "bob", "cem", "dan", "eva"]
        # Who held an agent there holds it no more, though its epoch comes again.
        assert leases.acquire(store, CLOCK, agent="ava", owner="r2") == epoch
        with pytest.raises(StoreBusyError):
            leases.check(worker, agent="ava", owner="r1", epoch=epoch)
        with pytest.raises(FencedError):
            leases.check(worker, agent="ava", owner="r1", epoch=epoch)
        # What has a key can be given again, whether it was lost or not.
        for text in ("kept", "lost"):
            push(store, text)
        texts = [event.text for event in inbox.list_(store, agent="ava")]
        assert texts == ["kept", "lost"]


def test_a_replica_is_read_and_says_in_a_line_that_it_takes_nothing(
    primary: Server, replica: Replica, mind: Mind
) -> None:
    where = primary.url(schema="fleet")
    mind("init", "--agent", "ava", "--store", where)
    mind("memory", "add", "--agent", "ava", "--text", "Tea is hot.", "--store", where)
    replica.catch_up()
    there = ("--store", replica.url(schema="fleet"))
    for words in (("list",), ("search", "tea")):
        assert len(mind("memory", *words, "--agent", "ava", *there).records()) == 1
    ran = mind.run("inbox", "push", "--agent", "ava", "--text", "Hello", *there)
    assert (ran.status, ran.words.count("\n")) == (69, 1), ran.words
    assert "replica" in ran.words
