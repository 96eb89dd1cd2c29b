"""The private file in which words of a server are searched: as the server is, or in memory."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import apsw
import psycopg
import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import StoreBusyError
from mindpipe.io.chance import make_chance
from mindpipe.recall.records import Filters, RecallQuery
from mindpipe.recall.verbs.recall import SearchRequest, recall
from mindpipe.store import sqlite
from mindpipe.store.address import Address, address_of
from mindpipe.store.postgres.mirror import TABLES, mirror_file
from mindpipe.store.postgres.schema import make_store, open_store
from mindpipe.store.postgres.store import PostgresStore
from support.command import Mind
from support.fakes import FixedClock
from support.full_lives import FullLife
from support.life import AGENT
from support.postgres_server import Server, programs, running
from verbs.test_recall_by_name import answered

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(VERSIONS[-1]) as started:
        yield started


@pytest.fixture
def address(
    server: Server,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Address:
    """Return where a new store is that has the agent ava, whose mirror is the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    where = address_of(server.url(schema=f"s{abs(hash(request.node.nodeid)) % 10**9}"))
    with contextlib.closing(make_store(where, FixedClock(), make_chance(1))) as store:
        new(store, "ava")
    return where


@pytest.fixture
def store(address: Address) -> Iterator[PostgresStore]:
    with contextlib.closing(open_store(address)) as opened:
        yield opened


def new(store: PostgresStore, name: str) -> None:
    """Make an agent, of which the mirror is to know."""
    agents.new(store, FixedClock(), make_chance(1), name=name)


def found(store: PostgresStore) -> list[str]:
    """Return the agents of whom the mirror knows."""
    with store.searched.read() as rows:
        return rows.all(str, "SELECT name FROM agent ORDER BY name")


def test_where_no_file_can_be_made_the_copy_is_in_memory(
    store: PostgresStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no folder").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "no folder"))
    assert found(store) == ["ava"]
    new(store, "bob")
    assert found(store) == ["ava", "bob"]
    assert str(store.searched.path) == ":memory:"


def test_a_file_that_cannot_grow_is_passed_over(store: PostgresStore) -> None:
    assert found(store) == ["ava"]
    file = mirror_file(store.identity)
    (pages,) = store.searched.connection.execute("PRAGMA page_count").fetchone() or (0,)
    store.searched.connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    for number in range(60):
        new(store, f"agent{number}")
    assert len(found(store)) == 61
    assert str(store.searched.path) == ":memory:"
    assert file.exists()


def test_a_file_that_another_writes_to_is_waited_for_and_never_taken_away(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found(store) == ["ava"]
    file = mirror_file(store.identity)
    before = file.stat().st_ino
    monkeypatch.setattr(sqlite, "BUSY_MILLISECONDS", 100)
    with contextlib.closing(open_store(store.address)) as second:
        with contextlib.closing(apsw.Connection(str(file))) as other:
            other.execute("BEGIN IMMEDIATE")
            new(store, "bob")
            with pytest.raises(StoreBusyError):
                found(second)
            assert file.stat().st_ino == before
            other.execute("ROLLBACK")
        assert found(second) == ["ava", "bob"]
    assert found(store) == ["ava", "bob"]
    assert file.stat().st_ino == before


def test_a_damaged_file_is_made_anew(store: PostgresStore) -> None:
    assert found(store) == ["ava"]
    store.searched.close()
    file = mirror_file(store.identity)
    file.write_bytes(b"no database" * 1000)
    with contextlib.closing(open_store(store.address)) as other:
        assert found(other) == ["ava"]
        # What is damaged while it is used is found out by who reads there.
        size = file.stat().st_size
        other.searched.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with file.open("r+b") as stream:
            stream.seek(100)
            stream.write(os.urandom(1) * (size - 100))
        new(store, "bob")
        with contextlib.closing(open_store(store.address)) as third:
            assert found(third) == ["ava", "bob"]
        assert found(other) == ["ava", "bob"]


def test_an_id_that_is_a_path_leads_to_nobody_elses_file(
    store: PostgresStore, address: Address, tmp_path: Path
) -> None:
    victim = tmp_path / "victim.db"
    victim.write_bytes(b"mine")
    with psycopg.connect(address.server, autocommit=True) as connection:
        connection.execute(f"UPDATE {address.schema}.store SET id = '../victim'".encode())
    assert store.searched.path.parent == tmp_path / "mindpipe"
    assert victim.read_bytes() == b"mine"


def test_who_still_reads_an_old_file_goes_on_with_the_new_one(store: PostgresStore) -> None:
    with contextlib.closing(open_store(store.address)) as other:
        assert found(store) == found(other) == ["ava"]
        mirror_file(store.identity).unlink()
        new(store, "bob")
        assert found(other) == found(store) == ["ava", "bob"]
        assert other.searched.path.samefile(mirror_file(store.identity))
        assert store.searched.path.samefile(mirror_file(store.identity))


def test_a_file_that_is_ahead_of_a_transaction_stays_and_one_ahead_of_the_server_does_not(
    store: PostgresStore, server: Server
) -> None:
    with store.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM agent") == 1
        with contextlib.closing(open_store(store.address)) as other:
            new(other, "bob")
            assert found(other) == ["ava", "bob"]
            other.searched.connection.execute("UPDATE agent SET goals_made = 7")
        assert found(store) == ["ava", "bob"]
        with store.searched.read() as rows:
            assert rows.all(int, "SELECT DISTINCT goals_made FROM agent") == [7]
    with psycopg.connect(server.url(), autocommit=True) as connection:
        schema = store.address.schema
        connection.execute(f"DELETE FROM {schema}.change WHERE number > 1".encode())
    with store.searched.read() as rows:
        assert rows.all(int, "SELECT DISTINCT goals_made FROM agent") == [0]


def test_a_name_is_asked_by_as_in_a_file(mind: Mind, server: Server) -> None:
    mind.environment["MIND_STORE"] = server.url(schema="names")
    mind("init", "--agent", "ava")
    assert mind.run("recall", "--agent", "ava", "Where does Paul live?").records() == []
    answered(mind)


def test_whatever_a_search_reads_is_copied(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    life = FullLife(tmp_path)
    for _ in range(3):
        life.day()
    read: set[str] = set()

    def note(action: int, table: str | None, *_: str | None) -> int:
        if action == apsw.SQLITE_READ and table is not None:
            read.add(table)
        return apsw.SQLITE_OK

    asked = SearchRequest(AGENT, "2027-01-01T00:00:00Z", asker="husam")
    then = asked._replace(filters=Filters(as_of=asked.now, history=True))
    with life.open() as store:
        store.connection.authorizer = note
        for request in (asked, then):
            for words in ("Where does Husam live these days?", "What is my dog called?"):
                (answer,) = recall(store, request, [RecallQuery(id="q", query=words)])
                assert answer.found
    index = {one for one in read if one.startswith(("recall_", "json_"))}
    assert "consolidation_voice" in read
    assert read - index <= set(TABLES)
