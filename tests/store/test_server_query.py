"""SQL of whoever asks a store on a real server: it reads, and nothing it says can write."""

import contextlib
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from mindpipe.core.errors import UnavailableError, UsageError
from mindpipe.store.address import Address, address_of
from mindpipe.store.postgres import query as questions
from mindpipe.store.postgres import roles
from mindpipe.store.postgres.query import export, query
from mindpipe.store.postgres.schema import open_store
from mindpipe.store.verbs import store as keeper
from support.command import Mind
from support.postgres_server import programs

pytestmark = pytest.mark.skipif(not programs(), reason="there is no program of PostgreSQL")


_SEQUENCES = "FROM pg_class WHERE relkind = 'S' AND relnamespace = 'fleet'::regnamespace"
REFUSED = (
    "DELETE FROM event",
    "UPDATE agent SET body = '{}'",
    "INSERT INTO migration VALUES('x', 99, '')",
    "DROP TABLE event",
    "TRUNCATE event",
    "CREATE TABLE mine(id INT)",
    "SELECT 1 AS n INTO mine",
    "CREATE TEMP TABLE mine(id INT)",
    "WITH gone AS (DELETE FROM event RETURNING *) SELECT * FROM gone",
    "SELECT * FROM event FOR UPDATE",
    f"SELECT nextval(oid::regclass) {_SEQUENCES}",
    f"SELECT setval(oid::regclass, 1) {_SEQUENCES}",
    "SELECT query_to_xml('DELETE FROM fleet.event RETURNING 1', true, true, '')",
    "SELECT set_config('transaction_read_only', 'off', false)",
    "SELECT pg_read_file('postgresql.conf')",
    "SELECT lo_export(1, '/tmp/mine')",
    "COPY event TO PROGRAM 'cat > mine'",
    "COPY (SELECT 1) TO '/tmp/mine'",
    "COPY event FROM PROGRAM 'echo 1'",
    "DO $$ BEGIN DELETE FROM event; END $$",
    "CALL nothing()",
    "NOTIFY mine",
    "SET transaction_read_only = off",
    "RESET ROLE",
    "COMMIT",
    "ROLLBACK; DELETE FROM event",
    "SELECT 1; SELECT 2",
    "SELECT 1; COMMIT; DELETE FROM event",
    "SELECT 1 -- \n; DELETE FROM event",
    "PREPARE TRANSACTION 'mine'",
    "EXPLAIN ANALYZE DELETE FROM event",
    "VACUUM",
    "",
    "no sql",
)


def rows(store: Address, sql: str, **values: str) -> list[dict[str, object]]:
    """Return all rows of a statement."""
    return list(query(store, sql, values=values).rows)


def state(store: Address) -> object:
    """Return what any statement of a question could have changed."""
    with psycopg.connect(store.server) as connection:
        return connection.execute(
            "SELECT (SELECT count(*) FROM pg_class), (SELECT sum(n) FROM (SELECT count(*) AS n "
            "FROM fleet.event UNION ALL SELECT count(*) FROM fleet.message) AS counted), "
            "(SELECT max(body) FROM fleet.agent), (SELECT count(*) FROM pg_proc)"
        ).fetchone()


def test_a_question_is_answered_as_on_a_file(fleet: Address, mind: Mind) -> None:
    sql = "SELECT agent, count(*) AS said FROM message WHERE role = :role GROUP BY agent"
    line = mind("store", "query", sql, "-p", "role", "assistant").text
    assert line == '{"agent":"ava","said":1}\n'
    table = mind("store", "query", f"{sql};", "-p", "role", "assistant", "--table").text
    assert table.split() == ["agent", "said", "ava", "1"]
    assert rows(fleet, "SELECT 1 AS one WHERE false") == []
    assert query(fleet, "SELECT 1 AS one WHERE false", values={}).columns == ("one",)


def test_values_are_plain(fleet: Address) -> None:
    (row,) = rows(
        fleet,
        "SELECT 1 = 1 AS truth, 1.5::numeric AS part, 'NaN'::numeric::text AS none, "
        "NULL AS nothing, '{\"a\": [1]}'::jsonb AS json, ARRAY[1, 2] AS list, "
        "DATE '2026-11-21' AS day, "
        "'\\x00ff'::bytea AS bytes, '12:30' AS clock, E'a\\'b' AS quoted",
    )
    assert row == {
        **{"truth": 1, "part": 1.5, "none": "NaN", "nothing": None, "json": '{"a":[1]}'},
        **{"list": "[1,2]", "day": "2026-11-21", "bytes": b"\x00\xff"},
        **{"clock": "12:30", "quoted": "a'b"},
    }
    assert rows(fleet, "SELECT 'NaN'::numeric > 1 AS more") == [{"more": 1}]


def test_a_table_of_any_name_is_exported_and_written_anew(fleet: Address) -> None:
    with psycopg.connect(fleet.server, autocommit=True) as connection:
        connection.execute(
            'CREATE TABLE fleet."a""b; -- \'%s" AS SELECT 1 AS n; ANALYZE fleet."a""b; -- \'%s"'
        )
        file = "SELECT relfilenode FROM pg_class WHERE relname LIKE 'a\"b%'"
        before = connection.execute(file).fetchone()
    assert list(export(fleet, "a\"b; -- '%s").rows) == [{"n": 1}]
    with contextlib.closing(open_store(fleet)) as store:
        store.write_anew()
    with psycopg.connect(fleet.server) as connection:
        assert connection.execute(file).fetchone() != before


def test_many_rows_come_piece_by_piece(fleet: Address) -> None:
    found = query(fleet, "SELECT n FROM generate_series(1, 2500) AS n", values={}).rows
    assert [row["n"] for row in found] == list(range(1, 2501))


@pytest.mark.parametrize("is_roled", [False, True])
def test_what_writes_or_is_no_question_is_refused(
    fleet: Address,
    is_roled: bool,  # noqa: FBT001
) -> None:
    if is_roled:
        with psycopg.connect(fleet.server, autocommit=True) as connection:
            connection.execute(roles.script(fleet).encode())
    before = state(fleet)
    for sql in REFUSED:
        with pytest.raises(UsageError, match=r"^SQL: "):
            rows(fleet, sql)
        assert state(fleet) == before, sql
    assert not Path("/tmp/mine").exists()


def test_octets_that_are_no_text_are_refused_on_a_file_too(fleet: Address, tmp_path: Path) -> None:
    for store in (fleet, tmp_path / "mind.db"):
        for sql, value in (("SELECT '\udcff'", "x"), ("SELECT :v", "\udcff"), ("SELECT :v", "\0")):
            with pytest.raises(UsageError, match="UTF-8"):
                keeper.query(store, sql, values={"v": value})


def test_what_the_driver_logs_is_not_printed() -> None:
    words = "import logging, mindpipe.store.postgres.connection as c; c.errors\n"
    words += "logging.getLogger('psycopg').warning('error ignored')"
    ran = subprocess.run([sys.executable, "-c", words], capture_output=True, check=True)
    assert ran.stderr == b""


def test_a_question_that_lifts_its_own_bound_is_ended(
    fleet: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "QUERY_SECONDS", 1)
    endless = (
        "SELECT set_config('statement_timeout', '0', true), "
        "CASE WHEN n > 1500 THEN pg_sleep(3600) END FROM generate_series(1, 2500) AS n"
    )
    with pytest.raises(UsageError, match="it took longer"):
        rows(fleet, endless)


def test_what_a_server_lets_pass_is_not_kept(fleet: Address) -> None:
    with contextlib.suppress(UsageError):  # of 16 and newer ones
        rows(fleet, "SELECT lo_create(0)")
    with psycopg.connect(fleet.server, autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM pg_largeobject_metadata").fetchone() == (0,)
        connection.execute("LISTEN mine")
        assert rows(fleet, "SELECT pg_notify('mine', '')::text AS told") == [{"told": ""}]
        assert list(connection.notifies(timeout=0.2)) == []


def test_a_function_that_writes_is_refused(fleet: Address) -> None:
    with psycopg.connect(fleet.server, autocommit=True) as connection:
        connection.execute(
            "CREATE FUNCTION fleet.sweep() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS "
            "$$ BEGIN DELETE FROM fleet.event; RETURN 1; END $$"
        )
    before = state(fleet)
    with pytest.raises(UsageError, match="a query only reads this store"):
        rows(fleet, "SELECT sweep()")
    with pytest.raises(UsageError, match="SQL: "):
        rows(fleet, "SELECT set_config('transaction_read_only', 'off', true), sweep()")
    assert state(fleet) == before


def test_a_question_is_asked_as_the_reader_where_there_is_one(fleet: Address) -> None:
    asked = "SELECT current_user::text AS who"
    assert rows(fleet, asked) == [{"who": "pg_read_all_data"}]
    with psycopg.connect(fleet.server, autocommit=True) as connection:
        connection.execute(roles.script(fleet).encode())
    assert rows(fleet, asked) == [{"who": "fleet_reader"}]


def test_what_is_not_there_is_named(fleet: Address, mind: Mind) -> None:
    with pytest.raises(UsageError, match=r"^SQL: no table evnt; did you mean event\?"):
        rows(fleet, "SELECT * FROM evnt")
    with pytest.raises(UsageError, match=r"^SQL: column .*nothing.* does not exist"):
        rows(fleet, "SELECT nothing FROM event")
    with pytest.raises(UsageError, match="nothing is given for :role"):
        rows(fleet, "SELECT * FROM message WHERE role = :role")
    with pytest.raises(UnavailableError, match="no store in schema elsewhere"):
        rows(address_of(f"{fleet.server}&schema=elsewhere"), "SELECT 1")
    absent = mind.run("store", "export", "evnt")
    assert (absent.status, "there are agent, agent_lease" in absent.words) == (2, True)


def test_a_table_is_exported(fleet: Address, mind: Mind) -> None:
    assert [row["name"] for row in export(fleet, "agent").rows] == ["ava"]
    assert mind("store", "export", "agent", "--csv").text.startswith("name,entity,body")
