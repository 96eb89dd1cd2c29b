"""Two that take the same things of a server wait for each other in one order, so neither for ever.

One is let into what it does while the other holds what comes first. Once it waits for that, the
other takes what comes then: it has that at once only if the one does not hold it yet.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import psycopg
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import MindError
from mindpipe.core.events import NewEvent
from mindpipe.core.lines import AllOrNothing
from mindpipe.core.ports import NOBODY, HeldKind
from mindpipe.engine.records.journal import Ticket, TicketState
from mindpipe.engine.tables import journal
from mindpipe.engine.tools.tasks import handed_back
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.history.rows import digest
from mindpipe.history.verbs import attachments, log
from mindpipe.inbox.batch import Batch
from mindpipe.inbox.lines import check
from mindpipe.inbox.push_rules import LineRules, PushRules
from mindpipe.inbox.records import Bounds, EventDefaults
from mindpipe.inbox.verbs.push import deliverer, push
from mindpipe.io.chance import make_chance
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, NewSpaceEntity
from mindpipe.store.address import Address, address_of
from mindpipe.store.postgres.schema import make_store, open_store
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.tasks.records import NewTask, Report, Task
from mindpipe.tasks.verbs import task as tasks
from support.fakes import FixedClock
from support.postgres_server import Server, programs, running

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL"),
]
CLOCK, CHANCE = FixedClock(), make_chance(1)
AGENTS = ("ava", "bea", "cleo")
FILE = attachments.attached("note.txt", b"jam")
SPACES = (("a", ("ava", "cleo")), ("b", ("ava", "bea")))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(VERSIONS[-1]) as started:
        yield started


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let who waits for another wait for as long as a busy machine needs, as neither is stuck."""
    monkeypatch.setattr("mindpipe.store.postgres.store.BUSY_SECONDS", 600)


@pytest.fixture
def address(server: Server, request: pytest.FixtureRequest) -> Iterator[Address]:
    """Return where a new store is, with agents that talk and delegate, which ends with the test."""
    schema = f"x{abs(hash(request.node.nodeid)) % 10**9}"
    where = address_of(server.url(schema=schema))
    with contextlib.closing(make_store(where, CLOCK, CHANCE)) as made, made.write():
        for name in AGENTS:
            agents.new(made, CLOCK, CHANCE, name=name, change=AgentChange())
        for space, members in SPACES:
            spaces.new(made, CLOCK, name=space)
            for name in members:
                who = NewSpaceEntity(name=name, kind="agent")
                spaces.join(made, CLOCK, CHANCE, space=space, who=who)
            said = NewPost(sender="ava", text=f"In {space}.", holder="ava/1")
            spaces.post(made, CLOCK, CHANCE, space=space, post=said, deliver=_to_nobody)
        _delegate(made)
    yield where
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {schema} CASCADE".encode())


def _to_nobody(_events: list[NewEvent]) -> None:
    """Deliver nothing."""


def _delegate(store: PostgresStore) -> None:
    """Leave a task of bea's that waits for a person."""
    new = NewTask(kind="work", text="Add it up.", to="cleo")
    made = tasks.add(store, CLOCK, CHANCE, agent="bea", new=new)
    ticket = Ticket(
        id="t_1",
        agent="bea",
        kind="delegation",
        state=TicketState.PENDING,
        cycle=0,
        args={"task": made.id},
        reason="Somebody said so.",
        created=CLOCK.now(),
        expires="2099-01-01T00:00:00Z",
    )
    with store.write() as rows:
        journal.save_ticket(rows, ticket)
        sent = tasks.send(rows, CLOCK, made, anew=True, retry=False)
        tasks.escalate(rows, sent, late=True, reason="", ticket=ticket.id)


def _task(store: PostgresStore) -> Task:
    (found,) = tasks.list_(store, agent="bea")
    return found


def _deliver(store: PostgresStore, *names: str) -> None:
    for name in names:
        deliverer(store, CLOCK, CHANCE, bounds=Bounds())(
            [NewEvent(agent=name, text="Hello.", source="test")]
        )


def _piece(agent: str) -> Batch:
    rules = LineRules(source="-", given=EventDefaults(agent=agent), bounds=Bounds())
    piece = check(1, b'{"text": "Hello."}', rules, AllOrNothing())
    assert piece is not None
    return piece


def _push(store: PostgresStore, *names: str) -> None:
    rules = PushRules(bounds=Bounds(), source="-")
    pieces = [_piece(name) for name in names]
    push(
        store,
        CLOCK,
        CHANCE,
        pieces=pieces,
        agents=names,
        push_rules=rules,
        keep=lambda _receipts: None,
    )


def _say_in_both(store: PostgresStore) -> None:
    deliver = deliverer(store, CLOCK, CHANCE, bounds=Bounds())
    spaces.release_held(store, holder="ava/1", deliver=deliver)


def _show(store: PostgresStore) -> None:
    deliver = deliverer(store, CLOCK, CHANCE, bounds=Bounds())
    said = NewPost(sender="ava", text="Look!")
    spaces.post(store, CLOCK, CHANCE, space="b", post=said, deliver=deliver, files=(FILE,))


def _talk(store: PostgresStore) -> None:
    """Let bea speak, and then ava, each to the other."""
    posts = [NewPost(sender="bea", text="Hello."), NewPost(sender="ava", text="Hello.")]
    deliver = deliverer(store, CLOCK, CHANCE, bounds=Bounds())
    spaces.post_all(store, CLOCK, CHANCE, space="b", posts=posts, deliver=deliver)


def _meet(store: PostgresStore) -> None:
    host = NewSpaceEntity(name="anna", kind="human", title="Anna")
    guest = NewSpaceEntity(name="bea", kind="agent", title="Bea")
    spaces.meet(store, CLOCK, CHANCE, host=host, guest=guest)


def _tell_others_and_herself(store: PostgresStore) -> None:
    with store.write("ava"):
        _deliver(store, "bea", "ava")


def _report(store: PostgresStore) -> None:
    deliver = deliverer(store, CLOCK, CHANCE, bounds=Bounds())
    with store.write(NOBODY):
        made = tasks.report(store, CLOCK, deliver, task=_task(store).id, report=Report(result="42"))
        handed_back(store, CLOCK, made)


def _deny(store: PostgresStore) -> None:
    deliver = deliverer(store, CLOCK, CHANCE, bounds=Bounds())
    verdict = tickets.TicketVerdict("anna")
    tickets.deny(store, CLOCK, deliver, ticket="t_1", verdict=verdict)


def _keep_both(store: PostgresStore) -> None:
    log.put_blobs(store, octets=(b"other", b"first"))


def _keep_one_then_the_other(store: PostgresStore) -> None:
    with store.write(NOBODY):
        log.put_blob(store, octets=b"other")
        assert store.identity, "asked for, as what waits is sent with it"
        log.put_blob(store, octets=b"first")


class Crossing(NamedTuple):
    """What one does, and what the other holds when it comes, and takes then."""

    does: Callable[[PostgresStore], None]
    first: tuple[HeldKind | Literal["blob"], str]
    then: tuple[HeldKind | Literal["blob"], str]


TASK = "the task"
CROSSINGS = {
    "posts of a turn in two spaces": Crossing(_say_in_both, ("inbox", "bea"), ("inbox", "cleo")),
    "two who speak in a space": Crossing(_talk, ("inbox", "ava"), ("inbox", "bea")),
    "a space for two": Crossing(_meet, ("space", ""), ("space", "anna-bea")),
    "others and herself": Crossing(_tell_others_and_herself, ("inbox", "ava"), ("inbox", "bea")),
    "lines for two": Crossing(
        lambda store: _push(store, "bea", "ava"), ("inbox", "ava"), ("inbox", "bea")
    ),
    "a file that is shown": Crossing(_show, ("inbox", "bea"), ("blob", "jam")),
    "files in either order": Crossing(_keep_both, ("blob", "first"), ("blob", "other")),
    "files one by one": Crossing(_keep_one_then_the_other, ("blob", "first"), ("blob", "other")),
    "a task that is reported on": Crossing(_report, ("ticket", "t_1"), ("inbox", "bea")),
    "a ticket that is denied": Crossing(_deny, ("task", TASK), ("ticket", "t_1")),
}


def _take(store: PostgresStore, what: tuple[HeldKind | Literal["blob"], str]) -> None:
    """Take something in the open transaction, whatever that holds already."""
    kind, name = what
    if kind == "blob":
        insert = "INSERT INTO blob VALUES(%s, %s) ON CONFLICT(sha256) DO NOTHING"
        store.connection.execute(insert, [digest(name.encode()), name.encode()])
        return
    number = store.lock_of(kind, _task(store).id if name == TASK else name)
    store.connection.execute(f"SELECT pg_advisory_xact_lock({number})".encode())


def _waits(server: Server, store: PostgresStore, working: threading.Thread) -> bool:
    """Return whether a connection waits for a lock, once it does or has nothing to do any more."""
    asked = "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = %s"
    with psycopg.connect(server.url(), autocommit=True) as looking:
        while working.is_alive():
            found = looking.execute(asked, [store.connection.info.backend_pid]).fetchone()
            if found == (True,):
                return True
            time.sleep(0.01)
    return False


@pytest.mark.parametrize("crossing", CROSSINGS.values(), ids=CROSSINGS)
def test_neither_holds_what_the_other_takes_before(
    server: Server, address: Address, crossing: Crossing
) -> None:
    ended: list[MindError | None] = []

    def work() -> None:
        try:
            crossing.does(one)
            ended.append(None)
        except MindError as error:
            ended.append(error)

    with (
        contextlib.closing(open_store(address)) as one,
        contextlib.closing(open_store(address)) as other,
    ):
        # Connected here, as its number is asked for while it works.
        assert one.identity == other.identity
        working = threading.Thread(target=work)
        with other.write(NOBODY):
            _take(other, crossing.first)
            working.start()
            assert _waits(server, one, working)
            _take(other, crossing.then)
        working.join()
    assert ended == [None]
