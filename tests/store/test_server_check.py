"""What mind doctor finds wrong with a real server of PostgreSQL, and that it shows no password."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from mindpipe.agents.verbs import agent as agent_verbs
from mindpipe.core.errors import StoreBusyError, UnavailableError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import Clock
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.io.clock import SystemClock
from mindpipe.monitoring.checks import agents
from mindpipe.settings import Settings
from mindpipe.store.access import open_where
from mindpipe.store.address import address_of
from mindpipe.store.postgres.check import encryption, look
from mindpipe.store.postgres.schema import make_store
from mindpipe.store.records import StoreFinding
from support.command import Mind
from support.fakes import FixedClock
from support.postgres_server import EACH_VERSION, FAST, Server, programs, running

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
SECRET = "open-sesame-1234567890"
# What a server has that may lose nothing, small enough to be full.
SAFE = ("shared_buffers=16MB", "max_connections=24")


@pytest.fixture(scope="module", params=EACH_VERSION)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Give a server of each version, with a store."""
    with running(request.param, settings=SAFE) as started:
        make_store(address_of(started.url()), FixedClock(), make_chance(1)).close()
        yield started


def found(
    store: str, clock: Clock | None = None, *, long_seconds: float = 300
) -> dict[str, StoreFinding]:
    """Return what is found, by its check."""
    said = look(address_of(store), clock or SystemClock(), long_seconds=long_seconds)
    return {one.check: one for one in said}


def odd(store: str) -> set[str]:
    """Return the checks that are not ok; a server of 15 has no checksums unless it is told."""
    return {name for name, one in found(store).items() if one.verdict != "ok"} - {"data_checksums"}


def test_a_sound_server_is_sound(server: Server) -> None:
    assert odd(server.url()) == set()


def test_a_server_that_may_lose_data_is_wrong() -> None:
    with running(VERSIONS[0], settings=(*FAST, "autovacuum=off")) as fast:
        make_store(address_of(fast.url()), FixedClock(), make_chance(1)).close()
        wrong = {name for name, one in found(fast.url()).items() if one.verdict == "bad"}
    assert wrong == {"fsync", "full_page_writes", "synchronous_commit", "autovacuum"}


def test_a_schema_that_is_no_store_is_told_last(server: Server) -> None:
    said = []
    with pytest.raises(UnavailableError, match=r"^no store in schema elsewhere"):
        for one in look(address_of(server.url(schema="elsewhere")), SystemClock()):
            said.append(one.check)
    assert said[-1] == "transaction ids"


def test_a_database_that_is_not_in_utf8_is_wrong(server: Server) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE bytes ENCODING 'SQL_ASCII' TEMPLATE template0")
    said: list[StoreFinding] = []
    with pytest.raises(UnavailableError):
        for one in look(address_of(server.url("bytes")), SystemClock()):
            said.append(one)
    assert [(one.verdict, one.found) for one in said if one.check == "encoding"] == [
        ("bad", "SQL_ASCII")
    ]


def test_clocks_that_differ_deserve_a_look(server: Server) -> None:
    (said,) = [
        one for one in look(address_of(server.url()), FixedClock()) if one.check == "server clock"
    ]
    assert (said.verdict, "from this machine's" in said.found) == ("note", True)


def test_a_time_that_somebody_says_it_is_says_nothing_of_the_clocks(
    server: Server, mind: Mind
) -> None:
    ran = mind.run("doctor", "--now", "2020-01-01T00:00:00Z", "--store", server.url())
    said = {one["check"]: one["verdict"] for one in ran.records() if one["about"] == "store"}
    assert said["server clock"] == "ok"


def test_a_transaction_that_stays_open_is_named(server: Server) -> None:
    with psycopg.connect(server.url(), application_name="sleeper") as connection:
        connection.execute("SELECT 1")
        assert "sleeper" in found(server.url(), long_seconds=-1)["long transactions"].found
        assert odd(server.url()) == set()


def test_dead_rows_are_counted(server: Server) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE mindpipe.tomb(n int) WITH (autovacuum_enabled = false)")
        connection.execute("INSERT INTO mindpipe.tomb SELECT generate_series(1, 10001)")
        connection.execute("DELETE FROM mindpipe.tomb")
        connection.execute("SELECT pg_stat_force_next_flush()")
        connection.execute("SELECT 1")
        said = found(server.url())["dead rows"]
        connection.execute("DROP TABLE mindpipe.tomb")
    assert (said.verdict, said.found) == ("note", "1: tomb 10001 dead of 10001")


def test_a_server_without_room_for_workers_deserves_a_look(server: Server) -> None:
    held = [psycopg.connect(server.url()) for _ in range(12)]
    try:
        said = found(server.url())["free connections"]
    finally:
        for one in held:
            one.close()
    assert (said.verdict, int(said.found) < 10) == ("note", True)


def test_agents_of_a_server_are_judged_too(server: Server) -> None:
    clock, chance = FixedClock(), make_chance(2)
    address = address_of(server.url())
    with contextlib.closing(open_where(address)) as store:
        agent_verbs.new(store, clock, chance, name="ava")
        event = NewEvent(agent="ava", text="Hello", source="mail")
        push_events(store, clock, chance, events=[event], bounds=Bounds())
    settings = Settings(options={}, environment={}, files=())
    said = {one.check: one.found for one in agents.look(address, clock, settings)}
    assert said["events without a worker"] == "1: ava (1 due)"


def test_the_doctor_looks_at_a_server_and_at_all_rows_of_its_store(
    server: Server, mind: Mind
) -> None:
    ran = mind.run("doctor", "--store", server.url())
    said = {one["check"]: one for one in ran.records() if one["about"] == "store"}
    assert {"server", "fsync", "schema", "dead events", "history chain"} <= set(said)
    assert [one for one in said.values() if one["verdict"] == "bad"] == []
    assert ran.status == 0, ran.words


def test_the_doctor_looks_at_a_server_before_there_is_a_store(server: Server, mind: Mind) -> None:
    ran = mind.run("doctor", "--store", server.url(schema="later"))
    found = {one["check"]: one["found"] for one in ran.records() if one["about"] == "store"}
    assert {"server", "encryption", "fsync", "free connections"} <= found.keys()
    assert (ran.status, found["store"]) == (1, "no store in schema later")


def test_a_password_in_the_address_is_refused_and_not_shown(mind: Mind) -> None:
    address = f"postgresql://mind:{SECRET}@127.0.0.1:1/base"
    ran = mind.run("doctor", "--store", address)
    assert (ran.status, "has a password in it" in ran.text) == (1, True)
    assert SECRET not in ran.text + ran.words


def test_a_server_that_is_not_there_is_told(mind: Mind) -> None:
    with pytest.raises(StoreBusyError, match="cannot be reached"):
        list(look(address_of("postgresql://127.0.0.1:1/base"), SystemClock()))
    ran = mind.run("doctor", "--store", "postgresql://127.0.0.1:1/base")
    (said,) = [one for one in ran.records() if one["about"] == "store"]
    assert (said["verdict"], "cannot be reached" in said["found"]) == ("bad", True)


def test_a_passfile_that_others_can_read_is_wrong(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pass"
    file.write_text(f"*:*:*:*:{SECRET}\n")
    monkeypatch.setenv("PGPASSFILE", str(file))
    for mode, verdict in ((0o600, "ok"), (0o640, "bad")):
        file.chmod(mode)
        said = next(
            one for one in look(address_of(server.url()), SystemClock()) if one.check == "passfile"
        )
        assert (said.verdict, SECRET in said.found) == (verdict, False)


@pytest.mark.parametrize(
    ("mode", "is_near", "verdict"),
    [
        ("verify-full", False, "ok"),
        ("verify-ca", False, "ok"),
        ("require", False, "note"),
        (None, True, "ok"),
        (None, False, "bad"),
    ],
)
def test_what_others_can_listen_to(mode: str | None, is_near: bool, verdict: str) -> None:  # noqa: FBT001
    assert encryption(mode, host="db", is_near=is_near).verdict == verdict
