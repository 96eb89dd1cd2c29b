"""Servers of each version for the tests of stores on them, with a store that was lived in."""

from collections.abc import Iterator

import psycopg
import pytest

from mindpipe.store.address import Address, address_of
from support.command import Mind, make_private
from support.postgres_server import EACH_VERSION, Server, running

ANSWER = '#!/bin/sh\ncat > /dev/null; echo \'{"text": "Yes."}\'\n'


@pytest.fixture(scope="session", params=EACH_VERSION or ["none"])
def fleet_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """Give a server of each version, with a store in which an agent has lived a cycle."""
    mind = Mind(make_private(tmp_path_factory.mktemp("life")))
    (mind.folder / "answer").write_text(ANSWER)
    (mind.folder / "answer").chmod(0o700)
    with running(request.param) as started:
        with psycopg.connect(started.url(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE life")
        mind.environment["MIND_STORE"] = started.url("life", schema="fleet")
        mind("init", "--agent", "ava")
        mind("agent", "set", "ava", "--model", "program:./answer")
        mind("inbox", "push", stdin='{"agent": "ava", "text": "Are you there?"}')
        mind("think", "--agent", "ava")
        yield started


@pytest.fixture
def fleet(fleet_server: Server, mind: Mind) -> Iterator[Address]:
    """Give a copy of the store of which tests may spoil what they like."""
    with psycopg.connect(fleet_server.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE copy TEMPLATE life STRATEGY file_copy")
    url = fleet_server.url("copy", schema="fleet")
    mind.environment["MIND_STORE"] = url
    yield address_of(url)
    with psycopg.connect(fleet_server.url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE copy WITH (FORCE)")
