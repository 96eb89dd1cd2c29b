"""A server that stands still: nobody waits for it for ever, and what it did is found out later."""

import contextlib
from collections.abc import Iterator

import pytest

from mindpipe.core.errors import StoreBusyError
from mindpipe.io.chance import make_chance
from mindpipe.store.address import Address, address_of
from mindpipe.store.postgres import connection
from mindpipe.store.postgres.schema import make_store, open_store
from support.command import Mind
from support.fakes import FixedClock
from support.numbered_rows import count_up, numbers
from support.postgres_server import Server, programs, running

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL"),
]


@pytest.fixture
def server() -> Iterator[Server]:
    with running(VERSIONS[-1]) as started:
        yield started


@pytest.fixture
def address(server: Server) -> Address:
    """Return where a new store is, to which nobody waits long for a connection."""
    where = address_of(f"{server.url(schema='fleet')}&connect_timeout=2")
    make_store(where, FixedClock(), make_chance(1)).close()
    return where


def test_who_waits_for_a_server_that_stands_still_is_told_so_and_goes_on_after_it(
    server: Server, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SILENT_SECONDS", 0.5)
    with contextlib.closing(open_store(address)) as store:
        assert count_up(store) == 1
        with server.stalled(), pytest.raises(StoreBusyError, match="no answer"):
            count_up(store)
        assert count_up(store) == 2
        assert numbers(store) == [1, 2]


def test_what_had_not_been_committed_as_the_server_stood_still_is_not_there(
    server: Server, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SILENT_SECONDS", 0.5)
    with contextlib.closing(open_store(address)) as store:
        stall = server.stalled()
        with pytest.raises(StoreBusyError, match="no answer"), store.write() as rows:
            rows.run("INSERT INTO plan_count(agent, made) VALUES('ava', 1)")
            stall.__enter__()
        stall.__exit__(None, None, None)
        with store.read() as rows:
            assert rows.value(int, "SELECT count(*) FROM plan_count") == 0


def test_what_takes_long_is_waited_for(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "SILENT_SECONDS", 0.2)
    with contextlib.closing(open_store(address)) as store, store.read() as rows:
        assert rows.value(int, "SELECT 1 FROM pg_sleep(1.5)") == 1


def test_a_command_ends_where_no_server_answers(
    server: Server, address: Address, mind: Mind
) -> None:
    with server.stalled():
        ran = mind.run("agent", "list", "--store", str(address))
    assert (ran.status, ran.words.count("\n")) == (75, 1), ran.words
    assert mind.run("agent", "list", "--store", str(address)).status == 0
