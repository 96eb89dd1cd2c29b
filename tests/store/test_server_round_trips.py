"""How often commands wait for the server, and that they do no more often than they have to.

Who adds a question to one of these ways is to know that a server far away makes each dear.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import UnfitRowError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import NOBODY
from mindpipe.inbox.records import BATCH, Bounds, Event
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.store import next_looks
from mindpipe.store.address import address_of
from mindpipe.store.postgres.schema import make_store
from mindpipe.store.postgres.store import PostgresStore
from support.fakes import FixedClock
from support.postgres_server import programs, running
from support.round_trips import round_trips

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
CLOCK, CHANCE = FixedClock(), make_chance(1)


@pytest.fixture(scope="module")
def store() -> Iterator[PostgresStore]:
    """Give a store in which all has been done before, so that nothing is asked for once alone."""
    with running(VERSIONS[-1]) as server:
        made = make_store(address_of(server.url(schema="trips")), CLOCK, CHANCE)
        with contextlib.closing(made) as store:
            agents.new(store, CLOCK, CHANCE, name="ava", change=AgentChange())
            for at_once in (1, 1, 1, 1, 1, 1, BATCH):
                push(store, at_once)
                ack(store, claim(store, at_once))
            yield store


def push(store: PostgresStore, count: int = 1) -> None:
    """Push so many events."""
    events = [NewEvent(agent="ava", text=f"{one}", source="test") for one in range(count)]
    push_events(store, CLOCK, CHANCE, events=events, bounds=Bounds())


def claim(store: PostgresStore, count: int = 1) -> list[Event]:
    """Claim so many events."""
    return inbox.claim(store, CLOCK, agent="ava", owner="me", limit=count)


def ack(store: PostgresStore, events: list[Event]) -> None:
    """Acknowledge events in one transaction."""
    with store.write(NOBODY):
        for event in events:
            inbox.ack(store, id=event.id, epoch=event.epoch)


def look(store: PostgresStore) -> None:
    """Look whether any agent is due."""
    next_looks.to_look_at(store, CLOCK, patterns=["*"])


class Way(NamedTuple):
    """Something that is done, after something else, and how often it waits for the server."""

    most: int
    does: Callable[[PostgresStore], object]


@pytest.mark.parametrize(
    "way",
    [
        # Begin; the lock and what is open; the agent; numbers; the rows and what is open then; what
        # was heard; the log, and where the agent lives; the commit; the hint.
        pytest.param(Way(9, push), id="push"),
        pytest.param(Way(10, lambda store: push(store, BATCH)), id="push of a batch"),
        # Begin; what comes next; the rows; what was heard; the log; the commit.
        pytest.param(Way(6, claim), id="claim"),
        pytest.param(Way(6, lambda store: claim(store, BATCH)), id="claim of a batch"),
        pytest.param(Way(3, look), id="look"),
    ],
)
def test_a_verb_waits_for_the_server_as_seldom_as_it_can(store: PostgresStore, way: Way) -> None:
    push(store, BATCH)
    with round_trips(store) as found:
        way.does(store)
    ack(store, claim(store, 10 * BATCH))
    assert 0 < found.count <= way.most


def test_an_acknowledgement_waits_twice_for_each_event(store: PostgresStore) -> None:
    counts = []
    for at_once in (1, 5):
        push(store, at_once)
        events = claim(store, at_once)
        with round_trips(store) as found:
            ack(store, events)
        counts.append(found.count)
    assert counts == [6, 6 + 2 * 4]


def test_what_is_wrong_with_a_row_is_told_with_what_follows_it(store: PostgresStore) -> None:
    twice = "INSERT INTO agent SELECT * FROM agent"
    with pytest.raises(UnfitRowError, match="agent_pkey"), store.write() as rows:
        rows.run(twice)
        rows.value(int, "SELECT 1")
    with pytest.raises(UnfitRowError, match="agent_pkey"), store.write() as rows:
        rows.run(twice)
    with store.write() as rows:
        assert rows.value(int, "SELECT count(*) FROM agent") == 1
