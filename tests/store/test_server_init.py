"""Stores on a server are made whole or not at all, and passwords are shown nowhere."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import MindError, RefusedError, UnavailableError
from mindpipe.io.chance import make_chance
from mindpipe.store.address import address_of
from mindpipe.store.engine import EngineStore
from mindpipe.store.postgres.backup import backup
from mindpipe.store.postgres.connection import connect
from mindpipe.store.postgres.schema import make_store, open_store
from mindpipe.store.postgres.soundness import judge
from mindpipe.store.verbs.init import init
from support.command import Mind
from support.fakes import FixedClock
from support.postgres_server import EACH_VERSION, Server, programs, running

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
SECRET = "open-sesame-1234567890"


@pytest.fixture(scope="module", params=EACH_VERSION)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Give an empty server of each version."""
    with running(request.param) as started:
        yield started


def classes(server: Server, schema: str) -> int:
    """Return how many tables and indexes a schema has."""
    with psycopg.connect(server.url()) as connection:
        sql = "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(%s)"
        (found,) = connection.execute(sql, [schema]).fetchone() or (0,)
    return int(found)


def made(server: Server, schema: str, *, seed: int = 1, agent: str | None = "ava") -> None:
    """Make a store with a first agent."""
    address = address_of(server.url(schema=schema))
    init(address, FixedClock(), make_chance(seed), agent=agent, page_checksums=False)


def test_what_fails_leaves_nothing(server: Server) -> None:
    with pytest.raises(MindError):
        made(server, "half", agent="no name")
    assert classes(server, "half") == 0
    made(server, "half")
    store = open_store(address_of(server.url(schema="half")))
    assert [one.name for one in agents.list_(store)] == ["ava"]
    store.close()


def test_the_first_agent_is_in_the_log_as_on_a_file(server: Server) -> None:
    made(server, "logged")
    store = open_store(address_of(server.url(schema="logged")))
    with store.read() as rows:
        assert rows.all(str, "SELECT agent FROM change WHERE agent != ''") == ["ava"]
        assert rows.value(int, "SELECT count(*) FROM heard") == 0
    store.close()


def test_what_is_of_others_is_no_store(server: Server) -> None:
    address = address_of(server.url(schema="theirs"))
    for told in (
        "CREATE TABLE theirs.migration(id INT)",
        "CREATE TABLE theirs.migration(position TEXT); INSERT INTO theirs.migration VALUES('x')",
        "CREATE TABLE theirs.migration(position BIGINT)",
        "CREATE TABLE theirs.migration(position BIGINT); CREATE TABLE theirs.store(id INT)",
        "CREATE SEQUENCE theirs.migration",
    ):
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS theirs CASCADE; CREATE SCHEMA theirs")
            connection.execute(told.encode())
        with pytest.raises(UnavailableError, match="no store in schema theirs"):
            open_store(address)
        with pytest.raises(UnavailableError, match="no store in schema theirs"):
            backup(address, file=Path("copy"))
        with pytest.raises(RefusedError, match="schema theirs is not empty"):
            made(server, "theirs")


def test_a_store_is_whole_whatever_its_maker_is_set_to(server: Server) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(
            "CREATE ROLE peculiar LOGIN; GRANT CREATE ON DATABASE postgres TO peculiar; "
            "ALTER ROLE peculiar SET quote_all_identifiers = on; "
            "ALTER ROLE peculiar SET plpgsql.extra_errors = 'all'"
        )
    address = address_of(server.url(schema="peculiar").replace("//mind@", "//peculiar@"))
    init(address, FixedClock(), make_chance(1), agent="ava", page_checksums=False)
    with connect(address) as connection:
        assert [one for one in judge(connection, address) if one.verdict != "ok"] == []
        connection.execute("DROP SEQUENCE peculiar.event_seq")
        (lost,) = judge(connection, address)
    assert (lost.verdict, lost.found) == ("bad", "missing: sequence event_seq")


def test_of_two_that_make_a_store_at_once_one_is_refused(server: Server) -> None:
    def attempt(seed: int) -> str:
        try:
            made(server, "twice", seed=seed)
        except RefusedError as refused:
            return str(refused)
        return "made"

    with ThreadPoolExecutor(4) as pool:
        said = sorted(pool.map(attempt, range(1, 5)))
    there = (
        "schema twice is a store already; mind agent new makes an agent in it, ?schema=NAME "
        "another store."
    )
    assert said == ["made", *[there] * 3]


def test_a_store_that_was_migrated_takes_nothing_from_who_began_before(server: Server) -> None:
    address = address_of(server.url(schema="older"))

    def begin(store: EngineStore) -> None:
        agents.new(store, FixedClock(), make_chance(1), name="ava")

    store = make_store(address, FixedClock(), make_chance(1), begin=begin)
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("INSERT INTO older.migration VALUES('0999_later', 999, '')")
        connection.execute("ALTER TABLE older.goal RENAME TO aim")
    with pytest.raises(UnavailableError, match=r"^the store was migrated: it has schema 999 now"):
        store.write().__enter__()
    with pytest.raises(UnavailableError, match=r"^the store was migrated"), store.read() as rows:
        rows.value(int, "SELECT count(*) FROM goal")
    store.close()


def test_rows_are_written_while_the_same_connection_reads_them(server: Server) -> None:
    made(server, "reading")
    store = open_store(address_of(server.url(schema="reading")))
    with store.write() as rows:
        names = rows.each(tuple, "SELECT value, value FROM json_each(:all)", {"all": '["a", "b"]'})
        given = ((name, *rows.all(str, "SELECT 'x'"), "now") for name, _ in names)
        rows.run_many(
            "INSERT INTO restoration(restored, loss_since) VALUES(?, ?)",
            ((name, told) for name, _, told in given),
        )
        assert rows.all(str, "SELECT restored FROM restoration ORDER BY 1") == ["a", "b"]
    store.close()


def test_the_password_comes_from_where_postgresql_looks_and_is_shown_nowhere(
    server: Server, mind: Mind
) -> None:
    guarded(server)
    url = server.url(schema="guarded").replace("//mind@", "//guarded@")
    without = mind.run("init", "--store", url)
    assert (without.status, "no password supplied" in without.words) == (69, True)
    wrong = mind.run("init", "--store", url, environment={"PGPASSWORD": f"not-{SECRET}"})
    assert (wrong.status, "password authentication failed" in wrong.words) == (69, True)
    passfile, service = mind.folder / "pass", mind.folder / "services"
    passfile.write_text(f"*:*:*:guarded:{SECRET}\n")
    passfile.chmod(0o600)
    folder = server.folder
    service.write_text(f"[fleet]\nhost={folder}\nport=5432\nuser=guarded\npassword={SECRET}\n")
    named = "postgresql:///postgres?service=fleet&schema=guarded"
    rans = [
        mind.run("init", "--store", url, environment={"PGPASSFILE": str(passfile)}),
        mind.run("agent", "list", "--store", url, environment={"PGPASSWORD": SECRET}),
        mind.run("agent", "list", "--store", named, environment={"PGSERVICEFILE": str(service)}),
        mind.run("init", "--store", url, environment={"PGPASSWORD": SECRET}),
    ]
    assert [ran.status for ran in rans] == [0, 0, 0, 4]
    shown = "".join(ran.text + ran.words for ran in (without, wrong, *rans))
    assert SECRET not in shown


def test_a_password_in_the_address_is_refused(mind: Mind) -> None:
    for store in (f"postgresql://a:{SECRET}@h/b", f"postgresql://a@h/b?password={SECRET}"):
        given = mind.run("init", "--store", store)
        for ran in (given, mind.run("init", environment={"MIND_STORE": store})):
            assert (ran.status, "has a password in it" in ran.words) == (2, True)
            assert SECRET not in ran.text + ran.words


def guarded(server: Server) -> None:
    """Let one user of a server be asked for a password."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE guarded LOGIN PASSWORD '{SECRET}'")
        connection.execute("GRANT CREATE ON DATABASE postgres TO guarded")
        rules = server.folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all guarded scram-sha-256\n{rules.read_text()}")
        connection.execute("SELECT pg_reload_conf()")
