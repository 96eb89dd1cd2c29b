"""A server whose queue of hints is full takes what is pushed all the same."""

import psycopg
import pytest

from support.command import Mind
from support.postgres_server import FAST, programs, running

# An older one has a queue of eight gigabytes, which nobody fills in a test.
_NEWEST = "18"
pytestmark = pytest.mark.skipif(_NEWEST not in programs(), reason="there is no PostgreSQL 18")
_LEAST_QUEUE = "max_notify_queue_pages=64"
_HINT = "SELECT pg_notify('others', repeat('a', 7900))"
_MORE_THAN_FIT = 1000


def test_a_push_outlives_a_full_queue_of_hints(mind: Mind) -> None:
    with running(_NEWEST, settings=(*FAST, _LEAST_QUEUE)) as server:
        store = server.url(schema="fleet")
        assert mind.run("init", "--store", store).status == 0
        assert mind.run("agent", "new", "ava", "--store", store).status == 0
        with (
            psycopg.connect(server.url(), autocommit=True) as deaf,
            psycopg.connect(server.url(), autocommit=True) as others,
        ):
            # What nobody has taken stays, as long as one who listens is in a transaction.
            deaf.execute("LISTEN others")
            deaf.execute("BEGIN")
            with pytest.raises(psycopg.errors.ProgramLimitExceeded):
                for _ in range(_MORE_THAN_FIT):
                    others.execute(_HINT)
            given = ("--agent", "ava", "--store", store)
            pushed = mind.run("inbox", "push", *given, "--text", "Hello.")
            assert (pushed.status, pushed.words) == (0, "")
            listed = mind.run("inbox", "list", *given, "--json")
            assert "Hello." in listed.text
