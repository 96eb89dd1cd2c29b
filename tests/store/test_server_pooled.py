"""A store behind PgBouncer in transaction mode: each transaction may get another connection."""

import contextlib
import time
from collections.abc import Iterator

import psycopg
import pytest

from mindpipe.io.chance import make_chance
from mindpipe.store.address import Address, address_of
from mindpipe.store.postgres.schema import make_store, open_store
from mindpipe.store.watch import watching
from support.command import Mind
from support.fakes import FixedClock
from support.numbered_rows import count_up, numbers
from support.pgbouncer import pooled, program
from support.postgres_server import Server, programs, running

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(
        not VERSIONS or program() is None,
        reason="there is no program of PostgreSQL, or no PgBouncer",
    ),
]
STORES, ROUNDS = 4, 12


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(VERSIONS[-1]) as started:
        yield started


@pytest.fixture(scope="module")
def url(server: Server) -> Iterator[str]:
    with pooled(server) as address:
        yield address


@pytest.fixture
def address(url: str, request: pytest.FixtureRequest) -> Address:
    where = address_of(f"{url}&schema=s{abs(hash(request.node.nodeid)) % 10**9}")
    make_store(where, FixedClock(), make_chance(1)).close()
    return where


def test_what_is_said_again_and_again_is_prepared_nowhere(address: Address) -> None:
    with contextlib.ExitStack() as left:
        stores = [
            left.enter_context(contextlib.closing(open_store(address))) for _ in range(STORES)
        ]
        for _ in range(ROUNDS):
            for store in stores:
                count_up(store)
                with store.read() as rows:
                    assert (
                        rows.value(int, "SELECT count(*) FROM event WHERE agent = :a", {"a": "x"})
                        == 0
                    )
        assert numbers(stores[0]) == list(range(1, STORES * ROUNDS + 1))


def test_nothing_of_ours_stays_on_connections_that_others_get(
    address: Address, server: Server, url: str
) -> None:
    with contextlib.closing(open_store(address)) as store:
        for _ in range(ROUNDS):
            count_up(store)
            with store.unguarded(), store.write() as rows:
                rows.run("DELETE FROM plan_count WHERE agent = 'nobody'")
    with watching(address, longest=0.1) as watch:
        watch(0.1)
    with contextlib.ExitStack() as left:
        others = [left.enter_context(psycopg.connect(url)) for _ in range(2)]
        for other in others:
            assert other.execute("SELECT pg_listening_channels()").fetchall() == []
            for name in ("search_path", "idle_in_transaction_session_timeout", "lock_timeout"):
                (now,) = other.execute("SELECT current_setting(%s)", [name]).fetchone() or ("",)
                with psycopg.connect(server.url()) as direct:
                    at_first = direct.execute("SELECT current_setting(%s)", [name]).fetchone()
                assert (now,) == at_first
            assert other.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() == (0,)


def test_who_waits_behind_a_pooler_polls(address: Address) -> None:
    before = time.monotonic()
    with watching(address, longest=0.2) as watch:
        watch(60)
    assert time.monotonic() - before < 60


def test_a_life_is_lived_behind_a_pooler(url: str, mind: Mind) -> None:
    """Made, pushed to, thought for, searched, asked, checked, one command after the other."""
    mind.environment["MIND_STORE"] = f"{url}&schema=life"
    answer = mind.folder / "answer"
    answer.write_text('#!/bin/sh\ncat >/dev/null\necho \'{"text": "It was late."}\'\n')
    answer.chmod(0o700)
    mind("init", "--agent", "ava")
    for number in range(3):
        mind("inbox", "push", "--agent", "ava", "--text", f"Was ferry {number} late?")
        mind("think", "--agent", "ava", "--model", "program:./answer")
    assert len(mind("inbox", "list", "--agent", "ava", "--state", "done").records()) == 3
    assert "late" in mind("history", "search", "--agent", "ava", "late").text
    assert "late" in mind("recall", "--agent", "ava", "late").text
    asked = mind("store", "query", "SELECT count(*) AS n FROM event")
    assert asked.record() == {"n": 3}
    direct = mind.run(
        "store", "check", "--store", url.replace("port=6432", "port=5432&schema=life")
    )
    found = [mind.run("store", "check"), direct]
    assert (
        len({tuple((one["check"], one["verdict"]) for one in ran.records()) for ran in found}) == 1
    )
    assert mind.run("store", "migrate").status == 3
