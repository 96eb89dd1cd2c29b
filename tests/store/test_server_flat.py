"""That claims and pushes read as little of many events that wait as of few.

So it is whatever a server believes.
How much is read is counted in pages, which are the same each time. Nothing is vacuumed by itself.
"""

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import NOBODY, Rows
from mindpipe.inbox.records import BATCH, Bounds
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.tables import glances
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.store import next_looks
from mindpipe.store.address import address_of
from mindpipe.store.postgres.schema import make_store
from mindpipe.store.postgres.store import PostgresStore
from support.fakes import FixedClock
from support.postgres_server import FAST, programs, running

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL"),
]
CLOCK, CHANCE = FixedClock(), make_chance(1)
MANY = 10_000
SETTINGS = "SELECT array_to_string(reloptions, ' ') FROM pg_class WHERE oid = 'event'::regclass"
READ = """SELECT sum(pg_stat_get_xact_blocks_fetched(oid)),
    pg_stat_get_xact_numscans('event'::regclass)
    FROM pg_class WHERE oid = 'event'::regclass
    OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'event'::regclass)"""


class Read(NamedTuple):
    """What was read of events and their indexes: pages, and how often all rows."""

    pages: int
    scans: int


@pytest.fixture(scope="module", params=VERSIONS)
def store(request: pytest.FixtureRequest) -> Iterator[PostgresStore]:
    with running(request.param, settings=(*FAST, "autovacuum=off")) as server:
        made = make_store(address_of(server.url(schema="flat")), CLOCK, CHANCE)
        with contextlib.closing(made) as store:
            agents.new(store, CLOCK, CHANCE, name="ava", change=AgentChange())
            yield store


def push(store: PostgresStore, count: int) -> None:
    """Push so many events."""
    bounds = Bounds(max_open=10 * MANY, max_open_per_source=10 * MANY)
    events = [NewEvent(agent="ava", text=f"{one}", source="test") for one in range(count)]
    push_events(store, CLOCK, CHANCE, events=events, bounds=bounds)


def drain(store: PostgresStore) -> None:
    """Let all events that wait be done."""
    with store.write() as rows:
        rows.run(f"UPDATE event SET state = 'done' WHERE {tables.OPEN}")


def look(store: PostgresStore) -> None:
    """Let the server look how many rows there are, and how they are, as it does now and then."""
    store.connection.execute(f"ANALYZE {store.address.schema}.event".encode())


def read_by_a_claim(store: PostgresStore) -> Read:
    """Return what it takes to see that an agent is due, and what waits, and to be done with it."""
    with store.write(NOBODY) as rows:
        before = read_until_now(rows)
        now = inbox.moment(CLOCK)
        assert next_looks.to_look_at(store, CLOCK, patterns=["*"]) == ["ava"]
        assert tables.count_open(rows, agent="ava", most=1) == 1
        glances.interrupts(rows, agent="ava", now=now, up_to=4, limit=BATCH)
        glances.talks(rows, agent="ava", now=now, limit=BATCH, window=BATCH)
        claimed = inbox.claim(store, CLOCK, agent="ava", owner="me")
        assert len(claimed) == BATCH
        for event in claimed:
            inbox.ack(store, id=event.id, epoch=event.epoch)
        after = read_until_now(rows)
    return Read(after.pages - before.pages, after.scans - before.scans)


def read_until_now(rows: Rows) -> Read:
    """Return what was read in this transaction, and since the server last noted it."""
    ((pages, scans),) = rows.each(tuple, READ)
    return Read(int(pages), int(scans))


@pytest.mark.parametrize("believed", ["none waits", "all wait", "nothing"])
def test_a_claim_reads_a_few_pages_however_many_events_wait(
    store: PostgresStore, believed: str
) -> None:
    drain(store)
    push(store, MANY)
    if believed == "all wait":
        look(store)
    drain(store)
    if believed == "none waits":
        look(store)
    # Their rows are still there, as done; those that were open before are dead.
    store.connection.execute(f"VACUUM {store.address.schema}.event".encode())
    found = []
    for more in (2 * BATCH, MANY):
        push(store, more)
        found.append(read_by_a_claim(store))
    few, many = found
    assert many.scans == 0
    assert many.pages < few.pages + MANY // 20


def read_by_a_push(store: PostgresStore) -> Read:
    """Return what it takes to push one event more."""
    with store.write(NOBODY) as rows:
        before = read_until_now(rows)
        push(store, 1)
        after = read_until_now(rows)
    return Read(after.pages - before.pages, after.scans - before.scans)


def test_a_push_reads_a_few_pages_however_many_events_wait(store: PostgresStore) -> None:
    drain(store)
    store.connection.execute(f"VACUUM {store.address.schema}.event".encode())
    found = []
    for more in (2 * BATCH, MANY):
        push(store, more)
        found.append(read_by_a_push(store))
    few, many = found
    assert many.scans == 0
    assert many.pages < few.pages + 100


def test_what_was_drained_is_vacuumed_soon(store: PostgresStore) -> None:
    with store.read() as rows:
        told = rows.value(str, SETTINGS)
    assert told == "autovacuum_vacuum_scale_factor=0.01 autovacuum_vacuum_threshold=1000"
