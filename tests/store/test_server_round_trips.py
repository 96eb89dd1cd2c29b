"""How often commands wait for the server, and that they do no more often than they have to.

Who adds a question to one of these ways is to know that a server far away makes each dear.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import goal as goals
from mindpipe.app import App
from mindpipe.core.errors import UnfitRowError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import NOBODY
from mindpipe.engine.dependencies import limits_of
from mindpipe.engine.verbs import think
from mindpipe.inbox.records import BATCH, Bounds, Event
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.monitoring.watch import outside
from mindpipe.store import next_looks
from mindpipe.store.address import address_of
from mindpipe.store.changes import columns_of
from mindpipe.store.postgres.answers import OWN
from mindpipe.store.postgres.schema import make_store, open_store
from mindpipe.store.postgres.store import PostgresStore
from support.command import make_private
from support.cut_connections import CuttingDoor
from support.fakes import FixedClock
from support.postgres_server import Server, programs, running
from support.round_trips import round_trips

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
CLOCK, CHANCE = FixedClock(), make_chance(1)
ANSWER = '#!/bin/sh\ncat > /dev/null; echo \'{"text": "Yes."}\'\n'
CYCLE = 150
"""So often a cycle may wait for its server; it did 300 times."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Give a server."""
    with running(VERSIONS[-1]) as server:
        yield server


@pytest.fixture(scope="module")
def store(server: Server) -> Iterator[PostgresStore]:
    """Give a store in which all has been done before, so that nothing is asked for once alone."""
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
        # Begin, the lock and what is open; the agent; numbers; the rows and what is open then; what
        # was heard; the log, and where the agent lives; the commit. Nobody waits for the hint.
        pytest.param(Way(7, push), id="push"),
        pytest.param(Way(8, lambda store: push(store, BATCH)), id="push of a batch"),
        # Begin and what comes next; the rows; what was heard; the log; the commit.
        pytest.param(Way(5, claim), id="claim"),
        pytest.param(Way(5, lambda store: claim(store, BATCH)), id="claim of a batch"),
        # Nobody waits for the end of what only read.
        pytest.param(Way(1, look), id="look"),
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
    assert counts == [5, 5 + 2 * 4]


def test_a_cycle_asks_nothing_twice_of_a_store_that_does_not_change(
    store: PostgresStore, tmp_path: Path
) -> None:
    answer = tmp_path / "answer"
    answer.write_text(ANSWER)
    answer.chmod(0o700)
    app = App({"store": str(store.address)}, {"HOME": str(tmp_path)})
    agents.set_(app.store, name="ava", change=AgentChange(model=f"program:{answer}"))
    ava = agents.show(app.store, name="ava")
    deps = app.dependencies_to_think(ava, tell=print)
    counts = []
    for _ in range(3):
        push(store)
        with round_trips(cast("PostgresStore", app.store)) as found:
            think.think(deps, agent="ava", limits=limits_of(ava))
        counts.append(found.count)
    app.store.close()
    assert counts[-1] <= CYCLE
    assert found.parsed == 0, "what was prepared is prepared again"


def test_what_begins_with_its_first_question_is_one_with_what_joins_it(
    store: PostgresStore,
) -> None:
    asked = "SELECT count(*) FROM event WHERE agent = 'ava' AND state = 'ready'"
    with store.read() as rows:
        before = rows.value(int, asked)
    with pytest.raises(UnfitRowError), store.write(NOBODY):
        with store.read(), store.write(NOBODY):
            pass
        push(store)
        raise UnfitRowError("taken back")
    with store.read() as rows:
        assert rows.value(int, asked) == before
    with round_trips(store) as found, store.read(), store.read():
        pass
    assert found.count == 0


def test_an_answer_is_not_given_again_once_something_was_told(store: PostgresStore) -> None:
    asked = "SELECT text FROM goal WHERE agent = :agent"
    with store.write("ava") as rows:
        for text in ("one", "two"):
            goals.add(store, CLOCK, CHANCE, agent="ava", text=text)
            with round_trips(store) as found:
                said = [rows.all(str, asked, {"agent": "ava"}) for _ in range(3)]
            assert found.count == 1
            assert said == [said[0]] * 3
            assert said[0][-1] == text
        rows.hold("space", "family")
        with round_trips(store) as found:
            rows.all(str, asked, {"agent": "ava"})
        assert found.count == 1
    with store.read() as rows, round_trips(store) as found:
        rows.all(str, asked, {"agent": "ava"})
    assert found.count == 1


def test_figures_of_many_agents_take_as_many_connections_as_those_of_one(server: Server) -> None:
    connected = []
    for count in (1, 5):
        place = server.url(schema=f"figures{count}")
        way = make_private(server.folder / f"way{count}")
        with contextlib.closing(make_store(address_of(place), CLOCK, CHANCE)) as made:
            for name in "abcde"[:count]:
                agents.new(made, CLOCK, CHANCE, name=name, change=AgentChange())
        with CuttingDoor(way, server.folder) as door:
            there = place.replace(server.folder.name, f"{server.folder.name}%2F{way.name}")
            with contextlib.closing(open_store(address_of(there))) as store:
                for agent in agents.list_(store):
                    assert outside(store, CLOCK, agent=agent.name).lost == 0
            connected.append(door.came)
    assert connected[1] == connected[0]


def test_what_is_told_of_what_an_agent_has_alone_leaves_other_answers(
    store: PostgresStore,
) -> None:
    goal, turns = "SELECT count(*) FROM goal", "SELECT count(*) FROM turn WHERE agent = 'ava'"
    told = "INSERT INTO turn VALUES('ava', 900, 1, 'asking', 0, 'b', 0.0, '{}', NULL, '[]')"
    with store.write("ava") as rows:
        assert all("agent" in columns_of(rows, name.decode()).all for name in OWN)
        with round_trips(store) as found:
            before = [rows.value(int, asked) for asked in (goal, turns)]
            rows.run(told)
            again = [rows.value(int, asked) for asked in (goal, turns)]
        assert found.count == 2 + 1
        assert again == [before[0], (before[1] or 0) + 1]
        rows.run("DELETE FROM turn WHERE cycle = 900")


def test_what_is_asked_ahead_comes_with_what_is_asked_before_it(store: PostgresStore) -> None:
    goal, event = "SELECT count(*) FROM goal", "SELECT count(*) FROM event"
    with store.write("ava") as rows, round_trips(store) as found:
        rows.ahead(goal)
        rows.value(int, event)
        first = rows.value(int, goal)
        rows.ahead(goal)
        goals.add(store, CLOCK, CHANCE, agent="ava", text="three")
        after = rows.value(int, goal)
    assert after == (first or 0) + 1
    assert found.count <= 4


def test_what_is_wrong_with_a_row_is_told_with_what_follows_it(store: PostgresStore) -> None:
    twice = "INSERT INTO agent SELECT * FROM agent"
    with pytest.raises(UnfitRowError, match="agent_pkey"), store.write() as rows:
        rows.run(twice)
        rows.value(int, "SELECT 1")
    with pytest.raises(UnfitRowError, match="agent_pkey"), store.write() as rows:
        rows.run(twice)
    with store.write() as rows:
        assert rows.value(int, "SELECT count(*) FROM agent") == 1
