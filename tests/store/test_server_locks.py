"""What writers of a server hold, and that a build without one of the locks is found out.

Two connections take turns in one thread: one leaves its transaction open, and what the other may
not do meanwhile ends as a busy store. The same is done by a build that lacks the lock; there it is
not held up, which is how the test would fail.
"""

import contextlib
import itertools
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import CapReachedError, RefusedError, StoreBusyError
from mindpipe.core.events import NewEvent
from mindpipe.core.lines import AllOrNothing
from mindpipe.core.ports import NOBODY, Given, HeldKind, Pair, Rows, Sql
from mindpipe.engine.worker.recovery import Recovery
from mindpipe.history.adoption import ForeignDocument
from mindpipe.history.verbs import history
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.tables import events as event_tables
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import deliverer, push_events
from mindpipe.io.chance import make_chance
from mindpipe.io.clock import machine_boot
from mindpipe.life.tables import reserved
from mindpipe.life.verbs import life
from mindpipe.memory.records import NewItem, NewLesson
from mindpipe.memory.verbs import lesson as lessons
from mindpipe.memory.verbs import memory
from mindpipe.providers.records import ImportOptions
from mindpipe.recall.verbs import reindex
from mindpipe.settings import Settings
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, NewSpaceEntity
from mindpipe.spending import verbs as spending
from mindpipe.spending.records import Caps, NewLedgerEntry
from mindpipe.store.address import Address, address_of
from mindpipe.store.changes import ChangesWritten, last_of_all
from mindpipe.store.postgres.connection import server_errors
from mindpipe.store.postgres.schema import make_store, open_store
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.tasks.records import NewTask
from mindpipe.tasks.verbs import task as tasks
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import WorkerSession, WorkerSessionState
from support.fakes import FixedClock
from support.foreign_documents import read_file
from support.patience import until
from support.postgres_server import EACH_VERSION, Server, programs, running
from support.stores import WordTokens

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
CLOCK, CHANCE = FixedClock(), make_chance(1)
AGENTS = ("ava", "bea", "cleo")


@pytest.fixture(scope="module", params=EACH_VERSION)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with running(request.param) as started:
        yield started


@pytest.fixture
def address(server: Server, request: pytest.FixtureRequest) -> Iterator[Address]:
    """Return where a new store with some agents in a space is, which ends with the test."""
    schema = f"l{abs(hash(request.node.nodeid)) % 10**9}"
    where = address_of(server.url(schema=schema))
    with contextlib.closing(make_store(where, CLOCK, CHANCE)) as made, made.write():
        spaces.new(made, CLOCK, name="family")
        for name in AGENTS:
            agents.new(made, CLOCK, CHANCE, name=name, change=AgentChange())
            who = NewSpaceEntity(name=name, kind="agent")
            spaces.join(made, CLOCK, CHANCE, space="family", who=who)
    yield where
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {schema} CASCADE".encode())


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long for what another holds."""
    monkeypatch.setattr("mindpipe.store.postgres.store.BUSY_SECONDS", 0.2)


@pytest.fixture
def two(address: Address) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    with (
        contextlib.closing(open_store(address)) as one,
        contextlib.closing(open_store(address)) as other,
    ):
        yield one, other


def push(store: PostgresStore, agent: str, key: str) -> None:
    event = NewEvent(agent=agent, text=key, source="test", key=key)
    push_events(store, CLOCK, CHANCE, events=[event], bounds=Bounds())


def post(store: PostgresStore, sender: str, text: str) -> None:
    deliver = deliverer(store, CLOCK, CHANCE, bounds=Bounds())
    said = NewPost(sender=sender, text=text)
    spaces.post(store, CLOCK, CHANCE, space="family", post=said, deliver=deliver)


def spend(store: PostgresStore, agent: str, caps: Caps) -> None:
    entry = NewLedgerEntry(
        id=f"{agent}/1/1/1",
        agent=agent,
        cycle=1,
        turn=1,
        attempt=1,
        purpose="think",
        model="m",
        micros=60,
    )
    spending.reserve(store, CLOCK, entry=entry, caps=caps)


def set_goal(store: PostgresStore, agent: str) -> None:
    goals.add(store, CLOCK, CHANCE, agent=agent, text="Rest.")


def live(store: PostgresStore, agent: str) -> None:
    """Do all that an agent does in a cycle, each in a transaction of its own."""
    push(store, agent, "wake up")
    (event,) = inbox.claim(store, CLOCK, agent=agent, owner="w", limit=1)
    epoch = leases.acquire(store, CLOCK, agent=agent, owner="w")
    set_goal(store, agent)
    with store.write(agent):
        inbox.ack(store, id=event.id, epoch=event.epoch)
        leases.release(store, agent=agent, owner="w", epoch=epoch)


class Lock(NamedTuple):
    """One lock: what somebody leaves open, and what nobody else does meanwhile."""

    kind: str
    of: tuple[str, ...]
    leaves: Callable[[PostgresStore], None]
    waits: Callable[[PostgresStore], None]


def nothing(_store: PostgresStore) -> None:
    """Do nothing."""


def take_all(store: PostgresStore) -> None:
    with store.write():
        pass


def delegate(store: PostgresStore) -> None:
    new = NewTask(kind="work", text="Add it up.", to="bea")
    tasks.add(store, CLOCK, CHANCE, agent="ava", new=new)


def look_at_task(store: PostgresStore) -> None:
    (task,) = tasks.list_(store, agent="ava")
    with store.write() as rows:
        tasks.find(rows, task.id)


def fail_task(store: PostgresStore) -> None:
    (task,) = tasks.list_(store, agent="ava")
    tasks.cancel(store, lambda _events: None, task=task.id, person="anna", reason=None)


def come_in(store: PostgresStore, name: str) -> None:
    who = NewSpaceEntity(name=name, kind="human", title="Anna")
    spaces.join(store, CLOCK, CHANCE, space="family", who=who)


CAPS = Caps(store_day=100)
LOCKS = (
    Lock("store", ("ava",), nothing, take_all),
    Lock("store", (), nothing, lambda other: set_goal(other, "ava")),
    Lock("agent", ("ava",), nothing, lambda other: set_goal(other, "ava")),
    Lock(
        "inbox",
        (NOBODY,),
        lambda one: push(one, "bea", "first"),
        lambda other: push(other, "bea", "second"),
    ),
    Lock("space", (NOBODY,), lambda one: come_in(one, "anna"), lambda other: come_in(other, "ann")),
    Lock("task", (NOBODY,), look_at_task, fail_task),
    Lock(
        "spending",
        ("ava",),
        lambda one: spend(one, "ava", CAPS),
        lambda other: spend(other, "bea", CAPS),
    ),
)


def leave_out(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program be a build that lacks one lock: each who takes it takes one of its own."""
    others = itertools.count(1 << 60)
    lock_of = PostgresStore.lock_of

    def another(store: PostgresStore, of: HeldKind, name: str) -> int:
        return next(others) if of == kind else lock_of(store, of, name)

    monkeypatch.setattr(PostgresStore, "lock_of", another)
    if kind == "store":
        locking = PostgresStore.locking
        monkeypatch.setattr(
            PostgresStore,
            "locking",
            lambda store, held: [
                one for one in locking(store, held) if b"advisory" not in one.text
            ],
        )


@pytest.mark.parametrize("build", ["as it is", "without it"])
@pytest.mark.parametrize("lock", LOCKS, ids=[f"{one.kind}-{len(one.of)}" for one in LOCKS])
def test_what_one_holds_no_other_writes_before_it_has_ended(
    address: Address, lock: Lock, build: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_there = build == "as it is"
    if not is_there:
        leave_out(lock.kind, monkeypatch)
    with (
        contextlib.closing(open_store(address)) as one,
        contextlib.closing(open_store(address)) as other,
    ):
        delegate(one)
        with one.write(*lock.of):
            lock.leaves(one)
            with pytest.raises(StoreBusyError) if is_there else contextlib.nullcontext():
                lock.waits(other)


def test_who_reads_a_table_that_somebody_has_alone_is_told_that_the_store_is_busy(
    address: Address, two: tuple[PostgresStore, PostgresStore]
) -> None:
    with psycopg.connect(address.server) as other:
        other.execute(f"LOCK TABLE {address.schema}.event".encode())
        with pytest.raises(StoreBusyError):
            inbox.list_(two[0], agent="ava")
    assert inbox.list_(two[0], agent="ava") == []


def test_who_is_interrupted_while_he_waits_is_not_told_that_the_store_is_busy(
    two: tuple[PostgresStore, PostgresStore], address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindpipe.store.postgres.store.BUSY_SECONDS", 600)
    one, other = two

    def interrupt() -> None:
        asked = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        with psycopg.connect(address.server, autocommit=True) as connection:
            until(lambda: connection.execute(asked).fetchone() == (1,), "somebody waits")
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    with one.write("ava"), ThreadPoolExecutor() as pool:
        ended = pool.submit(interrupt)
        with pytest.raises(KeyboardInterrupt), other.write("ava"):
            pass
        ended.result()


def test_another_agent_lives_a_cycle_while_one_has_a_transaction_open(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    with one.write("ava") as rows:
        set_goal(one, "ava")
        event_tables.take_seqs(rows, count=3, taken=0)
        live(other, "bea")
        post(other, "bea", "Good morning.")
        live(other, "cleo")
        # What is for her she gets; what is hers waits.
        push(other, "ava", "later")
        with pytest.raises(StoreBusyError):
            set_goal(other, "ava")
    live(other, "ava")
    with other.read() as rows:
        numbers = rows.all(int, "SELECT number FROM change ORDER BY number")
    assert numbers == list(range(1, len(numbers) + 1))


CHAT = b'{"messages": [{"role": "user", "content": "Two"}, {"role": "assistant", "content": "2"}]}'


def test_an_agent_is_made_copied_taught_sent_away_and_recovered_while_others_write(
    two: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    one, other = two
    lost = WorkerSession(
        id="w_1",
        agent="bea",
        state=WorkerSessionState.RUNNING,
        pid=1,
        born="never",
        boot=machine_boot(),
        program="1",
        schema=1,
        started=CLOCK.now(),
    )
    workers.begin(other, lost)
    settings = Settings(options={}, environment={})
    with one.write("ava"):
        set_goal(one, "ava")
        agents.new(other, CLOCK, CHANCE, name="dora", change=AgentChange())
        agents.fork(other, CLOCK, CHANCE, name="dora", copy="dina")
        options = ImportOptions(agent="dina", name="talk", at=CLOCK.now())
        foreign = ForeignDocument(octets=CHAT, format="openai-chat", options=options)
        history.import_(other, CLOCK, WordTokens(), foreign=foreign, file=read_file())
        assert b"".join(life.export(other, CLOCK, agent="dina", move=True))
        Recovery(other.address, CLOCK, CHANCE, settings).after_crash()
    with other.read():
        assert agents.away_since(other, name="dina") is not None
        assert workers.running(other) == []


def test_who_pushes_to_a_life_that_leaves_meanwhile_pushes_nothing(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two

    def leave() -> None:
        b"".join(life.export(other, CLOCK, agent="bea", move=True))

    with pytest.raises(RefusedError, match="bea has lived in another store"), one.write(NOBODY):
        push(one, "bea", "late")
        leave()
    with one.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM event") == 0


def test_a_cap_of_all_agents_holds_although_two_reserve_at_once(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    with one.write("ava"):
        spend(one, "ava", CAPS)
        # Without a cap over all nobody waits.
        spend(other, "bea", Caps(agent_day=100))
    with pytest.raises(CapReachedError):
        spend(other, "cleo", CAPS)


class Between:
    """Does something when a transaction has written its changes, and is not committed yet."""

    def __init__(self, does: Callable[[], None]) -> None:
        self._does = does

    def asks(self, *, writes: bool) -> list[str]:
        """Ask nothing."""
        return []

    def began(self, rows: Rows, *, writes: bool) -> None:
        """Do nothing yet."""

    def asks_last(self) -> list[tuple[Sql, Mapping[str, Given]]]:
        """Ask nothing ahead."""
        return []

    def ends(self, rows: Rows, written: ChangesWritten) -> None:
        """Do it, once all that waits has been sent."""
        last_of_all(rows)
        self._does()


UNLOCKED = """
CREATE OR REPLACE FUNCTION last_change() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT coalesce(max(number), 0) FROM change);
END $$
"""


@pytest.mark.parametrize("build", ["as it is", "without it"])
def test_changes_are_numbered_in_the_order_of_their_commits(
    two: tuple[PostgresStore, PostgresStore], build: str
) -> None:
    one, other = two
    if build == "without it":
        with one.write():
            one.connection.execute(UNLOCKED.encode())
    found: list[str] = []

    def look() -> None:
        with other.write("bea") as rows:
            try:
                rows.value(int, "SELECT last_change()")
                found.append("numbered")
            except psycopg.errors.LockNotAvailable:
                found.append("held up")
                raise StoreBusyError("as it is") from None

    def interrupt() -> None:
        with contextlib.suppress(StoreBusyError):
            look()

    one.listener = Between(interrupt)
    set_goal(one, "ava")
    assert found == ["held up" if build == "as it is" else "numbered"]


def test_who_claims_passes_over_what_another_takes_at_the_same_time(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    for key in ("first", "second", "third"):
        push(one, "bea", key)
    with one.write(NOBODY):
        (first,) = inbox.claim(one, CLOCK, agent="bea", owner="one", limit=1)
        (second,) = inbox.claim(other, CLOCK, agent="bea", owner="other", limit=1)
        assert (first.key, second.key) == ("first", "second")
    assert [found.key for found in inbox.claim(other, CLOCK, agent="bea", owner="other")] == [
        "third"
    ]


def test_a_build_that_skips_nothing_waits_for_what_another_takes(
    two: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    lease = event_tables.LEASE
    waiting = Pair(lease.sqlite, lease.postgres.replace(" SKIP LOCKED", ""))
    monkeypatch.setattr(event_tables, "LEASE", waiting)
    push(one, "bea", "first")
    push(one, "bea", "second")
    with one.write(NOBODY):
        inbox.claim(one, CLOCK, agent="bea", owner="one", limit=1)
        with pytest.raises(StoreBusyError):
            inbox.claim(other, CLOCK, agent="bea", owner="other", limit=1)


def test_a_claim_takes_nothing_that_another_took_since_it_looked(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    push(one, "bea", "first")
    now = inbox.moment(CLOCK)
    with one.write(NOBODY) as rows:
        rows.hold("row", "bea")
        seqs = [found.seq for found in event_tables.heads(rows, agent="bea", now=now, limit=1)]
        (taken,) = inbox.claim(other, CLOCK, agent="bea", owner="other", limit=1)
        claim = event_tables.EventClaim(owner="one", seconds=60)
        assert event_tables.lease(rows, seqs, claim=claim, now=now) == []
    inbox.ack(other, id=taken.id, epoch=taken.epoch)


def test_numbers_that_were_taken_are_nobody_elses_and_those_not_needed_go_back(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    with one.write(NOBODY) as rows:
        assert event_tables.take_seqs(rows, count=3, taken=0) == 1
        push(other, "bea", "first")
        assert event_tables.take_seqs(rows, count=2, taken=0) == 5
    # What is there already under its key takes no number with it.
    push(other, "bea", "first")
    push(other, "bea", "second")
    with other.read() as rows:
        assert rows.all(int, "SELECT seq FROM event ORDER BY seq") == [4, 7]
    # Whoever holds the whole store leaves no gap, and who comes then goes on from there.
    with one.write():
        push(one, "ava", "third")
    push(other, "bea", "fourth")
    with other.read() as rows:
        assert rows.all(int, "SELECT seq FROM event ORDER BY seq") == [4, 7, 8, 9]


@pytest.mark.parametrize("count", [3, 5000])
def test_numbers_that_are_set_aside_for_a_life_are_nobody_elses(
    two: tuple[PostgresStore, PostgresStore], count: int
) -> None:
    one, other = two
    with one.write("ava") as rows:
        by = reserved.reserve_numbers(rows, "lesson", "number", count=count)
        with lessons.add(other, CLOCK, CHANCE, agent="bea", bad_lines=AllOrNothing()) as addition:
            addition.add([NewLesson(text="Rest.")])
    with one.write(NOBODY) as rows:
        log = reserved.reserve_log(rows, {"change": count, "operation": count})
    set_goal(other, "bea")
    with other.read() as rows:
        number = rows.value(int, "SELECT number FROM lesson") or 0
        assert not by < number <= by + count
        assert last_of_all(rows) == log["change"] + count + 2
    with one.write(NOBODY) as rows:
        reserved.forget_reserved(rows, log, {"operation": count})
        assert rows.value(int, "SELECT count(*) FROM operation") == 0


def test_numbers_of_rows_that_are_there_are_passed_over(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, _ = two
    for key in ("first", "second", "third"):
        push(one, "bea", key)
    # As a commit leaves it that failed after the sequences were brought to what it left.
    with one.read():
        pass
    one.connection.execute(f"SELECT setval('{one.address.schema}.event_seq', 1)".encode())
    push(one, "bea", "fourth")
    with one.read() as rows:
        assert rows.all(int, "SELECT seq FROM event ORDER BY seq") == [1, 2, 3, 4]


def test_what_comes_behind_a_greater_number_is_found_too(
    two: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    one, other = two

    def found() -> list[int]:
        for _ in reindex.catch_up(other):
            pass
        words = "SELECT count(*) FROM recall_text WHERE recall_text MATCH :word"
        with other.searched.read() as rows:
            return [rows.value(int, words, {"word": word}) or 0 for word in ("jam", "tea", "rye")]

    with one.write("ava"):
        memory.add(one, CLOCK, CHANCE, agent="ava", given=[NewItem(text="I like jam.")])
        memory.add(other, CLOCK, CHANCE, agent="bea", given=[NewItem(text="I like tea.")])
        assert found() == [0, 1, 0]
    assert found() == [1, 1, 0]
    memory.add(other, CLOCK, CHANCE, agent="bea", given=[NewItem(text="I like rye.")])
    assert found() == [1, 1, 1]
    assert reindex.gaps(other) == 0


def test_what_would_wait_for_ever_ends_as_a_busy_store_with_nothing_done(
    two: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindpipe.store.postgres.store.BUSY_SECONDS", 60)
    there = threading.Barrier(2)
    ended: list[str] = []

    def lock(store: PostgresStore, agent: str) -> None:
        """Hold an inbox past the order in which the program takes several."""
        number = store.lock_of("inbox", agent)
        with server_errors(store.address):
            store.connection.execute(f"SELECT pg_advisory_xact_lock({number})".encode())

    def cross(store: PostgresStore, first: str, second: str) -> None:
        try:
            with store.write(NOBODY):
                lock(store, first)
                there.wait()
                lock(store, second)
                push(store, "cleo", f"from {first}")
            ended.append("kept")
        except StoreBusyError:
            ended.append("busy")

    ways = (("ava", "bea"), ("bea", "ava"))
    crossing = [
        threading.Thread(target=cross, args=(store, *way))
        for store, way in zip(two, ways, strict=True)
    ]
    for one in crossing:
        one.start()
    for one in crossing:
        one.join()
    assert sorted(ended) == ["busy", "kept"]
    with two[0].read() as rows:
        assert rows.value(int, "SELECT count(*) FROM event") == 1


def test_a_block_that_wants_more_than_is_held_is_refused(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, _ = two
    with one.write("ava"), pytest.raises(AssertionError, match="bea"):
        set_goal(one, "bea")
    with pytest.raises(AssertionError, match="goal of 'bea'"), one.write("ava") as rows:
        rows.run("UPDATE goal SET text = '' WHERE agent = 'bea'")
        rows.run(
            "INSERT INTO goal(id, agent, number, text, state, created, updated) "
            "VALUES('g_1', 'bea', 1, '', 'active', '', '')"
        )
