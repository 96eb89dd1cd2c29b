"""A store on a real server: its writers, its commits that are cut, its server that is killed."""

import contextlib
import multiprocessing
import os
import random
import select
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from mindpipe.core.errors import (
    CommitUnknownError,
    MindError,
    StoreBusyError,
    UnfitRowError,
    UsageError,
)
from mindpipe.core.ports import Cell, Rows
from mindpipe.io.chance import make_chance
from mindpipe.store.address import Address, address_of
from mindpipe.store.postgres.clock import ServerClock
from mindpipe.store.postgres.schema import make_store, open_store, remove_store
from mindpipe.store.postgres.sent_commit import NUMBER, SentCommit
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.store.postgres.watch import channel, tell
from mindpipe.store.scratch import scratch_store
from support.cut_connections import Cut, CuttingDoor
from support.fakes import FixedClock
from support.numbered_rows import count_up, numbers, push
from support.patience import until
from support.postgres_server import EACH_VERSION, Server, programs, running

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
PUSHERS, PUSHES = 4, 60
CRASHES = 5
# It writes down late what nobody waits for, and nobody else takes numbers.
FORGETFUL = (
    *("fsync=off", "full_page_writes=off", "autovacuum=off", "wal_writer_delay=10s"),
    *("wal_level=minimal", "max_wal_senders=0"),
)
MANY = 200
PREPARED = 6
"""What is said so often is prepared."""


@pytest.fixture(
    scope="module",
    params=EACH_VERSION or [pytest.param("", marks=pytest.mark.skip("no server is installed"))],
)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with running(request.param) as started:
        yield started


@pytest.fixture
def address(server: Server, request: pytest.FixtureRequest) -> Iterator[Address]:
    """Return where a new store is, which ends with the test."""
    schema = f"s{abs(hash(request.node.nodeid)) % 10**9}"
    where = address_of(server.url(schema=schema))
    make_store(where, FixedClock(), make_chance(1)).close()
    yield where
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {schema} CASCADE".encode())


@pytest.fixture
def store(address: Address) -> Iterator[PostgresStore]:
    with contextlib.closing(open_store(address)) as opened:
        yield opened


def test_what_several_processes_write_at_once_is_all_there(address: Address) -> None:
    context = multiprocessing.get_context("spawn")
    pushers = [context.Process(target=push, args=(address, PUSHES)) for _ in range(PUSHERS)]
    for one in pushers:
        one.start()
    for one in pushers:
        one.join()
    assert [one.exitcode for one in pushers] == [0] * PUSHERS
    with contextlib.closing(open_store(address)) as store:
        assert numbers(store) == list(range(1, PUSHERS * PUSHES + 1))


def test_a_reader_sees_one_state_and_waits_for_no_writer(
    store: PostgresStore, address: Address
) -> None:
    count_up(store)
    with contextlib.closing(open_store(address)) as other, store.write() as rows:
        rows.run("DELETE FROM plan_count")
        with other.read() as seen:
            assert seen.value(int, "SELECT count(*) FROM plan_count") == 1
    assert numbers(store) == []


def test_what_is_redacted_is_not_left_with_what_triggers_heard(store: PostgresStore) -> None:
    with store.write() as rows:
        rows.run("INSERT INTO plan_count(agent, made) VALUES('secret', 1)")
    with store.redacting() as rows:
        rows.run("UPDATE plan_count SET agent = '******'")
    with store.read() as rows:
        assert rows.all(str, "SELECT concat(old, new) FROM heard") == []


def test_a_block_whose_connection_was_lost_is_taken_back_with_all_blocks_in_it(
    store: PostgresStore, server: Server
) -> None:
    count_up(store)
    with pytest.raises(StoreBusyError), store.write() as rows:
        rows.run("INSERT INTO plan_count(agent, made) VALUES('ava', 2)")
        ours = rows.value(int, "SELECT pg_backend_pid()")
        with psycopg.connect(server.url(), autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 10000)", [ours])
        with pytest.raises(StoreBusyError), store.write() as inner:
            inner.value(int, "SELECT max(made) FROM plan_count")
        with contextlib.suppress(StoreBusyError), store.write() as inner:
            inner.run("INSERT INTO plan_count(agent, made) VALUES('bea', 3)")
    assert numbers(store) == [1]
    assert count_up(store) == 2


def test_a_store_that_is_made_again_is_held_also_against_who_was_connected_before(
    store: PostgresStore, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    count_up(store)
    remove_store(address)
    with contextlib.closing(make_store(address, FixedClock(), make_chance(1))) as again:
        monkeypatch.setattr("mindpipe.store.postgres.store.BUSY_SECONDS", 0.05)
        with again.write(), pytest.raises(StoreBusyError, match="busy"):
            count_up(store)
        assert (count_up(store), numbers(again)) == (1, [1])


def test_what_an_error_ends_leaves_nothing_and_the_store_goes_on(store: PostgresStore) -> None:
    with pytest.raises(ZeroDivisionError), store.write() as rows:
        rows.run("INSERT INTO plan_count(agent, made) VALUES('ava', 1)")
        assert 1 // 0
    with pytest.raises(UnfitRowError), store.write() as rows:
        rows.run("INSERT INTO plan_count(agent, made) VALUES('ava', NULL)")
    assert numbers(store) == []
    assert count_up(store) == 1


def test_what_is_too_large_for_the_server_is_not_to_be_tried_again(store: PostgresStore) -> None:
    drawn = random.Random(1)
    long = "".join(chr(drawn.randrange(0x4E00, 0x9000)) for _ in range(9000))
    with pytest.raises(UnfitRowError, match="more than a server takes"), store.write() as rows:
        rows.run("INSERT INTO plan_count(agent, made) VALUES(:long, 1)", {"long": long})


def test_octets_that_are_no_text_are_said_to_be_none(store: PostgresStore) -> None:
    with contextlib.closing(scratch_store()) as file:
        for engine in (store, file):
            with pytest.raises(UsageError, match="not UTF-8"), engine.read() as rows:
                rows.value(str, "SELECT name FROM agent WHERE name = :name", {"name": "\udcff"})
            with engine.read() as rows:
                assert rows.value(int, "SELECT count(*) FROM agent") == 0


def test_a_server_that_ends_a_statement_is_quoted(store: PostgresStore) -> None:
    with pytest.raises(StoreBusyError, match="statement timeout"), store.read() as rows:
        store.connection.execute("SET LOCAL statement_timeout = 10")
        rows.value(str, "SELECT pg_sleep(60)::text")


def test_hints_come_also_where_the_schema_has_the_longest_name(server: Server) -> None:
    address = address_of(server.url(schema="s" * 63))
    with (
        contextlib.closing(PostgresStore(address)) as store,
        psycopg.connect(address.server, autocommit=True) as listening,
    ):
        listening.execute(f"LISTEN {channel(address)}".encode())
        tell(store.connection, address, ["ava"])
        assert [one.payload for one in listening.notifies(timeout=60, stop_after=1)] == ["ava"]


def test_a_writer_that_waits_too_long_is_told_that_the_store_is_busy(
    store: PostgresStore, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindpipe.store.postgres.store.BUSY_SECONDS", 0.05)
    with (
        contextlib.closing(open_store(address)) as other,
        store.write(),
        pytest.raises(StoreBusyError, match="busy"),
    ):
        count_up(other)
    assert count_up(store) == 1


@pytest.mark.parametrize("when", ["before", "after", "last words"])
def test_a_commit_whose_answer_was_cut_off_is_asked_after(
    server: Server, address: Address, tmp_path: Path, when: Cut
) -> None:
    # A socket's name may not be long, which the folder of a test is.
    folder = server.folder.with_name(f"{server.folder.name}.door")
    folder.mkdir()
    at_the_door = address_of(
        f"postgresql://mind@/postgres?host={quote(str(folder), safe='')}&port=5432"
        f"&schema={address.schema}"
    )
    try:
        with (
            CuttingDoor(folder, server.folder) as door,
            contextlib.closing(open_store(at_the_door)) as store,
        ):
            count_up(store)
            door.cut_next(when)
            if when == "before":
                with pytest.raises(StoreBusyError, match="nothing of the last transaction"):
                    count_up(store)
            else:
                count_up(store)
            assert door.cut == 1
            assert numbers(store) == [1] if when == "before" else [1, 2]
            assert count_up(store) == len(numbers(store))
    finally:
        (folder / ".s.PGSQL.5432").unlink()
        folder.rmdir()


def test_a_number_that_a_crash_gave_to_another_transaction_says_nothing_of_a_commit() -> None:
    with running(VERSIONS[-1], settings=FORGETFUL) as crashing:
        where = address_of(crashing.url())
        make_store(where, FixedClock(), make_chance(1)).close()
        with contextlib.closing(PostgresStore(where)) as store:
            # What the server wrote down of it in time is given to nobody.
            for _ in range(CRASHES):
                number, *began = crashed(store)
                with pytest.raises(StoreBusyError, match="nothing of the last transaction"):
                    SentCommit(str(number), began).require(lambda: store.connection)
                if given_next(crashing, int(str(number))) == number:
                    break
            with pytest.raises(CommitUnknownError):
                SentCommit(str(number), began).require(lambda: store.connection)
            assert numbers(store) == []


def crashed(store: PostgresStore) -> tuple[Cell, ...]:
    """Let a server crash in the midst of a transaction; return by what it knew that."""
    known: tuple[Cell, ...] = ()
    with pytest.raises(StoreBusyError), store.write() as rows:
        rows.changed("INSERT INTO plan_count(agent, made) VALUES('lost', 100)")
        known = store.connection.execute(NUMBER).fetchone() or ()
        # The others end with it, and the server begins anew.
        os.kill(store.connection.info.backend_pid, signal.SIGKILL)
        rows.changed("INSERT INTO plan_count(agent, made) VALUES('lost', 101)")
    return known


def given_next(server: Server, number: int) -> str:
    """Take numbers for transactions, once there is a server, up to a number; return the last."""
    given = "0"

    def is_there() -> bool:
        nonlocal given
        with (
            contextlib.suppress(psycopg.OperationalError),
            psycopg.connect(server.url(), autocommit=True) as connection,
        ):
            while int(given) < number:
                (given,) = connection.execute("SELECT pg_current_xact_id()::text").fetchone() or ()
        return int(given) >= number

    until(is_there, "a server that crashed")
    return given


def test_what_was_asked_is_asked_anew_once_many_rows_came(store: PostgresStore) -> None:
    with store.write() as rows:
        assert numbers_in(rows) == 0
        rows.run_many(
            "INSERT INTO plan_count(agent, made) VALUES(?, ?)",
            [(f"a{number}", number) for number in range(MANY)],
        )
        assert numbers_in(rows) == MANY


def numbers_in(rows: Rows) -> int | None:
    """Return how many rows there are."""
    return rows.value(int, "SELECT count(*) FROM plan_count")


def test_what_is_prepared_outlives_what_fails_before_it(store: PostgresStore) -> None:
    asked = "SELECT count(*) FROM plan_count WHERE made >= :made"
    count = "INSERT INTO plan_count(agent, made) VALUES('ava', 1)"
    with store.write() as rows:
        rows.run(count)
    for number in range(2 * PREPARED):
        # It is sent behind what fails, also where it is to be prepared now.
        with pytest.raises(MindError), store.write() as rows:
            rows.run(count)
            rows.value(int, asked, {"made": number})
        with store.read() as rows:
            assert rows.value(int, asked, {"made": 0}) == 1


def test_what_was_acknowledged_outlives_the_server(address: Address, server: Server) -> None:
    settings = ("shared_buffers=32MB",)
    with running(sorted(programs())[-1], settings=settings) as lasting:
        where = address_of(lasting.url())
        make_store(where, FixedClock(), make_chance(1)).close()
        with contextlib.closing(open_store(where)) as store:
            for kills in range(3):
                acknowledged = [count_up(store) for _ in range(5)]
                lasting.stop(signal.SIGKILL)
                with pytest.raises(MindError):
                    count_up(store)
                lasting.start()
                assert numbers(store)[-5:] == acknowledged
                assert len(numbers(store)) == 5 * (kills + 1)


def test_of_what_was_not_sent_when_its_server_was_killed_nothing_is_kept() -> None:
    # Nothing of it is written until it is committed, so that its number is given to another one.
    settings = ("shared_buffers=32MB", "wal_writer_delay=10s", "autovacuum=off")
    with running(VERSIONS[-1], settings=settings) as lasting:
        where = address_of(lasting.url())
        make_store(where, FixedClock(), make_chance(1)).close()
        with contextlib.closing(open_store(where)) as store:
            with contextlib.suppress(MindError), store.write() as rows:
                rows.changed("INSERT INTO plan_count(agent, made) VALUES('ava', 1)")
                ((number, *at),) = rows.each(tuple, NUMBER)
                lasting.stop(signal.SIGKILL)
            lasting.start()
            with pytest.raises(StoreBusyError, match="nothing of the last transaction was kept"):
                SentCommit(number, at).require(lambda: store.connection)
            assert numbers(store) == []


def test_a_time_out_of_the_server_can_be_tried_again_and_its_defaults_change_no_value(
    store: PostgresStore, address: Address, server: Server
) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        for told in ("extra_float_digits = 0", "standard_conforming_strings = off"):
            connection.execute(f"ALTER ROLE mind SET {told}".encode())
    try:
        with contextlib.closing(open_store(address)) as other:
            with other.write() as rows:
                rows.run("INSERT INTO plan_count(agent, made) VALUES(:a, 1)", {"a": "a\\b"})
                assert rows.value(float, "SELECT 0.1::float8 + 0.2::float8") == 0.1 + 0.2
            with other.read() as rows:
                assert rows.all(str, "SELECT agent FROM plan_count") == ["a\\b"]
    finally:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("ALTER ROLE mind RESET ALL")
    if store.connection.info.server_version >= 170_000:
        with pytest.raises(StoreBusyError, match="ended the transaction"), store.read() as rows:
            rows.changed("SET LOCAL transaction_timeout = 200")
            rows.changed("SELECT pg_sleep(60)")
    with pytest.raises(StoreBusyError), store.read() as rows:
        rows.changed("SET LOCAL idle_in_transaction_session_timeout = 1")
        until(lambda: _is_ended(store), "the end of an idle transaction")
        rows.value(int, "SELECT 1")


def test_no_word_of_the_server_passes_as_it_is(store: PostgresStore) -> None:
    with pytest.raises(MindError, match=r"^the server said: .*42601"), store.read() as rows:
        rows.run("SELEC")
    with pytest.raises(StoreBusyError, match=r"^the server said: "), store.read() as rows:
        rows.run("COMMIT")
        rows.changed("SAVEPOINT odd")


def _is_ended(store: PostgresStore) -> bool:
    """Tell whether the server has said something that nobody asked for."""
    return bool(select.select([store.connection.fileno()], [], [], 0)[0])


def test_a_connection_that_is_ended_is_made_anew(store: PostgresStore, server: Server) -> None:
    count_up(store)
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'mindpipe'"
        )
    with pytest.raises(StoreBusyError):
        count_up(store)
    assert count_up(store) == 2


def test_deadlines_go_by_the_clock_of_the_server(store: PostgresStore, address: Address) -> None:
    standing = FixedClock()
    clock = ServerClock(address, standing, stands=False)
    with store.read() as rows:
        before = rows.value(float, "SELECT extract(epoch FROM clock_timestamp())::float8")
    shown = clock.boot()
    with store.read() as rows:
        after = rows.value(float, "SELECT extract(epoch FROM clock_timestamp())::float8")
    assert (before or 0) - 1 < shown.seconds < (after or 0) + 1
    assert shown.boot == "server"
    assert clock.now() != standing.now()


def test_the_log_of_changes_holds_what_takes_a_transaction_back(store: PostgresStore) -> None:
    with store.write() as rows:
        rows.run("INSERT INTO plan_count(agent, made) VALUES('ava', 1)")
    with store.write() as rows:
        rows.run("UPDATE plan_count SET made = 2")
        rows.run("UPDATE plan_count SET made = 3")
    with store.write() as rows:
        rows.run("UPDATE plan_count SET made = 4")
        rows.run("UPDATE plan_count SET made = 3")
    with store.write() as rows:
        rows.run("DELETE FROM plan_count")
        rows.run("INSERT INTO plan_count(agent, made) VALUES('bob', 1)")
    with store.read() as rows:
        undone = rows.all(str, "SELECT undo FROM change ORDER BY number")
        assert rows.value(int, "SELECT count(*) FROM heard") == 0
    assert undone == [
        '{"plan_count":{"made":[["ava"]]}}',
        '{"plan_count":{"changed":[[["ava"],{"made":1}]]}}',
        '{"plan_count":{"gone":[[["ava"],{"agent":"ava","made":3}]]}}',
        '{"plan_count":{"made":[["bob"]]}}',
    ]


def test_a_hint_wakes_who_waits_and_a_lost_connection_does_not_end_him(
    store: PostgresStore, address: Address
) -> None:
    from mindpipe.store.watch import watching

    woken = threading.Event()

    def wait() -> None:
        with watching(address, longest=60) as watch:
            listening.set()
            watch(60)
            woken.set()

    listening = threading.Event()
    waiting = threading.Thread(target=wait)
    waiting.start()
    assert listening.wait(60)
    with store.write() as rows:
        rows.run(
            "INSERT INTO event(seq, id, agent, type, source, priority, pushed) "
            "VALUES(1, 'e', 'ava', 't', 's', 2, '')"
        )
    assert woken.wait(60)
    waiting.join()


@pytest.mark.parametrize(
    "store_address",
    ["postgresql://mind:hush@host/base", "postgresql://mind@host/base?password=hush"],
)
def test_an_address_with_a_password_is_refused_and_not_repeated(store_address: str) -> None:
    with pytest.raises(UsageError, match="password") as caught:
        address_of(store_address)
    assert "hush" not in str(caught.value)
